import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../base/errors.js';
import { HttpClient } from '../base/http/http-client.js';
import { EventStreamReader, isEventStream } from './event-stream.js';
import { LineTooLongError, maxMessageLength } from './line-splitter.js';
import { type Message, readMessages } from './message.js';
import { findAnswer, findError, McpError, type RpcAnswer } from './rpc-message.js';

interface Listener {
  /** The id of the request that waits for an answer. */
  id: number;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Takes requests and notifications of the server. */
  received(message: Message): void;
}

interface Exchange extends Listener {
  body: string;
  /** The HTTP answer is there. */
  answered(response: IncomingMessage): void;
}

const accept = 'application/json, text/event-stream';

/** Milliseconds to wait before a stream is resumed, unless the stream says how long. */
const defaultRetry = 1_000;
const maxRetry = 30_000;

/** The id that no request has: what comes on the server's own stream answers none. */
const noRequest = 0;

/** Attempts to resume a stream in a row, without any new event. */
const maxReconnections = 5;

/** Sends a request, and waits for its answer however long it takes. Throws McpError. */
export async function exchange(channel: HttpChannel, request: Exchange): Promise<RpcAnswer> {
  const { signal } = request;
  try {
    return await postAndRead(channel, request);
  } catch (error) {
    throw signal.aborted ? signal.reason : unreachableError(error);
  }
}

async function postAndRead(channel: HttpChannel, request: Exchange): Promise<RpcAnswer> {
  const { headers, body, signal, answered } = request;
  const response = await channel.send({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body,
    signal,
  });
  answered(response);
  const read = await readAnswer(response, request);
  return read instanceof AnswerBody ? resumeStream(channel, request, read) : read;
}

/** Reads the server's own stream, if it has one, for as long as it can be taken up again. */
export async function listenToServer(
  channel: HttpChannel,
  listener: Omit<Listener, 'id'>,
): Promise<void> {
  const { headers, signal } = listener;
  const stream = { ...listener, id: noRequest };
  try {
    const opened = await channel.send({
      method: 'GET',
      headers: { accept: 'text/event-stream', ...headers },
      signal,
    });
    const read = await readAnswer(opened, stream);
    if (read instanceof AnswerBody) await resumeStream(channel, stream, read);
  } catch {
    // The server has no such stream or is gone, or we are.
  }
}

/** A server may end the stream before the answer, so that no connection idles (2025-11-25). */
async function resumeStream(
  channel: HttpChannel,
  listener: Listener,
  broken: AnswerBody,
): Promise<RpcAnswer> {
  const { headers, signal } = listener;
  let { lastEventId, retry } = broken;
  for (let tries = 0; lastEventId !== undefined && tries < maxReconnections; tries++) {
    await delay(Math.min(retry ?? defaultRetry, maxRetry), undefined, { signal });
    const response = await channel.send({
      method: 'GET',
      headers: { accept: 'text/event-stream', ...headers, 'last-event-id': lastEventId },
      signal,
    });
    const read = await readAnswer(response, listener);
    if (!(read instanceof AnswerBody)) return read;
    if (read.lastEventId !== undefined && read.lastEventId !== lastEventId) {
      tries = 0;
      lastEventId = read.lastEventId;
    }
    retry = read.retry ?? retry;
  }
  throw new McpError('The server ended its answer before the result.', { code: 'unusable' });
}

/** The answer; or what was there in its place. */
async function readAnswer(
  response: IncomingMessage,
  { id, received }: Listener,
): Promise<RpcAnswer | AnswerBody> {
  const { statusCode: status = 0 } = response;
  const isRefusal = status < 200 || status > 299;
  const body = new AnswerBody(response);
  for await (const message of body.messages()) {
    const answer = findAnswer(message, id) ?? (isRefusal ? findError(message) : undefined);
    if (answer) return answer;
    received(message);
  }
  if (!isRefusal) return body;
  throw new McpError(`The server answered with HTTP ${status}.`, { code: 'refused', status });
}

interface HttpRequest {
  method: 'POST' | 'GET' | 'DELETE';
  headers: OutgoingHttpHeaders;
  body?: string;
  /** When it is aborted, the request, or reading the answer, fails with its reason. */
  signal: AbortSignal;
}

/** HTTP to one address. */
export class HttpChannel {
  readonly #url: URL;
  /** Addresses are those of the recording proxy, on loopback: no proxy or certificate of an environment matters. */
  readonly #client = new HttpClient({ environment: {} });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** The answer, when its headers are there. */
  send({ method, headers, body, signal }: HttpRequest): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) throw signal.reason;
      const request = this.#client.send(this.#url, { method, headers, body });
      let response: IncomingMessage | undefined;
      const abort = () => (response ?? request).destroy(signal.reason);
      signal.addEventListener('abort', abort, { once: true });
      request.once('close', () => {
        signal.removeEventListener('abort', abort);
        // There was no error if the server wanted to go on with another protocol.
        reject(unreachableError(new Error('it was closed without an answer')));
      });
      request.on('error', (error) => reject(unreachableError(error)));
      request.once('response', (answer) => {
        response = answer;
        // The reader of the answer sees it; without a reader it does not matter.
        answer.on('error', () => {});
        resolve(answer);
      });
    });
  }

  /** Whatever is still open is gone at once. */
  close(): void {
    this.#client.close();
  }
}

/** What became of a connection, as a sentence. */
function unreachableError(error: unknown): McpError {
  if (error instanceof McpError) return error;
  const reason = errorMessage(error);
  return new McpError(`The connection to the server failed: ${reason}.`, { code: 'unreachable' });
}

/** The messages in an HTTP answer, whether it is one JSON text or a stream of events. */
class AnswerBody {
  readonly #response: IncomingMessage;
  readonly #events: EventStreamReader | undefined;

  constructor(response: IncomingMessage) {
    this.#response = response;
    this.#events = isEventStream(response.headers['content-type'])
      ? new EventStreamReader(maxMessageLength)
      : undefined;
  }

  /** The id from which to resume a stream that ended too early. */
  get lastEventId(): string | undefined {
    return this.#events?.lastEventId;
  }

  /** How long the stream asked to wait before that, in milliseconds. */
  get retry(): number | undefined {
    return this.#events?.retry;
  }

  /** In order. What is not read is let go: the connection can be used again. */
  async *messages(): AsyncGenerator<Message> {
    try {
      if (this.#events) yield* this.#streamed(this.#events);
      else yield* readMessages(await this.#text())?.list ?? [];
    } catch (error) {
      if (error instanceof LineTooLongError) throw messageTooLongError();
      throw error;
    } finally {
      this.#response.resume();
    }
  }

  async *#streamed(events: EventStreamReader): AsyncGenerator<Message> {
    for await (const chunk of this.#chunks()) {
      for (const { data, event } of events.push(chunk)) {
        // Servers send events without data, too, so that there is an id to come back to.
        if (event === 'message' && data !== '') yield* readMessages(data)?.list ?? [];
      }
    }
  }

  async #text(): Promise<string> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.#chunks()) {
      length += chunk.length;
      if (length > maxMessageLength) throw messageTooLongError();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #chunks(): AsyncIterable<Buffer> {
    return this.#response.iterator({ destroyOnReturn: false });
  }
}

function messageTooLongError(): McpError {
  const megabytes = maxMessageLength / 1024 / 1024;
  return new McpError(`The server sent a message of more than ${megabytes} MiB.`, {
    code: 'unusable',
  });
}
