import { expect, it, onTestFinished } from 'vitest';
import { event, ScriptedHttpServer, startStream } from '../../testing/scripted-http-server.js';
import type { ChannelEnd } from './channel.js';
import { openEventStreamChannel } from './event-stream-channel.js';

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
