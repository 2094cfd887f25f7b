import path from 'node:path';
import { expect, it } from 'vitest';
import { createAcpAgent } from '../../src/agents/acp/acp-agent.js';
import type { AgentFailure } from '../../src/agents/agent.js';
import { getStartTime } from '../../src/base/processes/process-identity.js';
import { runAcpAgent } from '../support/acp-run.js';
import { fixtures } from '../support/cli.js';

const misfit = (fault: string, ...more: string[]) => ['acp-misfit.mjs', fault, ...more];

it.each<[fault: string, failure: AgentFailure]>([
  [
    'exits-early',
    {
      code: 'not-started',
      message: 'fixture exited with code 3, before it answered initialize',
      details: 'there is no configuration',
    },
  ],
  [
    'speaks-another-version',
    {
      code: 'not-started',
      message: 'fixture speaks version 7 of the Agent Client Protocol, and Proctor version 1',
    },
  ],
  [
    'has-no-session',
    { code: 'not-started', message: 'fixture answered session/new without the id of a session' },
  ],
  [
    'wants-a-login',
    {
      code: 'not-started',
      message: 'fixture wants you to log in first (API key, oauth): Authentication required',
    },
  ],
  [
    'answers-with-an-error',
    {
      code: 'failed',
      message: 'fixture answered session/prompt with an error: Internal error',
      details: '{"details":"no such model"}',
    },
  ],
])('an agent that %s has failed', async (fault, failure) => {
  const { result } = await runAcpAgent(misfit(fault));
  expect(result).toEqual({ end: 'failed', failure, output: '' });
});

it.each(['never-answers', 'never-opens-a-session'])(
  'an agent that %s is given up after some time',
  async (fault) => {
    const { result } = await runAcpAgent(misfit(fault), { startup: 1000 });
    const method = fault === 'never-answers' ? 'initialize' : 'session/new';
    const message = `fixture did not answer ${method} within 1 s`;
    expect(result).toEqual({
      end: 'failed',
      failure: { code: 'not-started', message },
      output: '',
    });
  },
);

it.each([
  ['max_tokens', 'fixture stopped because its model reached the token limit'],
  ['max_turn_requests', 'fixture stopped because it reached its limit of requests to the model'],
  ['refusal', 'fixture refused to continue'],
  ['cancelled', 'fixture says that it was cancelled, which it was not'],
  ['boredom', 'fixture ended its turn for a reason that is not known: boredom'],
])('an agent that stops because of %s has failed', async (reason, message) => {
  const { result } = await runAcpAgent(misfit('stops-because-of', reason));
  expect(result).toEqual({ end: 'failed', failure: { code: 'failed', message }, output: '' });
});

it('of an agent that dies in its turn, what it said and the end of its log is kept', async () => {
  const { result, steps } = await runAcpAgent(misfit('dies-in-its-turn'));
  expect(result).toEqual({
    end: 'failed',
    failure: {
      code: 'failed',
      message: 'fixture was ended by SIGKILL, before it answered session/prompt',
      details: 'out of memory',
    },
    output: 'I am about to',
  });
  expect(steps).toContainEqual({ kind: 'message', text: 'I am about to' });
  expect(steps).toContainEqual({ kind: 'log', text: 'out of memory' });
});

it('an agent that ends right after its answer has finished', async () => {
  const { result } = await runAcpAgent(misfit('answers-and-dies'));
  expect(result).toEqual({ end: 'finished', output: 'Bye.' });
});

it('what is no message is survived, and kept as its log', async () => {
  const { result, steps } = await runAcpAgent(misfit('writes-garbage'));
  expect(result).toEqual({ end: 'finished', output: 'All right.' });
  const log = steps.flatMap((step) => (step.kind === 'log' ? [step.text] : []));
  expect(log).toEqual([
    'Welcome!',
    '{"jsonrpc":',
    '[1, 2]',
    'null',
    '{}',
    '\u001b[31mwarning\u001b[0m: still here',
  ]);
});

it('requests for what we do not offer are refused', async () => {
  const { result } = await runAcpAgent(misfit('asks-for-everything'));
  expect(result).toMatchObject({
    end: 'finished',
    output: '-32601 -32601 -32601 -32601 cancelled',
  });
});

it('an agent that floods us is heard to its end, and a bounded part is kept', async () => {
  const { result, steps } = await runAcpAgent(misfit('floods'));
  expect(result).toEqual({ end: 'finished', output: 'Done.' });
  const besideCalls = steps.filter(({ kind }) => kind !== 'tool-call');
  expect(besideCalls.length).toBeLessThanOrEqual(10_001);
  const [first] = steps;
  expect(first?.kind === 'message' && first.text.length).toBeLessThanOrEqual(1024 * 1024 + 2);
  expect(besideCalls.at(-1)).toEqual({
    kind: 'log',
    text: 'The agent reported more than is kept; the rest is left out.',
  });
});

