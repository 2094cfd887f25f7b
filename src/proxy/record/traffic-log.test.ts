import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../journal/event.js';
import type { McpCall } from '../../journal/mcp-events.js';
import { type Message, readMessage } from '../../mcp/message.js';
import { RelaySession } from '../http-relay/relay-exchange.js';
import { ServerLog, TrafficLog } from './traffic-log.js';

const secret = 'secret: "over the edge"';

/** A log whose events are kept, and whose tokens are characters. */
function recordedLog(
  count = async (texts: string[]) => texts.map(({ length }) => length) as number[] | undefined,
) {
  const events: EventBody[] = [];
  const sink = {
    write: (event: EventBody) => events.push(event),
    pressure: () => undefined,
    redact: (text: string) => text.replaceAll(secret, '[redacted:KEY]'),
  };
  const log = new TrafficLog({
    sink,
    tokens: { count, pressure: () => undefined, hurry: () => {} },
  });
  const server = new ServerLog(log, 'pets');
  const calls = async () => {
    await log.settled();
    return events
      .filter((event): event is McpCall => event.type === 'mcp-call')
      .map(({ args, result, error, startedAt, durationMs, ...rest }) => ({
        ...rest,
        ...(args && { args: args.text }),
        ...(result && { result: result.text }),
        ...(error && { error: error.text }),
      }));
  };
  return { events, log, server, calls };
}

function message(value: unknown): Message {
  const read = readMessage(typeof value === 'string' ? value : JSON.stringify(value));
  if (read === undefined) throw new Error('the test has a message that is none');
  return read;
}

const call = (params: object, id = 1) =>
  message({ jsonrpc: '2.0', id, method: 'tools/call', params });
const answer = (result: object, id = 1) => message({ jsonrpc: '2.0', id, result });
const feed = (params = {}) => call({ name: 'feed', arguments: { pet: 'cat' }, ...params });

const turnOfTheEventLoop = () => new Promise((resolve) => setImmediate(resolve));

describe('the record', () => {
  it('is made after the bytes have left, in the order in which things happened', async () => {
    const { server, events } = recordedLog();
    const request = server.request(feed(), {});
    server.warn('server-http-error', 'slow');
    request.answered(answer({}));
    expect(events).toEqual([]);
    await turnOfTheEventLoop();
    expect(events.map(({ type }) => type)).toEqual([
      'mcp-message',
      'warning',
      'mcp-message',
      'mcp-call',
    ]);
  });

  it('is complete as soon as the log is closed', () => {
    const { server, events } = recordedLog();
    server.request(message({ id: 1, method: 'ping' }), {}).answered(answer({}));
    server.close();
    expect(events.map(({ type }) => type)).toEqual(['mcp-message', 'mcp-message', 'mcp-call']);
  });

  it('has the parts of one thing together', async () => {
    const { server, events, log } = recordedLog();
    const party = {};
    log.recordSoon(() => server.message('to-agent', message({ method: 'first' }), party));
    server.message('to-agent', message({ method: 'second' }), party);
    await turnOfTheEventLoop();
    const texts = events.flatMap((event) =>
      'message' in event ? [String(JSON.stringify(event))] : [],
    );
    expect(texts.map((text) => /first|second/.exec(text)?.[0])).toEqual(['first', 'second']);
  });

  it('goes on behind something that cannot be recorded', () => {
    const { log } = recordedLog();
    const recorded: string[] = [];
    log.recordSoon(() => {
      throw new Error('cannot be recorded');
    });
    log.recordSoon(() => recorded.push('the next'));
    expect(() => log.recordNow()).toThrow('cannot be recorded');
    log.recordNow();
    expect(recorded).toEqual(['the next']);
  });

  it('has the answer of a call that is called off in the same turn, if that came first', async () => {
    const { server, calls, log } = recordedLog();
    const session = new RelaySession(server, {});
    session.sent(feed());
    await turnOfTheEventLoop();
    log.recordSoon(() => session.received(answer({ content: [] }), []));
    session.sent(message({ method: 'notifications/cancelled', params: { requestId: 1 } }));
    const [recorded] = await calls();
    expect(recorded).toMatchObject({ result: '{"content":[]}' });
    expect(recorded).not.toHaveProperty('cancelled');
  });

  it('counts the requests that have failed so far', () => {
    const { server } = recordedLog();
    server.request(feed(), {}).failed('the server is gone');
    expect(server.failures).toBe(1);
  });
});

