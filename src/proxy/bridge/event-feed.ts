import type { IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { EventStreamReader, isEventStream, type StreamEvent } from '../../mcp/event-stream.js';
import { maxMessageLength } from '../../mcp/line-splitter.js';
import {
  type BridgeContext,
  BridgeError,
  callServer,
  describeFailure,
  describeReason,
  makeHttpError,
  readResponseBody,
} from './server-call.js';

/** Attempts in a row that brought no useful stream, before giving up. */
const maxFailures = 10;

const firstPause = 1_000;
const longestPause = 30_000;

/** The longest that a timer can wait. */
const maxTimer = 2 ** 31 - 1;

/** A stream of the server's messages that can be taken up again where it broke off. */
export class EventFeed {
  /** The id of the last event that arrived complete. */
  lastEventId: string | undefined;
  readonly #connection: BridgeContext;
  /** How long the server wants to be left alone before we come back, in milliseconds. */
  #retry: number | undefined;
  #hasNews = false;

  constructor(connection: BridgeContext) {
    this.#connection = connection;
  }

  /** Passes on what comes, to the end. Returns why it broke off, if it did. */
  async read(response: IncomingMessage): Promise<string | undefined> {
    const isResumed = this.lastEventId !== undefined;
    const reader = new EventStreamReader(maxMessageLength);
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        for (const event of reader.push(chunk)) await this.#take(event, isResumed);
        this.#retry = reader.retry ?? this.#retry;
      }
      return undefined;
    } catch (error) {
      return describeReason(error);
    }
  }

  /**
   * Opens the stream, and opens it again after every break for as long as it is wanted. Returns why
   * there is no more to come, if there should have been. Throws when the signal is aborted.
   */
  async follow(isWanted: () => boolean, signal: AbortSignal): Promise<BridgeError | undefined> {
    let failure: BridgeError | undefined;
    let isBack = this.lastEventId !== undefined;
    for (let failures = 0; failures < maxFailures && isWanted(); ) {
      if (isBack) await delay(this.#pause(failures), undefined, { signal });
      isBack = true;
      const opened = performance.now();
      this.#hasNews = false;
      failure = await this.#open(signal);
      signal.throwIfAborted();
      if (failure instanceof StreamRefusedError) return failure;
      const stood = performance.now() - opened >= longestPause;
      failures = this.#hasNews || stood ? 0 : failures + 1;
    }
    return isWanted() ? failure : undefined;
  }

  async #open(signal: AbortSignal): Promise<BridgeError> {
    const { address, session } = this.#connection;
    const headers = {
      accept: 'text/event-stream',
      ...session.headers(),
      ...(this.lastEventId !== undefined && {
        'last-event-id': encodeHeaderText(this.lastEventId),
      }),
    };
    try {
      const response = await callServer(this.#connection, 'GET', { headers, signal }).response;
      const { statusCode = 0 } = response;
      if (statusCode === 200 && !isEventStream(response.headers['content-type'])) {
        response.destroy();
        return new StreamRefusedError(`${address.origin} answered, but not with a stream`);
      }
      if (statusCode !== 200) {
        const failure = makeHttpError(response, await readResponseBody(response), address);
        return statusCode >= 500 ? failure : new StreamRefusedError(failure.message);
      }
      const reason = await this.read(response);
      return new BridgeError(`the stream broke off: ${reason ?? 'the server ended it'}`);
    } catch (error) {
      return new BridgeError(describeFailure(error, address));
    }
  }

  async #take(event: StreamEvent, isResumed: boolean): Promise<void> {
    this.#hasNews = true;
    if (event.id) this.lastEventId = event.id;
    // An event without data only carries the id to come back with.
    if (event.event !== 'message' || event.data === '') return;
    const { seenEvents, deliver, note } = this.#connection;
    if (isResumed && seenEvents.has(event)) return;
    seenEvents.add(event);
    if (await deliver(event.data)) return;
    note('left out an event of the server that is not a JSON-RPC message');
  }

  #pause(failures: number): number {
    const first = this.#retry ?? firstPause;
    return Math.min(first * 2 ** failures, Math.max(first, longestPause), maxTimer);
  }
}

/** The server has no such stream, or not for us: coming back would not help. */
class StreamRefusedError extends BridgeError {}

/** HTTP headers are bytes: this is UTF-8, as browsers send it. */
function encodeHeaderText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Messages that the server sends of its own accord (stateful era): a GET that stays open. */
export class ServerStream {
  readonly #controller = new AbortController();

  async run(connection: BridgeContext): Promise<void> {
    const { signal } = this.#controller;
    try {
      const failure = await new EventFeed(connection).follow(() => true, signal);
      // A server need not have one.
      if (failure === undefined || failure instanceof StreamRefusedError) return;
      connection.note(`gave up on messages of the server's own accord: ${failure.message}`);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  close(): void {
    this.#controller.abort();
  }
}
