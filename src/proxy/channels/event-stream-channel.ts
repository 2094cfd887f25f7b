import type { IncomingMessage } from 'node:http';
import { isOnlyInTaskRun, type McpServer } from '../../config/files/mcp-config-file.js';
import { EventStreamReader, isEventStream, type StreamEvent } from '../../mcp/event-stream.js';
import { LineTooLongError, maxMessageLength } from '../../mcp/line-splitter.js';
import { Upstream } from '../upstream.js';
import type { Channel, ChannelEnd, ChannelEvents } from './channel.js';
import { PostQueue } from './post-queue.js';

/**
 * Connects to a server of the old HTTP+SSE transport (2024-11-05): what it says comes on one
 * stream, which first tells the address that messages are posted to.
 */
export function openEventStreamChannel(
  server: McpServer,
  environment: NodeJS.ProcessEnv,
  connectTimeout: number,
  events: ChannelEvents,
): Channel {
  const { url = '', headers = {} } = server.data;
  const isStarting = isOnlyInTaskRun(server);
  const upstream = new Upstream({
    url,
    headers,
    environment,
    connectTimeout,
    followsRedirects: true,
    isStarting,
  });
  const posts = new PostQueue(upstream);
  let stream: IncomingMessage | undefined;
  let isClosed = false;

  const end = () => {
    isClosed = true;
    posts.close();
    opening.destroy();
    upstream.close();
  };
  const close = (code: ChannelEnd['code'], reason: string) => {
    if (isClosed) return;
    end();
    events.closed({ code, reason });
  };

  const take = ({ event, data: text }: StreamEvent) => {
    if (isClosed) return;
    if (event === 'endpoint') {
      if (isSameOrigin(text, url)) posts.open(new URL(text, url).href);
      else close('server-http-error', 'named an address of another server to post to');
    } else if (event === 'message') {
      events.message(text);
    } else {
      events.noise(text);
    }
  };

  const read = (answer: IncomingMessage) => {
    const reader = new EventStreamReader(maxMessageLength);
    answer.on('error', () => {});
    answer.on('data', (chunk: Buffer) => {
      try {
        for (const event of reader.push(chunk)) take(event);
      } catch (error) {
        // Whatever it is, it must not end the proxy: others go on with their servers.
        const { message } = error as Error;
        if (error instanceof LineTooLongError) {
          close('message-too-large', `sent too much at once: ${message}`);
        } else {
          close('server-http-error', `sent something that could not be handled: ${message}`);
        }
      }
    });
    answer.once('close', () => close('server-exited', 'closed its stream'));
  };

  const opening = upstream.send({
    method: 'GET',
    headers: { accept: 'text/event-stream' },
    answered(answer) {
      const { statusCode = 0 } = answer;
      if (statusCode === 401 || statusCode === 403) {
        close('server-unauthorized', `refused access (HTTP ${statusCode})`);
      } else if (statusCode !== 200 || !isEventStream(answer.headers['content-type'])) {
        close('server-http-error', `answered with HTTP ${statusCode} instead of a stream`);
      } else {
        stream = answer;
        read(answer);
      }
    },
    failed: (reason, code) => close(code, reason),
  });

  return {
    send(text, failed) {
      if (isClosed) failed('is not connected');
      else posts.add(text, failed);
    },
    pause: () => stream?.pause(),
    resume: () => stream?.resume(),
    async close() {
      end();
    },
  };
}

/** Credentials must not follow an address that leads elsewhere. */
function isSameOrigin(address: string, url: string): boolean {
  return URL.canParse(address, url) && new URL(address, url).origin === new URL(url).origin;
}
