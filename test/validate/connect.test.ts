import { describe, expect } from 'vitest';
import type { Problem } from '../../src/config/problems/problem.js';
import { CompanyNetwork } from '../support/company-network.js';
import { ModelServer } from '../support/model-server/model-server.js';
import { it } from '../support/scratch-suite.js';
import { command, script, tellingServer } from '../support/suite-parts.js';

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

describe.concurrent('proctor validate --connect warns of a model that is shut down', () => {
  const shutdownOf = (stdout: string) =>
    summary(stdout).filter((line) => line.includes('model-shutdown'));

  it('on the day that its provider gives, for agent and judge', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const model = await ModelServer.start([]);
    onTestFinished(() => model.close());
    model.models.set('house/agent', { id: 'house/agent', shutdown_date: '2030-02-01' });
    model.models.set('gpt-5-mini', { id: 'gpt-5-mini', shutdown_date: '2027-12-31' });
    const suite = await makeSuite({
      tasks: { one: { spec: { verify: [{ llmJudge: { contains: 'hello' } }] } } },
      agent: { builtin: { type: 'openai-agent', model: 'house/agent' } },
      config: { llmJudge: { ref: { type: 'builtin.llm-agent', model: 'openai:gpt-5-mini' } } },
    });
    const env = { OPENAI_API_KEY: 'sk-scripted-model', OPENAI_BASE_URL: `${model.url}/v1` };
    const { exitCode, stdout, stderr } = await suite.proctor([...connect, '-o', 'json'], env);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(shutdownOf(stdout)).toEqual([
      'warning | model-shutdown | openai-compatible:house/agent is shut down on 2030-02-01, as its provider says',
      'warning | model-shutdown | openai:gpt-5-mini is shut down on 2027-12-31, as its provider says',
    ]);
    const strict = await suite.proctor([...connect, '--strict'], env);
    expect(strict.exitCode).toBe(2);
  });

  it('as the provider says behind the proxy that the Agent file names', async ({
    makeSuite,
    onTestFinished,
  }) => {
    const model = await ModelServer.start([]);
    onTestFinished(() => model.close());
    model.models.set('house', { id: 'house', shutdown_date: '2030-02-01' });
    const network = await CompanyNetwork.start(undefined, onTestFinished);
    const baseUrl = `${await network.place(model.url, 'http')}/v1`;
    const env = { HTTP_PROXY: network.proxyUrl };
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: { builtin: { type: 'llm-agent', model: 'openai:house', baseUrl, env } },
    });
    const { stdout, stderr } = await suite.proctor([...connect, '-o', 'json'], {
      OPENAI_API_KEY: 'sk-scripted-model',
    });
    expect(shutdownOf(stdout), stderr).toEqual([
      'warning | model-shutdown | openai:house is shut down on 2030-02-01, as its provider says',
    ]);
  });

  it.for([
    ['the provider has announced none', 'gpt-5-mini', { shutdown_date: null }, undefined],
    ['the provider does not say', 'gpt-5-mini', {}, '2026-12-11'],
    [
      'the provider says nonsense',
      'gpt-5-mini-2025-08-07',
      { shutdown_date: 'soon' },
      '2026-12-11',
    ],
    ['the provider does not know it', 'gpt-4o-2024-05-13', undefined, '2026-10-23'],
    ['the provider and Proctor do not know it', 'gpt-99', undefined, undefined],
  ] as const)(
    'if %s, as it is known',
    async ([, id, answer, date], { makeSuite, onTestFinished }) => {
      const model = await ModelServer.start([]);
      onTestFinished(() => model.close());
      if (answer) model.models.set(id, { id, ...answer });
      const suite = await makeSuite({
        tasks: { one: {} },
        agent: { builtin: { type: 'llm-agent', model: `openai:${id}` } },
      });
      const env = { OPENAI_API_KEY: 'sk-scripted-model', OPENAI_BASE_URL: `${model.url}/v1` };
      const { stdout, stderr } = await suite.proctor([...connect, '-o', 'json'], env);
      const message = `openai:${id} is shut down on ${date}, as its provider has announced`;
      const expected = date === undefined ? [] : [`warning | model-shutdown | ${message}`];
      expect(shutdownOf(stdout), stderr).toEqual(expected);
      expect(model.requests).toEqual([]);
    },
  );
});
