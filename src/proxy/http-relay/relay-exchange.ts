import type { ServerResponse } from 'node:http';
import type { WarningCode } from '../../events/warning-codes.js';
import { refuse } from '../listener/refuse.js';
import { type Message, readMessages } from '../message.js';
import type { Details, ServerLog } from '../record/server-log.js';
import type { SeenEvents } from '../seen-events.js';
import type { RelayRequest, RelaySession } from './relay-session.js';

interface ExchangeOptions {
  server: string;
  log: ServerLog;
  session: RelaySession;
  seenEvents: SeenEvents;
  response: ServerResponse;
  isBatch: boolean;
  isStateless: boolean;
  /** The agent resumes a stream: it gets events that were recorded before. */
  mayReplay: boolean;
  /** Many calls are on their way: then it pays to gather what is written. */
  isBusy(): boolean;
  /** The server answered; it may say which session this is. */
  answered(status: number, sessionId: string | undefined): void;
  over(): void;
}

/** One request of the agent to an HTTP server, and the answer on its way back. */
export class RelayExchange {
  readonly options: ExchangeOptions;
  /** What the POST asks the server. */
  readonly requests: RelayRequest[] = [];
  /** Answers to messages of a batch that were not passed on. */
  readonly refused: string[] = [];
  upstream: { destroy(): void } | undefined;
  isDone = false;

  constructor(options: ExchangeOptions) {
    this.options = options;
    options.response.once('close', () => this.#agentLeft());
  }

  sent(message: Message): void {
    const request = this.options.session.sent(message);
    if (request) this.requests.push(request);
  }

  /** Nothing may pass to the server. */
  answerRefused(): void {
    const { response, isBatch } = this.options;
    if (this.refused.length === 0) {
      response.writeHead(202).end();
    } else {
      const body = isBatch ? `[${this.refused.join(',')}]` : this.refused.join('');
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    }
    this.finish();
  }

  /** The agent gets an error in place of an answer. The reason is the end of a sentence. */
  failed(reason: string, code: WarningCode, details?: Details): void {
    if (this.isDone) return;
    const { server, log, response } = this.options;
    const message = `the server ${JSON.stringify(server)} ${reason}`;
    log.warn(code, message, details);
    refuse(response, 502, message, { id: this.requests[0]?.message });
    this.failRequests(message);
    this.finish();
  }

  /** The end of the task run. */
  abort(): void {
    this.upstream?.destroy();
    this.options.response.destroy();
    this.finish();
  }

  /** Records the messages of a text; false if there are none. */
  record(text: string): boolean {
    const messages = readMessages(text);
    if (messages === undefined) return false;
    const [only, ...others] = this.requests;
    for (const message of messages.list) {
      // An error that could not tell which request it is for, in the answer to the only one.
      const isNameless = message.kind === 'response' && message.value.id == null;
      const id = isNameless && only && others.length === 0 ? only.message.value.id : undefined;
      const named = id === undefined ? message : { ...message, value: { ...message.value, id } };
      this.options.session.received(named, this.requests);
    }
    return true;
  }

  get unanswered(): RelayRequest[] {
    return this.requests.filter((request) => this.options.session.isOpen(request));
  }

  failRequests(reason: string): void {
    for (const request of this.requests) this.options.session.fail(request, reason);
  }

  finish(): void {
    if (this.isDone) return;
    this.isDone = true;
    this.options.over();
  }

  /** In the stateless era, closing the stream is how an agent calls a request off. */
  #agentLeft(): void {
    if (this.isDone) return;
    this.upstream?.destroy();
    const { isStateless, session, log } = this.options;
    if (isStateless) {
      // After what came before: it may have been the answer.
      log.recordSoon(() => {
        for (const request of this.requests) session.cancel(request);
      });
    }
    this.finish();
  }
}
