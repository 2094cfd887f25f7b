import type { IncomingMessage } from 'node:http';
import { EventStreamReader, isEventStream } from './event-stream.js';
import { LineTooLong } from './line-splitter.js';
import { maxMessageLength } from './max-message-length.js';
import { McpError } from './mcp-error.js';
import { messagesIn, type RpcMessage } from './rpc-message.js';

/** The messages in an HTTP answer, whether it is one JSON text or a stream of events. */
export class AnswerBody {
  readonly #response: IncomingMessage;
  readonly #events: EventStreamReader | undefined;

  constructor(response: IncomingMessage) {
    this.#response = response;
    this.#events = isEventStream(response.headers['content-type'])
      ? new EventStreamReader(maxMessageLength)
      : undefined;
  }

  /** Where to go on after a stream that ended too early. */
  get lastEventId(): string | undefined {
    return this.#events?.lastEventId;
  }

  /** How long the stream asked to wait before that, in milliseconds. */
  get retry(): number | undefined {
    return this.#events?.retry;
  }

  /** In order. What is not read is let go: the connection can be used again. */
  async *messages(): AsyncGenerator<RpcMessage> {
    try {
      if (this.#events) yield* this.#streamed(this.#events);
      else yield* messagesIn(await this.#text()) ?? [];
    } catch (error) {
      if (error instanceof LineTooLong) throw tooLong();
      throw error;
    } finally {
      this.#response.resume();
    }
  }

  async *#streamed(events: EventStreamReader): AsyncGenerator<RpcMessage> {
    for await (const chunk of this.#chunks()) {
      for (const { data, event } of events.push(chunk)) {
        // Servers send events without data, too, so that there is an id to come back to.
        if (event === 'message' && data !== '') yield* messagesIn(data) ?? [];
      }
    }
  }

  async #text(): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.#chunks()) {
      length += chunk.length;
      if (length > maxMessageLength) throw tooLong();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #chunks(): AsyncIterable<Buffer> {
    return this.#response.iterator({ destroyOnReturn: false });
  }
}

function tooLong(): McpError {
  const megabytes = maxMessageLength / 1024 / 1024;
  return new McpError(`The server sent a message of more than ${megabytes} MiB.`, {
    code: 'unusable',
  });
}