describe('the record of calls', () => {
  it('keeps arguments and results as they were written', async () => {
    const { server, calls } = recordedLog();
    const text =
      '{"id":1,"method":"tools/call","params":{"name":"sum","arguments":{"b":1.0,"a":12345678901234567890}}}';
    server
      .request(message(text), { session: 1 })
      .answered(message('{"id":1,"result":{"z":1e2,"content":[{"type":"text","text":"four"}]}}'));
    expect(await calls()).toEqual([
      {
        type: 'mcp-call',
        server: 'pets',
        session: 1,
        call: 1,
        kind: 'tool',
        method: 'tools/call',
        name: 'sum',
        args: '{"b":1.0,"a":12345678901234567890}',
        result: '{"z":1e2,"content":[{"type":"text","text":"four"}]}',
        isError: false,
        bytes: { request: text.length, response: 69 },
        request: 1,
        response: 2,
        tokens: { args: 34, result: 4 },
      },
    ]);
  });

  it('numbers calls in order of arrival, whichever ends first', async () => {
    const { server, calls } = recordedLog();
    const first = server.request(call({ name: 'slow' }, 1), {});
    const second = server.request(call({ name: 'fast' }, 2), {});
    second.answered(answer({}, 2));
    first.answered(answer({}, 1));
    expect((await calls()).map(({ name, call: number }) => [name, number])).toEqual([
      ['fast', 2],
      ['slow', 1],
    ]);
  });

  it('records errors of a tool, of the protocol and of the way', async () => {
    const { server, calls } = recordedLog();
    server.request(feed(), {}).answered(answer({ isError: true, content: [] }));
    server.request(feed(), {}).answered(message({ id: 1, error: { code: -32602, message: 'no' } }));
    server.request(feed(), {}).failed('the server is gone');
    server.request(feed(), {}).answered(answer({ isError: false, content: [] }));
    expect((await calls()).map(({ isError, error }) => [isError, error])).toEqual([
      [true, undefined],
      [true, '{"code":-32602,"message":"no"}'],
      [true, '{"code":-32000,"message":"the server is gone"}'],
      [false, undefined],
    ]);
  });

  it('names resources by their URI and counts other requests apart', async () => {
    const { server, calls } = recordedLog();
    const read = message({ id: 1, method: 'resources/read', params: { uri: 'pet://cat' } });
    server.request(read, {}).answered(answer({ contents: [{ text: 'meow' }, { blob: 'AAAA' }] }));
    const prompt = message({ id: 1, method: 'prompts/get', params: { name: 'ask' } });
    const messages = [{ role: 'user', content: { type: 'text', text: 'why?' } }];
    server.request(prompt, {}).answered(answer({ messages }));
    server.request(message({ id: 1, method: 'tools/list' }), {}).answered(answer({ tools: [] }));
    const found = (await calls()).sort((left, right) => left.request - right.request);
    expect(found.map(({ kind, name, tokens }) => [kind, name, tokens])).toEqual([
      ['resource', 'pet://cat', { args: 0, result: 4 }],
      ['prompt', 'ask', { args: 0, result: 4 }],
      ['other', undefined, undefined],
    ]);
  });

  it('counts only the first end: a late cancellation or second answer changes nothing', async () => {
    const { server, calls } = recordedLog();
    const request = server.request(feed(), {});
    request.answered(answer({ content: [] }));
    request.cancelled();
    request.answered(answer({ isError: true }));
    request.failed('too late');
    const [only, ...others] = await calls();
    expect(only).toMatchObject({ isError: false, result: '{"content":[]}' });
    expect(only).not.toHaveProperty('cancelled');
    expect(others).toEqual([]);
  });

  it('records a call that was cancelled, and one that is cut off by the end', async () => {
    const { server, calls } = recordedLog();
    server.request(feed(), {}).cancelled();
    server.request(feed(), {});
    server.close();
    const [first, second] = await calls();
    expect(first).toMatchObject({ cancelled: true, isError: false });
    expect(second).toMatchObject({ unfinished: true, isError: false });
    expect(second).not.toHaveProperty('response');
  });

  it('says once when tokens cannot be counted', async () => {
    const { server, calls, events } = recordedLog(async () => undefined);
    server.request(feed(), {}).answered(answer({}));
    server.request(feed(), {}).answered(answer({}));
    for (const ended of await calls()) expect(ended).not.toHaveProperty('tokens');
    expect(events.filter(({ type }) => type === 'warning')).toHaveLength(1);
  });
});

