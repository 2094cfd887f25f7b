import { expect, it } from 'vitest';
import type { EventSink } from '../../journal/event.js';
import { TokenCounter } from '../../tokens/token-counter.js';
import type { ChannelEvents } from '../channels/channel.js';
import { ServerLog, TrafficLog } from '../record/traffic-log.js';
import { Connection } from './connection.js';

const sink: EventSink = { write: () => 0, pressure: () => undefined, redact: (text) => text };

it('hurries a server that asks for something when its input has ended', async () => {
  const log = new ServerLog(new TrafficLog({ sink, tokens: new TokenCounter() }), 'asks');
  let server: ChannelEvents | undefined;
  let hurried = 0;
  const connection = new Connection({
    server: 'asks',
    open(events) {
      server = events;
      const nothing = () => {};
      const close = async () => {};
      return { send: nothing, pause: nothing, resume: nothing, close, hurry: () => hurried++ };
    },
    log,
    startupTimeout: 1000,
  });
  await connection.close('was stopped');
  server?.message('{"jsonrpc":"2.0","method":"notifications/message","params":{}}');
  expect(hurried).toBe(0);
  server?.message('{"jsonrpc":"2.0","id":1,"method":"roots/list"}');
  expect(hurried).toBe(1);
});
