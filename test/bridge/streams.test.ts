import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { answerJson, echo, event, startStream } from '../../testing/scripted-http-server.js';
import type { BridgeProcess } from '../support/bridge-process.js';
import {
  answer,
  bridgeTo,
  call,
  initialize,
  initialized,
  note,
} from '../support/scripted-bridge.js';

/**
 * Sends lines that are answered at once: everything before them has been read, and there was time
 * for ten rounds between the processes to send what should not be sent yet.
 */
async function readSoFar(bridge: BridgeProcess): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    bridge.send('no JSON');
    expect(await bridge.message()).toMatchObject({ error: { code: -32700 } });
  }
}

describe('order', () => {
  it('sends nothing before initialize is answered and initialized is accepted', async () => {
    const { server, bridge } = await bridgeTo({
      'POST initialize': () => {},
      'POST notifications/initialized': () => {},
      'POST tools/list': echo,
    });
    bridge.send(initialize, initialized, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const first = await server.request('POST initialize');
    await readSoFar(bridge);
    expect(server.names).toEqual(['POST initialize']);
    first.response.setHeader('mcp-session-id', 'session-1');
    answerJson(first.response, {
      jsonrpc: '2.0',
      id: 0,
      result: { protocolVersion: '2025-06-18' },
    });
    expect((await bridge.message()).id).toBe(0);

    const second = await server.request('POST notifications/initialized');
    await readSoFar(bridge);
    expect(server.names).toEqual(['POST initialize', 'POST notifications/initialized']);
    second.response.writeHead(202).end();
    expect((await bridge.message()).id).toBe(1);

    const session = { 'mcp-session-id': 'session-1', 'mcp-protocol-version': '2025-06-18' };
    expect(first.headers['mcp-session-id']).toBeUndefined();
    expect(first.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    });
    expect((await server.request('POST tools/list')).headers).toMatchObject(session);
    expect((await server.request('GET')).headers).toMatchObject(session);
    expect(await bridge.end()).toEqual({ exitCode: 0, signal: null });
    expect((await server.request('DELETE')).headers).toMatchObject(session);
  });

  it('sends nothing before a notification is accepted', async () => {
    const { server, bridge } = await bridgeTo({ 'POST notifications/x': () => {}, others: echo });
    bridge.send({ jsonrpc: '2.0', method: 'notifications/x' }, call);
    const { response } = await server.request('POST notifications/x');
    await readSoFar(bridge);
    expect(server.names).toEqual(['POST notifications/x']);
    response.writeHead(202).end();
    expect((await bridge.message()).id).toBe(1);
  });

  it('lets other requests pass a long one, and cancels in words', async () => {
    const { server, bridge } = await bridgeTo({
      'POST tools/call': ({ response }) => startStream(response).write(event(note('working'))),
      'POST ping': echo,
      'POST notifications/cancelled': ({ response }) => response.writeHead(202).end(),
    });
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 1 } };
    bridge.send(initialize, initialized, call);
    await bridge.message();
    expect(await bridge.message()).toEqual(note('working'));
    bridge.send({ jsonrpc: '2.0', ...cancelled }, { jsonrpc: '2.0', id: 2, method: 'ping' });
    expect((await bridge.message()).id).toBe(2);
    expect(server.names.slice(-2)).toEqual(['POST notifications/cancelled', 'POST ping']);
    // Nobody waits for its answer any more.
    (await server.request('POST tools/call')).response.end();
    await readSoFar(bridge);
  });
});

describe("a request's stream that breaks off", () => {
  it.each([
    ['is cut', 'the stream broke off before the answer: aborted'],
    ['ends', 'the stream ended before the answer'],
  ])('without event ids is an error when it %s', async (how, message) => {
    const { bridge } = await bridgeTo({
      'POST tools/call': ({ response }) => {
        startStream(response).write(event(note('one')), () => {
          if (how === 'ends') response.end();
          else response.destroy();
        });
      },
    });
    bridge.send(call);
    expect(await bridge.message()).toEqual(note('one'));
    const error = { code: -32000, message };
    expect(await bridge.message()).toEqual({ jsonrpc: '2.0', id: 1, error });
  });

  it('with event ids is taken up again, and nothing comes twice', async () => {
    const { server, bridge } = await bridgeTo({
      'POST tools/call': ({ response }) => {
        startStream(response).write(`id: 0\nretry: 1\ndata:\n\n${event(note('one'), 'é-1')}`, () =>
          // Half an event was never received.
          response.write('id: 2\ndata: {"jsonrpc"', () => response.destroy()),
        );
      },
      GET: ({ response, headers }) => {
        if (headers['last-event-id'] === undefined) response.writeHead(405).end();
        else if (server.names.filter((name) => name === 'GET').length === 2) response.destroy();
        // Stays open: the answer is all that was wanted.
        else startStream(response).write(event(note('one'), 'é-1') + event(answer, '2'));
      },
    });
    bridge.send(initialize, initialized);
    await bridge.message();
    await server.request('GET');
    bridge.send(call);
    expect(await bridge.message()).toEqual(note('one'));
    expect(await bridge.message()).toEqual(answer);
    const { headers, response } = await server.request('GET', 3);
    expect(Buffer.from(headers['last-event-id'] as string, 'latin1').toString()).toBe('é-1');
    expect(headers['mcp-session-id']).toBe('session-1');
    if (!response.closed) await once(response, 'close');
  });

  it('and cannot be taken up again is an error', async () => {
    const { server, bridge } = await bridgeTo({
      'POST tools/call': ({ response }) => {
        startStream(response).end(`retry: 1\n${event(note('one'), '1')}`);
      },
    });
    bridge.send(call);
    await bridge.message();
    const message = `the stream ended before the answer: HTTP 405 from ${server.origin}`;
    expect(await bridge.message()).toMatchObject({ id: 1, error: { code: -32000, message } });
  });
});

describe("the server's own stream", () => {
  it('is come back to with the last event id, and nothing comes twice', async () => {
    const { server, bridge } = await bridgeTo({
      GET: ({ response, headers }) => {
        const isBack = headers['last-event-id'] !== undefined;
        startStream(response).write(`retry: 1\n\n${event(note('one'), 'a')}`);
        if (isBack) response.write(event(note('two'), 'b'));
        else response.end();
      },
    });
    bridge.send(initialize, initialized);
    await bridge.message();
    expect(await bridge.message()).toEqual(note('one'));
    expect(await bridge.message()).toEqual(note('two'));
    expect((await server.request('GET', 2)).headers['last-event-id']).toBe('a');
    expect(await bridge.end()).toEqual({ exitCode: 0, signal: null });
    expect(server.names.at(-1)).toBe('DELETE');
  });
});
