import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { oneLine } from '../../events/one-line.js';
import { LineSplitter } from '../../mcp/line-splitter.js';
import { maxMessageLength } from '../../mcp/max-message-length.js';
import { errorAnswer, errorCodes, idKey, keyOfId, readMessages } from '../message.js';
import { SeenEvents } from '../seen-events.js';
import { Upstream } from '../upstream.js';
import { type ClientMessage, readClientMessage } from './client-message.js';
import type { Connection } from './connection.js';
import { Exchange } from './exchange.js';
import { reasonOf } from './failure.js';
import { callServer } from './http-call.js';
import { LineOutput } from './line-output.js';
import { Milestone } from './milestone.js';
import { ServerAddress } from './server-address.js';
import { ServerStream } from './server-stream.js';
import { Session } from './session.js';

interface BridgeOptions {
  url: URL;
  /** For proxies and certificates. */
  environment: NodeJS.ProcessEnv;
  input: Readable;
  output: Writable;
  /** Takes one line for people. */
  note(text: string): void;
}

const connectTimeout = 10_000;

/** How long a server may take to answer what is open when the input has ended. */
const lastAnswersTimeout = 10_000;

/** How long a server may take to end the session when the client is gone. */
const farewellTimeout = 2_000;

/** A stdio server made of a Streamable HTTP one: every line in becomes a POST, answers become lines. */
export class Bridge {
  readonly #connection: Connection;
  readonly #input: Readable;
  readonly #output: LineOutput;
  readonly #exchanges = new Set<Exchange>();
  /** By the key of the request's id. */
  readonly #exchangeOf = new Map<string, Exchange>();
  readonly #closed = new Milestone<void>();
  /** When the next message may go out. */
  #turn: Promise<unknown> = Promise.resolve();
  #serverStream: ServerStream | undefined;
  #isClosing = false;

  constructor({ url, environment, input, output, note }: BridgeOptions) {
    this.#input = input;
    this.#output = new LineOutput(output);
    this.#connection = {
      upstream: new Upstream({ url: url.href, environment, connectTimeout }),
      address: new ServerAddress(url),
      session: new Session(),
      seenEvents: new SeenEvents(),
      deliver: (text) => this.#deliver(text),
      note,
    };
    output.on('error', () => this.close());
  }

  /** Works until the client is gone, or `close` is called. */
  run(): Promise<void> {
    const lines = new LineSplitter({ ends: /\n/g, maxLength: maxMessageLength });
    // Never paused: behind what cannot go out yet, the end of the input would not be seen.
    this.#input.on('data', (chunk: Buffer) => {
      try {
        for (const line of lines.push(chunk)) this.#take(line);
      } catch (error) {
        this.#connection.note(`cannot go on: ${reasonOf(error)}`);
        this.close();
      }
    });
    this.#input.on('end', () => this.#closeWhenAnswered());
    this.#input.on('error', () => this.close());
    return this.#closed.reached;
  }

  /** Closes when every request that was read has its answer, as a stdio server does. */
  async #closeWhenAnswered(): Promise<void> {
    // A stream that only listens never has one.
    const answers = [...this.#exchanges]
      .filter(({ isSubscription }) => !isSubscription)
      .map(({ answered }) => answered.reached);
    await Promise.race([
      Promise.all(answers),
      this.#closed.reached,
      delay(lastAnswersTimeout, undefined, { ref: false }),
    ]);
    await this.close();
  }

  /** Gives up what is open and ends the session. */
  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#input.destroy();
    this.#serverStream?.close();
    for (const exchange of this.#exchanges) exchange.abort();
    await this.#endSession();
    this.#connection.upstream.close();
    this.#closed.reach();
  }

  #take(line: string): void {
    if (this.#isClosing || line.trim() === '') return;
    let message: ClientMessage;
    try {
      message = readClientMessage(line);
    } catch (error) {
      this.#connection.note(`a line of the client is not JSON: ${reasonOf(error)}`);
      const reason = `Parse error: ${reasonOf(error)}`;
      this.#output.write(errorAnswer('null', errorCodes.parseError, reason));
      return;
    }
    if (this.#isCancelledHere(message)) return;
    const exchange = new Exchange(message, this.#connection);
    this.#exchanges.add(exchange);
    for (const request of message.requests) this.#exchangeOf.set(idKey(request), exchange);
    this.#turn = this.#turn.then(() => this.#start(exchange, message));
  }

  /** Messages leave in the order they came in. Settles when the next one may follow. */
  #start(exchange: Exchange, message: ClientMessage): Promise<unknown> {
    exchange.run().finally(() => this.#drop(exchange, message));
    const { single } = message;
    switch (single?.method) {
      case 'initialize':
        this.#serverStream?.close();
        return exchange.answered.reached;
      case 'notifications/initialized':
        return exchange.accepted.reached.then((isAccepted) => {
          if (isAccepted && !this.#isClosing) this.#openServerStream();
        });
    }
    // What is said by a notification holds for what follows; nothing follows from an answer.
    const isNotification = single?.kind === 'notification';
    return isNotification ? exchange.accepted.reached : exchange.sent.reached;
  }

  #drop(exchange: Exchange, { requests }: ClientMessage): void {
    this.#exchanges.delete(exchange);
    for (const key of requests.map(idKey)) {
      if (this.#exchangeOf.get(key) === exchange) this.#exchangeOf.delete(key);
    }
  }

  /** Whether a message is a cancellation that was dealt with here, so that it must not be sent. */
  #isCancelledHere({ single }: ClientMessage): boolean {
    if (single?.method !== 'notifications/cancelled') return false;
    const key = keyOfId(single.params.requestId) ?? '';
    const exchange = this.#exchangeOf.get(key);
    if (exchange === undefined) return !this.#connection.session.isInitialized;
    // In the stateless era there is nothing to send: closing the stream is the cancellation.
    if (exchange.isStateless) exchange.abort();
    else exchange.forget(key);
    return exchange.isStateless;
  }

  #openServerStream(): void {
    this.#serverStream?.close();
    this.#serverStream = new ServerStream();
    this.#serverStream.run(this.#connection);
  }

  async #deliver(text: string): Promise<boolean> {
    const messages = readMessages(text);
    if (!messages?.list.every(({ kind }) => kind !== 'unknown' && kind !== 'empty')) return false;
    for (const message of messages.list) {
      if (message.kind === 'response') this.#exchangeOf.get(idKey(message))?.takeAnswer(message);
    }
    if (!this.#isClosing) await this.#output.write(oneLine(text.trim()));
    return true;
  }

  async #endSession(): Promise<void> {
    const { session } = this.#connection;
    if (session.id === undefined) return;
    try {
      const signal = AbortSignal.timeout(farewellTimeout);
      const call = callServer(this.#connection, 'DELETE', {
        headers: session.headers(),
        signal,
      });
      (await call.response).destroy();
    } catch {
      // The server is gone, or does not care: then the session ends when it says so.
    }
  }
}