describe('a call that asks for input', () => {
  const asking = (more = {}) =>
    answer({ resultType: 'input_required', inputRequests: { name: {} }, ...more });
  const given = { inputResponses: { name: { action: 'accept' } } };

  it('goes on with the request that brings the state back', async () => {
    const { server, calls } = recordedLog();
    server.request(feed(), {}).answered(asking({ requestState: 'one' }));
    server.request(feed(), {}).answered(asking({ requestState: 'two' }));
    server.request(feed({ ...given, requestState: 'two' }), {}).answered(answer({ second: true }));
    server.request(feed({ ...given, requestState: 'one' }), {}).answered(answer({ first: true }));
    const found = await calls();
    expect(found.map(({ call: number, retries, result }) => [number, retries, result])).toEqual([
      [2, 1, '{"second":true}'],
      [1, 1, '{"first":true}'],
    ]);
  });

  it('is found by its arguments and the input that was asked for if there is no state', async () => {
    const { server, calls } = recordedLog();
    server.request(feed(), {}).answered(asking());
    const dog = { name: 'feed', arguments: { pet: 'dog' } };
    server.request(call({ ...dog, ...given }), {}).answered(answer({ other: true }));
    server.request(feed({ inputResponses: { age: {} } }), {}).answered(answer({ wrong: true }));
    server.request(feed(given), {}).answered(answer({ right: true }));
    const found = await calls();
    expect(found.map(({ call: number, retries, result }) => [number, retries, result])).toEqual([
      [2, undefined, '{"other":true}'],
      [3, undefined, '{"wrong":true}'],
      [1, 1, '{"right":true}'],
    ]);
  });

  it('adds up the bytes of every round, and points to the first request and the last answer', async () => {
    const { server, calls } = recordedLog();
    const first = feed();
    const second = feed(given);
    const last = answer({});
    server.request(first, {}).answered(asking());
    server.request(second, {}).answered(last);
    const [found] = await calls();
    expect(found).toMatchObject({ request: 1, response: 4 });
    expect(found?.bytes).toEqual({
      request: first.text.length + second.text.length,
      response: asking().text.length + last.text.length,
    });
  });

  it('is unfinished if the agent never comes back', async () => {
    const { server, calls } = recordedLog();
    server.request(feed(), {}).answered(asking());
    server.close();
    expect(await calls()).toMatchObject([{ unfinished: true, isError: false }]);
  });
});

describe('a call that was answered with a task', () => {
  const modern = feed({ _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } });
  const about = (method: string) => message({ id: 2, method, params: { taskId: 't1' } });

  it.each([
    [
      'revision 2025-11-25',
      { task: { taskId: 't1', status: 'working' } },
      'tasks/result',
      { content: [] },
    ],
    [
      'the extension for 2026-07-28',
      { resultType: 'task', taskId: 't1', status: 'working' },
      'tasks/get',
      { taskId: 't1', status: 'completed', result: { content: [] } },
    ],
  ])('gets the result of the task: %s', async (_, handle, method, final) => {
    const { server, calls } = recordedLog();
    server.request('task' in handle ? feed({ task: {} }) : modern, {}).answered(answer(handle));
    server.request(about('tasks/get'), {}).answered(answer({ taskId: 't1', status: 'working' }, 2));
    server.request(about(method), {}).answered(answer(final, 2));
    const [found] = (await calls()).filter(({ kind }) => kind === 'tool');
    expect(found).toMatchObject({ task: 't1', isError: false, result: '{"content":[]}' });
  });

  it('gets the error of the task', async () => {
    const { server, calls } = recordedLog();
    const failed = { taskId: 't1', status: 'failed', error: { code: 1, message: 'sick' } };
    server.request(modern, {}).answered(answer({ resultType: 'task', taskId: 't1' }));
    server.request(about('tasks/get'), {}).answered(answer(failed, 2));
    const [found] = (await calls()).filter(({ kind }) => kind === 'tool');
    expect(found).toMatchObject({ isError: true, error: '{"code":1,"message":"sick"}' });
  });

  it('gets the reason of a failure that the agent does not ask on about, else the result', async () => {
    const { server, calls } = recordedLog();
    const failed = answer({ taskId: 't1', status: 'failed', statusMessage: 'sick' }, 2);
    server.request(feed({ task: {} }), {}).answered(answer({ task: { taskId: 't1' } }));
    server.request(about('tasks/get'), {}).answered(failed);
    server.request(feed({ task: {} }), {}).answered(answer({ task: { taskId: 't2' } }));
    server
      .request(message({ id: 2, method: 'tasks/get', params: { taskId: 't2' } }), {})
      .answered(failed);
    server
      .request(message({ id: 2, method: 'tasks/result', params: { taskId: 't2' } }), {})
      .answered(answer({ isError: true, content: [] }, 2));
    server.close();
    const found = (await calls()).filter(({ kind }) => kind === 'tool');
    expect(found).toMatchObject([
      { task: 't2', isError: true, result: '{"isError":true,"content":[]}' },
      { task: 't1', isError: true, error: '{"code":-32000,"message":"sick"}' },
    ]);
    expect(found[1]).not.toHaveProperty('unfinished');
  });

  it('is an ordinary call if it did not ask for a task', async () => {
    const { server, calls } = recordedLog();
    server.request(feed(), {}).answered(answer({ task: { taskId: 't1' } }));
    const [found] = await calls();
    expect(found).toMatchObject({ result: '{"task":{"taskId":"t1"}}' });
    expect(found).not.toHaveProperty('task');
  });

  it('is cancelled with the task', async () => {
    const { server, calls } = recordedLog();
    server.request(feed({ task: {} }), {}).answered(answer({ task: { taskId: 't1' } }));
    const cancelled = answer({ taskId: 't1', status: 'cancelled' }, 2);
    server.request(about('tasks/cancel'), {}).answered(cancelled);
    const [found] = (await calls()).filter(({ kind }) => kind === 'tool');
    expect(found).toMatchObject({ cancelled: true, task: 't1' });
  });

  it('is unfinished, with the handle as its result, if the agent does not fetch it', async () => {
    const { server, calls } = recordedLog();
    server.request(feed({ task: {} }), {}).answered(answer({ task: { taskId: 't1' } }));
    server.close();
    const result = '{"task":{"taskId":"t1"}}';
    expect(await calls()).toMatchObject([{ unfinished: true, task: 't1', result }]);
  });
});

