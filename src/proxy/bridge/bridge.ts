import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { toSingleLine } from '../../base/json-text.js';
import { LineSplitter, maxMessageLength } from '../../mcp/line-splitter.js';
import {
  errorCodes,
  formatErrorAnswer,
  formatIdKey,
  type Message,
  readIdKey,
  readMessages,
} from '../../mcp/message.js';
import { SeenEvents } from '../seen-events.js';
import { Upstream } from '../upstream.js';
import { ServerStream } from './event-feed.js';
import { BridgeExchange, type ClientMessage, readClientMessage } from './exchange.js';
import {
  type BridgeContext,
  callServer,
  describeReason,
  Milestone,
  ServerAddress,
} from './server-call.js';
import { BridgeSession } from './session.js';

interface BridgeOptions {
  url: URL;
  /** Environment variables for HTTP proxies and certificates. */
  environment: NodeJS.ProcessEnv;
  input: Readable;
  output: Writable;
  /** Prints one line for people. */
  note(text: string): void;
}

const connectTimeout = 10_000;

/** How long a server may take to answer what is open when the input has ended. */
const lastAnswersTimeout = 10_000;

/** How long a server may take to end the session when the client is gone. */
const farewellTimeout = 2_000;

/** A stdio server made of a Streamable HTTP one: every line in becomes a POST, answers become lines. */
class Bridge {
  readonly #connection: BridgeContext;
  readonly #input: Readable;
  readonly #output: LineOutput;
  readonly #exchanges = new Set<BridgeExchange>();
  /** Exchanges by the key of their request's id. */
  readonly #exchangeOf = new Map<string, BridgeExchange>();
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
      session: new BridgeSession(),
      seenEvents: new SeenEvents(),
      deliver: (text) => this.#deliver(text),
      note,
    };
    output.on('error', () => this.close());
  }

  /** Settles when the client is gone, or `close` was called. */
  run(): Promise<void> {
    const lines = new LineSplitter({ ends: /\n/g, maxLength: maxMessageLength });
    const takeAll = (complete: () => string[]) => {
      try {
        for (const line of complete()) this.#take(line);
      } catch (error) {
        this.#connection.note(`cannot continue: ${describeReason(error)}`);
        this.close();
      }
    };
    // Never paused: behind what cannot go out yet, the end of the input would not be seen.
    this.#input.on('data', (chunk: Buffer) => takeAll(() => lines.push(chunk)));
    this.#input.on('end', () => {
      // The last line need not have an end: `printf ... | proctor bridge`.
      takeAll(() => [lines.end()]);
      this.#closeWhenAnswered();
    });
    this.#input.on('error', () => this.close());
    return this.#closed.reached;
  }

  /** Closes when every request that was read has its answer, as a stdio server does. */
  async #closeWhenAnswered(): Promise<void> {
    // A stream that only listens never has one.
    const waiting = [...this.#exchanges].filter(({ isSubscription }) => !isSubscription);
    const answers = Promise.all(waiting.map(({ answered }) => answered.reached));
    const isOver = await Promise.race([
      Promise.race([answers, this.#closed.reached]).then(() => true),
      delay(lastAnswersTimeout, false, { ref: false }),
    ]);
    const open = isOver ? [] : waiting.filter((exchange) => this.#exchanges.has(exchange));
    const limit = `${lastAnswersTimeout / 1000} s after the end of the input`;
    for (const exchange of open) await exchange.fail(`no answer within ${limit}`);
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
      this.#connection.note(`a line of the client is not JSON: ${describeReason(error)}`);
      const reason = `Parse error: ${describeReason(error)}`;
      this.#output.write(formatErrorAnswer('null', errorCodes.parseError, reason));
      return;
    }
    if (this.#isCancelledHere(message)) return;
    const exchange = new BridgeExchange(message, this.#connection);
    this.#exchanges.add(exchange);
    for (const request of message.requests) this.#exchangeOf.set(readIdKey(request), exchange);
    this.#turn = this.#turn.then(() => this.#start(exchange, message));
  }

  /** Messages leave in the order they came in. Settles when the next one may follow. */
  #start(exchange: BridgeExchange, message: ClientMessage): Promise<unknown> {
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

  #drop(exchange: BridgeExchange, { requests }: ClientMessage): void {
    this.#exchanges.delete(exchange);
    for (const key of requests.map(readIdKey)) {
      if (this.#exchangeOf.get(key) === exchange) this.#exchangeOf.delete(key);
    }
  }

  /** Whether a message is a cancellation that was dealt with here, so that it must not be sent. */
  #isCancelledHere({ single }: ClientMessage): boolean {
    if (single?.method !== 'notifications/cancelled') return false;
    const key = formatIdKey(single.params.requestId) ?? '';
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
    if (!messages?.list.every((message) => this.#isDeliverable(message))) return false;
    const texts = messages.list.map((message) => {
      const exchange = isAnswer(message) ? this.#exchangeOf.get(readIdKey(message)) : undefined;
      return exchange ? exchange.takeAnswer(message) : message.text;
    });
    const passed = messages.isBatch ? `[${texts.join(',')}]` : texts.join();
    if (!this.#isClosing) await this.#output.write(toSingleLine(passed.trim()));
    return true;
  }

  /** An answer without result and error is of use only if its request is open. */
  #isDeliverable(message: Message): boolean {
    if (message.kind === 'empty') return this.#exchangeOf.has(readIdKey(message));
    return message.kind !== 'unknown';
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

function isAnswer({ kind }: Message): boolean {
  return kind === 'response' || kind === 'empty';
}

/** Writes one message a line. Who writes waits for a slow reader, and with it the server's stream. */
class LineOutput {
  readonly #stream: Writable;
  #drained: Promise<void> | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  async write(line: string): Promise<void> {
    if (this.#stream.write(`${line}\n`)) return;
    // One listener, however many streams of the server wait.
    this.#drained ??= new Promise((resolve) => {
      this.#stream.once('drain', () => {
        this.#drained = undefined;
        resolve();
      });
    });
    await this.#drained;
  }
}

/** A client need not read standard error, and a full pipe would stop everything. */
const maxNotes = 100;

/** How long output that is not read may keep the process alive, in milliseconds. */
const lastWriteTimeout = 2_000;

/** The exit code of a process that was interrupted, as shells have it. */
const interruptedExitCode = 130;

/**
 * Offers the MCP server at an address on this process's own streams, until the client is gone or a
 * signal comes; a second signal ends the process at once. `note` takes a line for people.
 */
export async function runBridge(url: URL, note: (text: string) => void): Promise<void> {
  let notes = 0;
  const bridge = new Bridge({
    url,
    environment: process.env,
    input: process.stdin,
    output: process.stdout,
    note: (text) => {
      notes += 1;
      if (notes <= maxNotes) note(text);
    },
  });
  let isAsked = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (isAsked) process.exit(interruptedExitCode);
      isAsked = true;
      void bridge.close();
    });
  }
  await bridge.run();
  // Only acts if output that the client does not read still keeps the process alive.
  setTimeout(() => process.exit(0), lastWriteTimeout).unref();
}
