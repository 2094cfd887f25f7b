import { describe, expect } from 'vitest';
import type { Problem } from '../src/config/problem.js';
import { it } from './support/scratch-suite.js';
import { command, script, tellingServer } from './support/suite-parts.js';

const connect = ['validate', '--connect', 'eval.yaml'];

/** Code, the marked name and the suggestion. */
function summary(stdout: string): string[] {
  const { problems } = JSON.parse(stdout) as { problems: Problem[] };
  return problems.map(({ code, severity, message, hint }) =>
    [severity, code, message, ...(hint === undefined ? [] : [hint])].join(' | '),
  );
}

describe.concurrent('proctor validate --connect', () => {
  it('tells what servers offer and that the agent is there, and runs nothing', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: { setup: [script('touch ran')] } } },
      agent: command('cat', { getVersion: 'echo 4.2' }),
      servers: {
        telling: tellingServer([], { enableAllTools: false, alwaysAllow: ['echo', 'pid'] }),
      },
      assertions: {
        toolsUsed: [{ server: 'telling', tool: 'echo' }],
        toolsNotUsed: [{ server: 'telling', tool: 'exit' }],
        resourcesRead: [{ server: 'telling', uri: 'telling://motto' }],
        promptsUsed: [{ server: 'telling', promptPattern: '^no such' }],
      },
    });
    const text = await suite.proctor(connect);
    expect(text).toMatchObject({ exitCode: 0, stderr: '' });
    expect(text.stdout).toContain('server telling: 5 tools (2 allowed), 1 resource, 1 prompt\n');
    expect(text.stdout).toContain('agent agent (command) 4.2: ready\n');
    const json = await suite.proctor([...connect, '-o', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      evals: [
        {
          name: 'suite',
          servers: [{ name: 'telling', tools: 5, allowedTools: 2, resources: 1, prompts: 1 }],
          agent: { name: 'agent', type: 'command', version: '4.2' },
        },
      ],
      errors: 0,
    });
    await expect(suite.read('tasks/ran')).rejects.toThrow('ENOENT');
    expect(await suite.leftovers()).toEqual([]);
  });

  it('finds names that no server offers: required ones are errors, forbidden ones warnings', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            assertions: {
              callOrder: [
                { type: 'tool', server: 'telling', name: 'pid' },
                { type: 'tool', server: 'telling', name: 'pit' },
              ],
              requireAny: [
                { server: 'telling', tool: 'no-tool' },
                { server: 'telling', tool: 'echo' },
              ],
            },
          },
        },
        two: {
          spec: {
            assertions: {
              requireAny: [
                { server: 'telling', tool: 'nothing' },
                { server: 'telling', tool: 'nobody' },
              ],
              promptsNotUsed: [{ server: 'telling', prompt: 'great' }],
            },
          },
        },
      },
      assertions: {
        toolsUsed: [
          { server: 'telling', tool: 'ehco' },
          { server: 'telling', toolPattern: 'ehco' },
        ],
        toolsNotUsed: [{ server: 'telling', tool: 'exti' }],
        resourcesRead: [{ server: 'telling', uri: 'telling://moto' }],
        promptsUsed: [{ server: 'telling', prompt: 'greeet' }],
      },
    });
    const { exitCode, stdout, stderr } = await suite.proctor([...connect, '-o', 'json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: '' });
    expect(summary(stdout)).toEqual([
      'error | not-offered | telling offers no tool ehco | did you mean echo?',
      'warning | forbidden-not-offered | telling offers no tool exti: nothing is forbidden | did you mean exit?',
      'warning | unlisted-resource | telling offers no resource telling://moto | did you mean telling://motto?',
      'error | not-offered | telling offers no prompt greeet | did you mean greet?',
      'error | not-offered | telling offers no tool pit | did you mean pid?',
      'error | not-offered | telling offers no tool nothing | if it is offered only later, write toolPattern: ^nothing$',
      'error | not-offered | telling offers no tool nobody | if it is offered only later, write toolPattern: ^nobody$',
      'warning | forbidden-not-offered | telling offers no prompt great: nothing is forbidden | did you mean greet?',
    ]);
  });

  it('is content with warnings, unless it is strict', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      assertions: { toolsNotUsed: [{ server: 'telling', tool: 'exti' }] },
    });
    const lenient = await suite.proctor(connect);
    expect(lenient.exitCode).toBe(0);
    expect(lenient.stdout).toContain('forbidden-not-offered');
    const strict = await suite.proctor([...connect, '--strict']);
    expect(strict.exitCode).toBe(2);
  });

  it('finds a missing agent and a missing server in one go', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: command('no-such-agent {{ .Prompt }}'),
      servers: { missing: { command: 'no-such-server', enableAllTools: true } },
    });
    const { exitCode, stdout } = await suite.proctor([...connect, '-o', 'json']);
    expect(exitCode).toBe(2);
    expect(summary(stdout)).toEqual([
      expect.stringMatching(/^error \| agent-not-ready \| .*no-such-agent/),
      expect.stringMatching(/^error \| server-not-ready \| the server "missing" could not be/),
    ]);
  });
});