it('an agent that never ends a line is given up', async () => {
  const { result } = await runAcpAgent(misfit('never-ends-a-line'));
  expect(result.failure?.message).toBe(
    'fixture sent too much in one line: a message is longer than 33554432 characters, before it answered session/prompt',
  );
});

it('an agent that does not read what we answer is given up', async () => {
  const { result } = await runAcpAgent(misfit('never-reads'));
  expect(result.failure?.message).toBe(
    'fixture does not read its input, before it answered session/prompt',
  );
});

it('values that are nested very deep are left out', async () => {
  const { result, steps } = await runAcpAgent(misfit('nests-deep'));
  expect(result).toEqual({ end: 'finished', output: 'Done.' });
  expect(steps).toEqual([
    { kind: 'tool-call', tool: 'look', id: 'deep' },
    { kind: 'tool-result', id: 'deep', isError: false, text: '' },
    { kind: 'message', text: 'Done.' },
  ]);
});

it('the answer of an agent that says nothing after its last call is what it said before', async () => {
  const { result, steps } = await runAcpAgent(misfit('ends-in-silence'));
  expect(result).toEqual({ end: 'finished', output: 'I will look.' });
  expect(steps.at(-1)).toEqual({
    kind: 'tool-result',
    id: 'call',
    isError: true,
    text: '{"why":"dark"}',
  });
});

it('an agent that hangs and ignores SIGTERM is stopped, with everything it has started', async () => {
  const controller = new AbortController();
  const pids: number[] = [];
  const { result } = await runAcpAgent(misfit('hangs'), {
    signal: controller.signal,
    onStep(step) {
      if (step.kind !== 'tool-call') return;
      pids.push(...step.tool.split(' ').map(Number));
      controller.abort();
    },
  });
  expect(result).toEqual({ end: 'stopped', output: '' });
  expect(pids).toHaveLength(2);
  await expect.poll(() => pids.map(getStartTime)).toEqual([undefined, undefined]);
});

it('an agent that is told to stop may end its turn', async () => {
  const controller = new AbortController();
  const { result } = await runAcpAgent(misfit('stops-when-told'), {
    signal: controller.signal,
    onStep: ({ kind }) => kind === 'tool-call' && controller.abort(),
  });
  expect(result).toEqual({ end: 'stopped', output: 'Stopping.' });
});

it('an agent that is still starting can be stopped', async () => {
  const controller = new AbortController();
  const { result } = await runAcpAgent(misfit('starts-slowly'), {
    signal: controller.signal,
    onStep: () => controller.abort(),
  });
  expect(result).toEqual({ end: 'stopped', output: '' });
});

it('an agent whose task is called off before it begins is not started', async () => {
  const { result, steps } = await runAcpAgent(misfit('exits-early'), {
    signal: AbortSignal.abort(),
  });
  expect(result).toEqual({ end: 'stopped', output: '' });
  expect(steps).toEqual([]);
});

it('a program that is missing is found out before anything runs', async () => {
  const prepare = (cmd: string) =>
    createAcpAgent({ name: 'fixture', data: { kind: 'Agent', acp: { cmd } } }).prepare({
      environment: { PATH: path.dirname(process.execPath) },
      signal: new AbortController().signal,
    });
  expect(await prepare('node')).toEqual({ problems: [] });
  expect(await prepare(process.execPath)).toEqual({ problems: [] });
  expect(await prepare('no-such-agent')).toEqual({
    problems: [
      {
        message: "the agent's program no-such-agent was not found on PATH",
        hint: 'install it, or add its folder to PATH',
      },
    ],
  });
  const notExecutable = path.join(fixtures, 'agents/acp-misfit.mjs');
  expect(await prepare(notExecutable)).toEqual({
    problems: [
      {
        message: `the agent's program ${notExecutable} is not a file that can be executed`,
        hint: 'check acp.cmd: a path counts from the folder of the Agent file',
      },
    ],
  });
});

it('a program that went missing since is a failure to start', async () => {
  const agent = createAcpAgent({
    name: 'fixture',
    data: { kind: 'Agent', acp: { cmd: './no-such-agent' } },
  });
  const result = await agent.run({
    prompt: 'Look around.',
    servers: [],
    workdir: fixtures,
    privateFolder: fixtures,
    environment: {},
    signal: new AbortController().signal,
    report: () => expect.fail('it says nothing'),
  });
  expect(result).toEqual({
    end: 'failed',
    failure: {
      code: 'not-started',
      message: expect.stringMatching(
        /^fixture could not be started: command not found: .+, before it answered initialize$/,
      ),
    },
    output: '',
  });
});
