import { describe, expect, it } from 'vitest';
import type { AgentServer } from '../../src/agents/agent.js';
import { createScriptedAgent } from '../../src/agents/scripted/scripted-agent.js';
import type { AgentData } from '../../src/config/schemas/agent-schema.js';
import type { AgentStep } from '../../src/journal/step-events.js';
import { answerJson, ScriptedHttpServer } from '../../testing/scripted-http-server.js';
import { everythingProgram, serverProgram, stdioServer } from '../support/mcp-servers.js';
import { type ProxyResult, RunningProxy } from '../support/running-proxy.js';

type Rules = NonNullable<AgentData['scripted']>;
type Actions = Rules[number]['do'];

const everything = { ...stdioServer(everythingProgram), enableAllTools: true };

function agentWith(rules: Rules, metadata: AgentData['metadata'] = {}) {
  return createScriptedAgent({
    name: 'scripted',
    data: { kind: 'Agent', metadata, scripted: rules },
  });
}

interface Play {
  name?: string;
  prompt?: string;
  servers?: Record<string, string>;
  controller?: AbortController;
}

async function play(rules: Rules, { name, prompt = 'Go.', servers = {}, controller }: Play = {}) {
  const steps: AgentStep[] = [];
  const result = await agentWith(rules).run({
    ...(name !== undefined && { name }),
    prompt,
    servers: Object.entries(servers).map(
      ([name, url]): AgentServer => ({ name, url, allowedTools: [] }),
    ),
    workdir: '/nowhere',
    privateFolder: '/nowhere',
    environment: {},
    signal: controller?.signal ?? new AbortController().signal,
    report: (step) => steps.push(step),
  });
  return { result, steps };
}

/** Plays actions on server-everything behind the proxy, and shows what was recorded. */
async function playOnEverything(actions: Actions, prompt?: string) {
  const proxy = await RunningProxy.start({ everything });
  const servers = { everything: proxy.url('everything') };
  const played = await play([{ do: actions }], {
    servers,
    ...(prompt !== undefined && { prompt }),
  });
  return { ...played, recorded: await proxy.stop() };
}

function callsIn({ calls }: ProxyResult) {
  return calls.filter(({ kind }) => kind !== 'other');
}

function sentIn({ messages }: ProxyResult, method: string) {
  return messages.filter(({ direction, message }) => {
    const { method: sent } = message.value as { method?: string };
    return direction === 'to-server' && sent === method;
  });
}

const call = (tool: string, args: object = {}) => ({
  call: { server: 'everything', tool, args: { ...args } },
});

describe('a rule', () => {
  const rules: Rules = [
    { when: '(?i)remember', do: [{ say: 'first' }] },
    { when: 'Remember|forget', do: [{ say: 'second' }] },
    { do: [{ say: 'third' }] },
  ];

  it.each([
    ['Please remember.', 'first'],
    ['Please forget.', 'second'],
    ['Please.', 'third'],
  ])('is the first that matches: %s', async (prompt, output) => {
    const { result, steps } = await play(rules, { prompt });
    expect(result).toEqual({ end: 'finished', output });
    expect(steps).toEqual([{ kind: 'message', text: output }]);
  });

  it.each([
    ['shop', 'Go.', 'shopping'],
    ['shop', 'Stop.', 'stopping'],
    ['walk', 'Go.', 'anything'],
  ])('can be for a task: %s with the prompt %s', async (name, prompt, output) => {
    const forTasks: Rules = [
      { task: 'shop', when: 'Stop', do: [{ say: 'stopping' }] },
      { task: 'shop', do: [{ say: 'shopping' }] },
      { do: [{ say: 'anything' }] },
    ];
    const { result } = await play(forTasks, { name, prompt });
    expect(result.output).toBe(output);
  });

  it('may be missing for a prompt', async () => {
    const prompt = `Buy ${'more '.repeat(40)}milk.\nAnd bread.`;
    const { result } = await play(rules.slice(0, 2), { name: 'shop', prompt });
    expect(result).toMatchObject({ end: 'failed', output: '', failure: { code: 'failed' } });
    expect(result.failure?.message).toMatch(
      /^the agent scripted has no rule for the task shop and the prompt "Buy more more .* …"\.$/,
    );
  });
});

