import { expect, test } from 'vitest';
import { checkWithAgent } from './agent-check.js';
import { byName, oneOfEachKind, realAgents } from './real-agents.js';
import { startModel } from './scripted-model.js';

test.for(byName(realAgents))(
  '%s uses servers on stdio and HTTP, and its calls are recorded, asserted and verified',
  async ([, agent]) => {
    const model = await startModel();

    const check = await checkWithAgent({ agent, model, evalFile: 'use-tools.yaml' });

    expect(check, check.stderr).toMatchObject({ exitCode: 0, processesLeft: [] });
    const { taskRun } = check;
    expect(taskRun).toMatchObject({
      outcome: 'passed',
      verified: true,
      assertionsHeld: true,
      output: expect.stringContaining('The sum of 2 and 3 is 5.'),
      usage: agent.usage,
      permissionDenials: [],
      calls: [
        {
          server: 'local',
          name: 'get-sum',
          args: { a: 2, b: 3 },
          result: { content: [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }] },
          isError: false,
          blocked: false,
        },
        {
          server: 'remote',
          name: 'echo',
          args: { message: 'hello' },
          result: { content: [{ type: 'text', text: 'Echo: hello' }] },
          isError: false,
          blocked: false,
        },
      ],
    });
    expect(taskRun?.assertions.map(({ name, passed }) => [name, passed])).toEqual([
      ['toolsUsed', true],
      ['toolsNotUsed', true],
      ['callOrder', true],
      ['minToolCalls', true],
      ['maxToolCalls', true],
      ['noDuplicateCalls', true],
      ['maxToolErrors', true],
    ]);
    expect(taskRun?.cost !== null).toBe(agent.reportsCost);
    expect(check.agentVersion).toBe(agent.version);
    const toolSteps = taskRun?.phases.agent?.steps.filter(({ kind }) => kind === 'tool-call');
    expect(toolSteps?.map(({ tool }) => tool)).toEqual(
      agent.toolName ? [agent.toolName('local', 'get-sum'), agent.toolName('remote', 'echo')] : [],
    );
    expect(model.requests.flatMap(({ messages }) => messages)).toContainEqual({
      role: 'user',
      text: expect.stringContaining(taskRun?.prompt ?? 'no prompt'),
    });
  },
);

test.for(byName(oneOfEachKind))(
  '%s does other than asserted, and the assertions say what it did',
  async ([, agent]) => {
    const model = await startModel();

    const check = await checkWithAgent({ agent, model, evalFile: 'use-tools-otherwise.yaml' });

    expect(check, check.stderr).toMatchObject({ exitCode: 1, processesLeft: [] });
    expect(check.taskRun).toMatchObject({
      outcome: 'failed',
      failure: { category: 'assertion-failed' },
      verified: true,
      assertionsHeld: false,
    });
    const failed = check.taskRun?.assertions.filter(({ passed }) => !passed);
    expect(failed).toMatchObject([
      { name: 'toolsUsed', reason: expect.stringContaining('remote') },
      { name: 'callOrder', reason: expect.stringContaining('get-sum') },
    ]);
  },
);