describe('calls that wait', () => {
  it('are given up when there are too many: the oldest first', async () => {
    const { server, calls } = recordedLog();
    for (let id = 1; id <= 1001; id++) {
      server
        .request(call({ name: `task-${id}`, task: {} }), {})
        .answered(answer({ task: { taskId: `${id}` } }));
    }
    expect(await calls()).toMatchObject([{ name: 'task-1', unfinished: true }]);
  });

  it('are given up when their answers are too long together, without those of calls that have ended', async () => {
    const { server, calls } = recordedLog();
    const note = 'x'.repeat(20 * 1024 * 1024);
    const begin = (id: string) =>
      server
        .request(call({ name: id, task: {} }), {})
        .answered(answer({ task: { taskId: id }, note }));
    begin('ended');
    server
      .request(message({ id: 2, method: 'tasks/result', params: { taskId: 'ended' } }), {})
      .answered(answer({ content: [] }, 2));
    begin('first');
    const found = async () => (await calls()).filter(({ kind }) => kind === 'tool');
    expect(await found()).toMatchObject([{ name: 'ended', result: '{"content":[]}' }]);
    begin('second');
    const [, ...givenUp] = await found();
    expect(givenUp).toMatchObject([{ name: 'first', unfinished: true }]);
  });
});

describe('a call that is blocked', () => {
  it('is recorded with the answer that the agent got, and marked as held', async () => {
    const { server, calls, events } = recordedLog();
    server.blocked(feed(), answer({ isError: true }).text, { session: 1 });
    expect(await calls()).toMatchObject([
      { blocked: true, isError: true, request: 1, response: 2 },
    ]);
    expect(events[0]).toMatchObject({ type: 'mcp-message', held: true });
  });

  it('has no answer if it was no request', async () => {
    const { server, calls } = recordedLog();
    const notification = message({ method: 'tools/call', params: { name: 'feed' } });
    server.blocked(notification, answer({ isError: true }).text, {});
    const [found] = await calls();
    expect(found).toMatchObject({ blocked: true, name: 'feed' });
    expect(found).not.toHaveProperty('response');
  });
});

describe('warnings', () => {
  it('are counted rather than repeated without end', () => {
    const { server, events } = recordedLog();
    for (let time = 0; time < 50; time++) server.warn('server-output-not-json', 'noise', 'x');
    server.close();
    expect(events).toHaveLength(21);
    expect(events.at(-1)).toMatchObject({ message: '30 more of these were left out' });
  });

  it('lose their secrets before they are cut: no half of one is left', async () => {
    const { server, events, log } = recordedLog();
    const filler = 'x'.repeat(3985);
    server.warn('server-http-error', 'a page', `${filler}${secret} and ${filler}`);
    server.warn('server-exited', 'gone', { endOf: `${filler} and ${secret}${filler}` });
    await log.settled();
    expect(events).toMatchObject([
      { details: `${filler}[redacted:KEY] ...` },
      { details: `... [redacted:KEY]${filler}` },
    ]);
  });
});