it('says who it is, and needs nothing', async () => {
  const agent = agentWith([{ do: [{ say: 'hi' }] }], { version: '3' });
  expect(agent.identity).toEqual({ name: 'scripted', type: 'scripted', version: '3' });
  const { signal } = new AbortController();
  expect(await agent.prepare({ environment: {}, signal })).toEqual({ problems: [] });
});

describe('actions', () => {
  it('call, read, fetch a prompt and say, in one session, with quotes of what came before', async () => {
    const { result, steps, recorded } = await playOnEverything(
      [
        call('get-structured-content', { location: 'New York' }),
        call('get-sum', { a: '{result.temperature}', b: 2 }),
        { read: { server: 'everything', uri: 'demo://resource/static/document/features.md' } },
        { getPrompt: { server: 'everything', prompt: 'args-prompt', args: { city: '{prompt}' } } },
        { say: 'It is {results.1.conditions}.' },
        { say: '{results.2} {results.4}' },
      ],
      'Wien',
    );
    expect(result).toEqual({
      end: 'finished',
      output: "The sum of 33 and 2 is 35. What's weather in Wien?",
    });
    expect(steps.map((step) => ('tool' in step ? step.tool : step.kind))).toEqual([
      'everything.get-structured-content',
      'tool-result',
      'everything.get-sum',
      'tool-result',
      'everything.resources/read',
      'tool-result',
      'everything.prompts/get',
      'tool-result',
      'message',
      'message',
    ]);
    expect(steps[2]).toMatchObject({ id: '2', args: { text: '{"a":33,"b":2}' } });
    expect(steps[3]).toMatchObject({ id: '2', isError: false, text: 'The sum of 33 and 2 is 35.' });
    expect(callsIn(recorded)).toMatchObject([
      { kind: 'tool', name: 'get-structured-content' },
      { kind: 'tool', name: 'get-sum', args: { text: '{"a":33,"b":2}' } },
      { kind: 'resource', name: 'demo://resource/static/document/features.md' },
      { kind: 'prompt', name: 'args-prompt' },
    ]);
    expect(sentIn(recorded, 'initialize')).toHaveLength(1);
    expect(sentIn(recorded, 'tools/list')).toEqual([]);
  });

  it('work with a server of the stateless era', async () => {
    const stdio = stdioServer(serverProgram('conformance-server.mjs'), '--stdio');
    const proxy = await RunningProxy.start({ modern: { ...stdio, enableAllTools: true } });
    const args = { region: 'Zürich' };
    const actions = [
      { call: { server: 'modern', tool: 'test_header_parameter', args } },
      { say: '{result}' },
    ];
    const { result } = await play([{ do: actions }], { servers: { modern: proxy.url('modern') } });
    expect(result).toMatchObject({ end: 'finished', output: expect.stringContaining('Zürich') });
    const calls = callsIn(await proxy.stop());
    expect(calls).toMatchObject([{ name: 'test_header_parameter', isError: false }]);
  });

  it('go on after a call that fails', async () => {
    const { result, steps, recorded } = await playOnEverything([
      call('no-such-tool'),
      call('get-sum', { a: 'x', b: 1 }),
      { read: { server: 'everything', uri: 'demo://nothing' } },
      call('echo', { message: 'still here' }),
      { say: '{result}' },
    ]);
    expect(result).toEqual({ end: 'finished', output: 'Echo: still here' });
    const outcomes = steps.flatMap((step) => (step.kind === 'tool-result' ? [step.isError] : []));
    expect(outcomes).toEqual([true, true, true, false]);
    expect(callsIn(recorded)).toHaveLength(4);
  });

  it('hand over a long prompt with everything in it as it is', async () => {
    const odd =
      '"quotes" \'single\' $(touch /tmp/x) `id` \\n \n\r\n\t 🎉 {"a": {}} {x} $& %s\u2028';
    const prompt = odd.repeat(Math.ceil(200_000 / odd.length));
    const { result, recorded } = await playOnEverything(
      [call('echo', { message: '{prompt}' }), { say: '{result}' }],
      prompt,
    );
    expect(result.output).toBe(`Echo: ${prompt}`);
    expect(callsIn(recorded)[0]?.args?.value).toEqual({ message: prompt });
  });

  it('end with the failure that the script has', async () => {
    const { result } = await playOnEverything([
      call('echo', { message: 'lost' }),
      { say: 'Looking.' },
      { fail: 'I give up: {result}' },
      { say: 'never' },
    ]);
    expect(result).toEqual({
      end: 'failed',
      failure: { code: 'failed', message: 'I give up: Echo: lost' },
      output: 'Looking.',
    });
  });

  it('fail for a quote of something that is not there, and call nothing', async () => {
    const { result, steps, recorded } = await playOnEverything([
      call('echo', { message: 'hi' }),
      call('echo', { message: '{result.id}' }),
    ]);
    expect(result).toMatchObject({
      end: 'failed',
      failure: { message: 'The script quotes {result.id}, but the result is not JSON.' },
    });
    expect(steps).toHaveLength(2);
    expect(callsIn(recorded)).toHaveLength(1);
  });
});

