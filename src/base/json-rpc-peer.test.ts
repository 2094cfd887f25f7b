import { expect, test } from 'vitest';
import { AnsweredError, JsonRpcPeer } from './json-rpc-peer.js';

function peer() {
  const sent: string[] = [];
  const heard: string[] = [];
  const spoken = new JsonRpcPeer((line) => sent.push(line), {
    answer: () => undefined,
    notified: (method) => heard.push(`notified ${method}`),
    noise: (line) => heard.push(`noise ${line}`),
    stray: (line) => heard.push(`stray ${line}`),
  });
  const answer = (id: unknown, more: object) =>
    spoken.take(JSON.stringify({ jsonrpc: '2.0', id, ...more }));
  return { peer: spoken, sent, heard, answer };
}

test('requests are numbered from 1, and answered in any order', async () => {
  const { peer: asking, sent, answer } = peer();
  const first = asking.request('a', {});
  const second = asking.request('b', { x: 1 });
  expect(sent).toEqual([
    '{"jsonrpc":"2.0","id":1,"method":"a","params":{}}\n',
    '{"jsonrpc":"2.0","id":2,"method":"b","params":{"x":1}}\n',
  ]);
  answer(2, { result: 'two' });
  answer(1, { error: { code: 5, message: 'no', data: [1] } });
  expect(await second).toBe('two');
  const error = await first.catch((reason) => reason);
  expect(error).toBeInstanceOf(AnsweredError);
  expect(error).toMatchObject({ code: 5, message: 'no', data: [1] });
});

test('an abandoned request rejects at once, and its late answer is ignored', async () => {
  const { peer: asking, heard, answer } = peer();
  const controller = new AbortController();
  const abandoned = asking.request('a', {}, controller.signal);
  const other = asking.request('b', {});
  controller.abort(new Error('time is up'));
  await expect(abandoned).rejects.toThrow('time is up');
  answer(1, { result: 'late' });
  answer(2, { result: 'in time' });
  expect(await other).toBe('in time');
  expect(heard).toEqual([]);
});

test('what is abandoned before it was asked is not asked', async () => {
  const { peer: asking, sent } = peer();
  const signal = AbortSignal.abort(new Error('too late'));
  await expect(asking.request('a', {}, signal)).rejects.toThrow('too late');
  expect(sent).toEqual([]);
});

test('distinguishes answers to no request from lines that are no messages', () => {
  const { peer: asking, heard, answer } = peer();
  answer('1', { result: {} });
  answer(7, { result: {} });
  answer(null, { error: { code: -32700, message: 'parse error' } });
  asking.take('Welcome!');
  asking.take('{"jsonrpc":');
  asking.take('');
  asking.take('{"jsonrpc":"2.0","method":"log"}');
  expect(heard).toEqual([
    'stray {"jsonrpc":"2.0","id":"1","result":{}}',
    'stray {"jsonrpc":"2.0","id":7,"result":{}}',
    'stray {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}',
    'noise Welcome!',
    'noise {"jsonrpc":',
    'notified log',
  ]);
});

test('closing rejects every pending request with the reason, and nothing is sent after it', async () => {
  const { peer: asking, sent, heard } = peer();
  const waiting = asking.request('a', {});
  asking.close(new Error('it has left'));
  await expect(waiting).rejects.toThrow('it has left');
  await expect(asking.request('b', {})).rejects.toThrow('it has left');
  asking.notify('c', {});
  asking.take('{"jsonrpc":"2.0","method":"log"}');
  expect(sent).toHaveLength(1);
  expect(heard).toEqual([]);
});
