import type { IncomingMessage } from 'node:http';
import { isOnlyInTaskRun, type McpServer } from '../../config/files/mcp-config-file.js';
import { EventStreamReader, isEventStream, type StreamEvent } from '../../mcp/event-stream.js';
import { LineTooLongError, maxMessageLength } from '../../mcp/line-splitter.js';
import { Upstream } from '../upstream.js';
import type { Channel, ChannelEnd, ChannelEvents } from './channel.js';

/**
 * Connects to a server of the old HTTP+SSE transport (2024-11-05): what it says comes on one
 * stream, whose first event is the address that messages are posted to.
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

interface Waiting {
  text: string;
  failed: (reason: string) => void;
}

/** Characters that may wait: a server that takes nothing must not fill our memory. */
const maxQueuedLength = 64 * 1024 * 1024;

/**
 * Posts messages in their order. The next one leaves when the one before has left, not when it is
 * answered: some servers answer when the work is done, and may need another message meanwhile.
 */
export class PostQueue {
  readonly #upstream: Upstream;
  readonly #waiting: Waiting[] = [];
  /** Characters that have not left. */
  #length = 0;
  #address: string | undefined;
  #isLeaving = false;
  #isClosed = false;

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** Takes the address to post to, which is known from now on. */
  open(address: string): void {
    this.#address = address;
    this.#next();
  }

  add(text: string, failed: (reason: string) => void): void {
    if (this.#length > maxQueuedLength) {
      failed('does not take its input');
      return;
    }
    this.#length += text.length;
    this.#waiting.push({ text, failed });
    this.#next();
  }

  close(): void {
    this.#isClosed = true;
    this.#waiting.length = 0;
  }

  #next(): void {
    if (this.#address === undefined || this.#isLeaving || this.#isClosed) return;
    const next = this.#waiting.shift();
    if (next === undefined) return;
    const { text, failed } = next;
    this.#isLeaving = true;
    let hasLeft = false;
    // Whatever comes first: an answer may come before all of the request has left.
    const left = () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#isLeaving = false;
      this.#length -= text.length;
      this.#next();
    };
    this.#upstream.send({
      method: 'POST',
      url: this.#address,
      headers: { 'content-type': 'application/json' },
      body: text,
      sent: left,
      answered(answer) {
        answer.resume();
        const { statusCode = 0 } = answer;
        if (statusCode >= 300) failed(`answered with HTTP ${statusCode}`);
        left();
      },
      failed(reason) {
        failed(reason);
        left();
      },
    });
  }
}