describe('a server', () => {
  it('is handed the very number that it gave', async () => {
    const server = await ScriptedHttpServer.listen({
      'POST tools/call': ({ id, response }) =>
        answerJson(
          response,
          `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":{"id":12345678901234567890}}}`,
        ),
    });
    const args = { id: '{result.id}' };
    const actions = [
      { call: { server: 'one', tool: 'create' } },
      { call: { server: 'one', tool: 'delete', args } },
    ];
    const { result } = await play([{ do: actions }], { servers: { one: server.url } });
    expect(result.end).toBe('finished');
    const { body } = await server.request('POST tools/call', 2);
    expect(body).toContain('"arguments":{"id":12345678901234567890}');
    expect(server.names.at(-1)).toBe('DELETE');
  });

  it('is not connected to if nothing uses it', async () => {
    const server = await ScriptedHttpServer.listen({});
    await play([{ do: [{ say: 'done' }] }], { servers: { idle: server.url } });
    expect(server.names).toEqual([]);
  });

  it('may be unusable, which is told, and the script goes on', async () => {
    const server = await ScriptedHttpServer.listen({});
    server.close();
    const actions = [
      { call: { server: 'dead', tool: 'any' } },
      { read: { server: 'absent', uri: 'x://y' } },
      { say: 'done' },
    ];
    const { result, steps } = await play([{ do: actions }], { servers: { dead: server.url } });
    expect(result).toMatchObject({
      end: 'finished',
      output: 'done',
      unusableServers: [
        { name: 'dead', status: expect.stringContaining('ECONNREFUSED') },
        { name: 'absent', status: 'It is not one of the servers of this run.' },
      ],
    });
    expect(steps[1]).toMatchObject({ kind: 'tool-result', isError: true });
  });
});

describe('stopping', () => {
  it('ends a call that is under way, and the session', async () => {
    const server = await ScriptedHttpServer.listen({ 'POST tools/call': () => {} });
    const controller = new AbortController();
    const actions = [{ say: 'Wait.' }, { call: { server: 'slow', tool: 'any' } }, { say: 'never' }];
    const played = play([{ do: actions }], { servers: { slow: server.url }, controller });
    await server.request('POST tools/call');
    controller.abort();
    expect((await played).result).toEqual({ end: 'stopped', output: 'Wait.' });
    expect(server.names).toContain('POST notifications/cancelled');
    expect(server.names).toContain('DELETE');
  });

  it('ends a connection that is being made', async () => {
    const server = await ScriptedHttpServer.listen({ 'POST server/discover': () => {} });
    const controller = new AbortController();
    const actions = [{ call: { server: 'slow', tool: 'any' } }];
    const played = play([{ do: actions }], { servers: { slow: server.url }, controller });
    await server.request('POST server/discover');
    controller.abort();
    expect((await played).result).toEqual({ end: 'stopped', output: '' });
  });

  it('does nothing more if it came before', async () => {
    const controller = new AbortController();
    controller.abort();
    const { result, steps } = await play([{ do: [{ say: 'hi' }] }], { controller });
    expect(result).toEqual({ end: 'stopped', output: '' });
    expect(steps).toEqual([]);
  });
});

it('goes on after a connection that broke in a call, and says that the server was of no use', async () => {
  const server = await ScriptedHttpServer.listen({
    'POST tools/call': ({ response }) => void response.destroy(),
  });
  const { result } = await play([{ do: [call('echo'), { say: 'done' }] }], {
    servers: { everything: server.url },
  });
  expect(result).toMatchObject({
    end: 'finished',
    output: 'done',
    unusableServers: [
      {
        name: 'everything',
        status: expect.stringContaining('The connection to the server failed'),
      },
    ],
  });
});
