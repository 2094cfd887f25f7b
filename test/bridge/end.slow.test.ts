import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { answerJson, event, startStream } from '../../testing/scripted-http-server.js';
import {
  answer,
  bridgeTo,
  call,
  initialize,
  initialized,
  note,
} from '../support/scripted-bridge.js';

describe('the end', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    '%s ends the session and exits with 0',
    async (signal) => {
      const { server, bridge } = await bridgeTo({ 'POST tools/call': () => {} });
      bridge.send(initialize, initialized, call);
      await bridge.message();
      await server.request('POST tools/call');
      bridge.child.kill(signal);
      expect(await bridge.exit).toEqual({ exitCode: 0, signal: null });
      expect(server.names.at(-1)).toBe('DELETE');
      expect(bridge.stderr).toBe('');
    },
  );

  it('comes also when initialize was never answered, and when the server ignores DELETE', async () => {
    const silent = await bridgeTo({ 'POST initialize': () => {} });
    silent.bridge.send(initialize, initialized);
    await silent.server.request('POST initialize');
    silent.bridge.child.stdin.end();
    // Said, so that nobody takes nothing for an answer.
    expect(await silent.bridge.message()).toMatchObject({
      id: 0,
      error: { message: 'no answer within 10 s after the end of the input' },
    });
    expect(await silent.bridge.exit).toEqual({ exitCode: 0, signal: null });

    const stubborn = await bridgeTo({ DELETE: () => {} });
    stubborn.bridge.send(initialize);
    await stubborn.bridge.message();
    expect(await stubborn.bridge.end()).toEqual({ exitCode: 0, signal: null });
  });

  it('comes after the answers to what was read, when the input ends at once', async () => {
    const { server, bridge } = await bridgeTo({ 'POST tools/call': () => {} });
    bridge.send(initialize, initialized, call);
    bridge.child.stdin.end();
    expect(await bridge.message()).toMatchObject({ id: 0, result: {} });
    const { response } = await server.request('POST tools/call');
    answerJson(response, answer);
    expect(await bridge.message()).toEqual(answer);
    expect(await bridge.exit).toEqual({ exitCode: 0, signal: null });
    expect(server.names.at(-1)).toBe('DELETE');
  });

  it('comes after the answers to everything in flight, and a last line without an end', async () => {
    const { server, bridge } = await bridgeTo({ 'POST tools/call': () => {} });
    bridge.send(initialize, initialized, { ...call, id: 'a' }, { ...call, id: 'b' });
    bridge.child.stdin.end(JSON.stringify({ ...call, id: 'c' }));
    expect(await bridge.message()).toMatchObject({ id: 0 });
    const requests = await Promise.all([1, 2, 3].map((n) => server.request('POST tools/call', n)));
    for (const { id, response } of requests.reverse()) {
      answerJson(response, { ...answer, id });
      expect(await bridge.message()).toEqual({ ...answer, id });
    }
    expect(requests.map(({ id }) => id).sort()).toEqual(['a', 'b', 'c']);
    expect(await bridge.exit).toEqual({ exitCode: 0, signal: null });
  });

  it('comes at once with Ctrl-C, also while the last answers are awaited', async () => {
    const { server, bridge } = await bridgeTo({ 'POST tools/call': () => {} });
    bridge.send(initialize, call);
    bridge.child.stdin.end();
    expect(await bridge.message()).toMatchObject({ id: 0 });
    await server.request('POST tools/call');
    bridge.child.kill('SIGINT');
    expect(await bridge.exit).toEqual({ exitCode: 0, signal: null });
    await expect(bridge.line()).rejects.toThrow('the output has ended');
  });

  it('comes when nobody reads the output any more', async () => {
    const { server, bridge } = await bridgeTo({ 'POST tools/call': () => {} });
    bridge.send(initialize, call);
    await bridge.message();
    const { response } = await server.request('POST tools/call');
    bridge.child.stdout.destroy();
    await once(bridge.child.stdout, 'close');
    answerJson(response, answer);
    expect(await bridge.exit).toEqual({ exitCode: 0, signal: null });
    expect(server.names.at(-1)).toBe('DELETE');
  });
});

it('a reader that is slow slows the server down', async () => {
  const megabyte = event(note('x'.repeat(2 ** 20)));
  const total = 96;
  let sent = 0;
  const { bridge } = await bridgeTo({
    'POST tools/call': async ({ response }) => {
      startStream(response);
      for (; sent < total; sent += 1) {
        if (!response.write(megabyte)) await once(response, 'drain');
      }
      response.end(event(answer));
    },
  });
  bridge.send(call);
  let furthest = 0;
  for (let read = 0; read < total; read += 1) {
    expect((await bridge.message()).method).toBe('notifications/message');
    await nextTurn();
    furthest = Math.max(furthest, sent - read);
  }
  expect(await bridge.message()).toEqual(answer);
  // What sockets and pipes hold on their way; everything, if the bridge did not wait.
  expect(furthest).toBeLessThan(total / 3);
});
