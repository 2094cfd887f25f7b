import { expect, test } from 'vitest';
import { checkWithAgent } from './agent-check.js';
import { byName, realAgents } from './real-agents.js';
import { startModel } from './scripted-model.js';

const evalFile = 'use-forbidden-tool.yaml';

test.for(byName(realAgents.filter(({ deniedBy }) => deniedBy === 'agent')))(
  '%s asks for a tool that is not allowed, does not get it, and reports that',
  async ([, agent]) => {
    const model = await startModel();

    const check = await checkWithAgent({ agent, model, evalFile });

    expect(check, check.stderr).toMatchObject({ exitCode: 0, processesLeft: [] });
    expect(check.taskRun).toMatchObject({
      outcome: 'passed',
      permissionDenials: [
        {
          tool: agent.toolName?.('local', 'get-env'),
          reason: expect.stringMatching(/^not allowed by .* of local in mcp-config.yaml$/),
        },
      ],
      calls: [],
    });
  },
);

test.for(byName(realAgents.filter(({ deniedBy }) => deniedBy === 'proxy')))(
  '%s calls a tool that is not allowed, and the proxy blocks it',
  async ([, agent]) => {
    const model = await startModel();

    const check = await checkWithAgent({ agent, model, evalFile });

    expect(check, check.stderr).toMatchObject({ exitCode: 1, processesLeft: [] });
    expect(check.taskRun).toMatchObject({
      outcome: 'failed',
      failure: { category: 'assertion-failed', message: expect.stringContaining('toolsNotUsed') },
      verified: true,
      permissionDenials: [],
      calls: [{ server: 'local', name: 'get-env', blocked: true, isError: true }],
    });
    const lastRequest = model.requests.at(-1);
    expect(lastRequest?.toolResults).toMatchObject([
      { text: expect.stringContaining('is not allowed here') },
    ]);
  },
);
