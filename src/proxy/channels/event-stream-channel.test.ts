import { expect, it, onTestFinished } from 'vitest';
import {
  echo,
  event,
  ScriptedHttpServer,
  startStream,
} from '../../../testing/scripted-http-server.js';
import { Upstream } from '../upstream.js';
import type { ChannelEnd } from './channel.js';
import { openEventStreamChannel, PostQueue } from './event-stream-channel.js';

/** How a channel to a server ends that says this, for one who reads it. */
async function endOf(said: string, message: (text: string) => void): Promise<ChannelEnd> {
  const server = await ScriptedHttpServer.listen({
    GET: ({ response }) => startStream(response).write(said),
  });
  return new Promise((resolve) => {
    const data = { url: server.url, headers: {} };
    const events = { message, noise: () => {}, closed: resolve };
    const channel = openEventStreamChannel(
      { name: 'old', transport: 'sse', data },
      {},
      10_000,
      events,
    );
    onTestFinished(() => channel.close());
  });
}

it('a message that cannot be handled ends the channel, and nothing else', async () => {
  const taken: string[] = [];
  const said = event('one') + event('two');
  const end = await endOf(said, (text) => {
    taken.push(text);
    throw new Error('no idea');
  });
  expect(end).toEqual({
    code: 'server-http-error',
    reason: 'sent something that could not be handled: no idea',
  });
  expect(taken).toEqual(['"one"']);
});

it('an address of another server is not posted to', async () => {
  const said = `event: endpoint\ndata: http://127.0.0.1:9/\n\n${event('one')}`;
  const end = await endOf(said, () => expect.fail('it is closed'));
  expect(end).toEqual({
    code: 'server-http-error',
    reason: 'named an address of another server to post to',
  });
});

const mebibyte = 1024 * 1024;

async function queueTo(script: Parameters<typeof ScriptedHttpServer.listen>[0]) {
  const server = await ScriptedHttpServer.listen(script);
  const upstream = new Upstream({ url: server.url, environment: {}, connectTimeout: 10_000 });
  onTestFinished(() => upstream.close());
  return { server, queue: new PostQueue(upstream) };
}

it('PostQueue keeps a bounded amount for a server that does not take it', async () => {
  const { server, queue } = await queueTo({ others: echo });
  const failures: string[] = [];
  const failed = (reason: string) => void failures.push(reason);
  const messageOf = (method: string, params = '') => JSON.stringify({ method, params });
  queue.add(messageOf('large', ' '.repeat(64 * mebibyte - 100)), failed);
  queue.add(messageOf('last', ' '.repeat(100)), failed);
  queue.add(messageOf('refused'), failed);
  expect(failures).toEqual(['does not take its input']);
  queue.open(server.url);
  // It leaves after the large one has left, and then there is room again.
  await server.request('POST last');
  queue.add(messageOf('next'), failed);
  await server.request('POST next');
  await server.request('POST large');
  expect(failures).toHaveLength(1);
  // The large one has left first, but takes longer to arrive on its own connection.
  expect(new Set(server.names)).toEqual(new Set(['POST large', 'POST last', 'POST next']));
});

it('PostQueue sends messages in order without waiting for answers, and reports every refusal', async () => {
  const { server, queue } = await queueTo({
    'POST held': () => {},
    'POST refused': ({ response }) => response.writeHead(400).end(),
  });
  queue.open(server.url);
  const refused = new Promise((resolve) => {
    queue.add('{"method":"held"}', resolve);
    queue.add('{"method":"refused"}', resolve);
  });
  expect(await refused).toBe('answered with HTTP 400');
  expect(server.names).toEqual(['POST held', 'POST refused']);
});
