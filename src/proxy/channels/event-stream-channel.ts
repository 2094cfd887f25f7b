import type { IncomingMessage } from 'node:http';
import type { McpServer } from '../../config/mcp-config-file.js';
import { EventStreamReader, type StreamEvent } from '../event-stream.js';
import { Upstream } from '../upstream.js';
import { type Channel, type ChannelEnd, type ChannelEvents, maxMessageLength } from './channel.js';

interface Waiting {
  text: string;
  failed: (reason: string) => void;
}

/**
 * Connects to a server of the old HTTP+SSE transport (2024-11-05): what it says comes on one
 * stream, which first tells the address that messages are posted to.
 */
export function openEventStreamChannel(
  { data }: McpServer,
  connectTimeout: number,
  events: ChannelEvents,
): Channel {
  const { url = '', headers = {} } = data;
  const upstream = new Upstream(url, headers, connectTimeout);
  /** Messages go out one after the other, so that they arrive in their order. */
  const waiting: Waiting[] = [];
  let address: string | undefined;
  let stream: IncomingMessage | undefined;
  let isPosting = false;
  let isClosed = false;

  const close = (code: ChannelEnd['code'], reason: string) => {
    if (isClosed) return;
    isClosed = true;
    opening.destroy();
    upstream.close();
    events.closed({ code, reason });
  };

  const post = () => {
    const next = address === undefined || isPosting ? undefined : waiting.shift();
    if (next === undefined || isClosed) return;
    isPosting = true;
    const posted = (problem?: string) => {
      isPosting = false;
      if (problem !== undefined) next.failed(problem);
      post();
    };
    upstream.send({
      method: 'POST',
      url: address,
      headers: { 'content-type': 'application/json' },
      body: next.text,
      answered(answer) {
        answer.resume();
        const { statusCode = 0 } = answer;
        posted(statusCode < 300 ? undefined : `answered with HTTP ${statusCode}`);
      },
      failed: (reason) => posted(reason),
    });
  };

  const take = ({ event, data: text }: StreamEvent) => {
    if (event === 'endpoint') {
      if (!isSameOrigin(text, url)) {
        close('server-http-error', 'named an address of another server to post to');
        return;
      }
      address = new URL(text, url).href;
      post();
    } else if (event === 'message') {
      events.message(text);
    } else {
      events.noise(text);
    }
  };

  const opening = upstream.send({
    method: 'GET',
    headers: { accept: 'text/event-stream' },
    answered(answer) {
      const { statusCode = 0 } = answer;
      const isStream = /^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '');
      if (statusCode === 401 || statusCode === 403) {
        close('server-unauthorized', `refused access (HTTP ${statusCode})`);
      } else if (statusCode !== 200 || !isStream) {
        close('server-http-error', `answered with HTTP ${statusCode} instead of a stream`);
      } else {
        stream = answer;
        read(answer);
      }
    },
    failed: (reason, code) => close(code, reason),
  });

  const read = (answer: IncomingMessage) => {
    const reader = new EventStreamReader(maxMessageLength);
    answer.on('error', () => {});
    answer.on('data', (chunk: Buffer) => {
      try {
        for (const event of reader.push(chunk)) take(event);
      } catch (error) {
        close('message-too-large', `sent too much at once: ${(error as Error).message}`);
      }
    });
    answer.once('close', () => close('server-exited', 'closed its stream'));
  };

  return {
    send(text, failed) {
      if (isClosed) {
        failed('is not connected');
        return;
      }
      waiting.push({ text, failed });
      post();
    },
    pause: () => stream?.pause(),
    resume: () => stream?.resume(),
    async close() {
      isClosed = true;
      opening.destroy();
      upstream.close();
    },
  };
}

/** Credentials must not follow an address that leads elsewhere. */
function isSameOrigin(address: string, url: string): boolean {
  return URL.canParse(address, url) && new URL(address, url).origin === new URL(url).origin;
}
