import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WarningCode } from '../../events/warning-codes.js';
import { maxMessageLength } from '../channels/channel.js';
import { EventStreamReader } from '../event-stream.js';
import { refuse } from '../listener/refuse.js';
import { errorAnswer, errorCodes, idText, type Message, readMessages } from '../message.js';
import type { ServerLog } from '../record/server-log.js';
import { headersToAgent } from './headers.js';
import { describeAnswer, isPage, mergedBatch } from './http-answer.js';
import type { RelaySession } from './relay-session.js';

interface ExchangeOptions {
  server: string;
  log: ServerLog;
  session: RelaySession;
  response: ServerResponse;
  isBatch: boolean;
  isStateless: boolean;
  /** The agent resumes a stream: it gets events that were recorded before. */
  mayReplay: boolean;
  gotSessionId(id: string): void;
  over(): void;
}

/** A body up to this size is sent in one piece, or not at all if it breaks off. */
const maxWhole = 256 * 1024;
const maxQuotedBytes = 10_000;

/** One request of the agent to an HTTP server, and the answer on its way back. */
export class RelayExchange {
  /** Answers to messages of a batch that were not passed on. */
  refused: string[] = [];
  upstream: { destroy(): void } | undefined;
  readonly #options: ExchangeOptions;
  readonly #requests: { key: string; message: Message }[] = [];
  #isDone = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    options.response.once('close', () => this.#agentLeft());
  }

  sent(message: Message): void {
    const key = this.#options.session.sent(message);
    if (key !== undefined) this.#requests.push({ key, message });
  }

  /** Nothing of the batch may pass. */
  answerRefused(): void {
    const { response, isBatch } = this.#options;
    const body = isBatch ? `[${this.refused.join(',')}]` : this.refused.join('');
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    this.#finish();
  }

  answered(answer: IncomingMessage): void {
    const { statusCode = 502, headers } = answer;
    const type = headers['content-type'] ?? '';
    const sessionId = headers['mcp-session-id'];
    if (typeof sessionId === 'string') this.#options.gotSessionId(sessionId);
    answer.once('error', () => {});
    if (statusCode === 401 || statusCode === 403) {
      answer.resume();
      this.#unauthorized(statusCode);
    } else if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
      answer.destroy();
      const reason = 'answered with a compressed body, which it was not asked for';
      this.failed(reason, 'server-http-error');
    } else if (/^text\/event-stream\b/i.test(type)) {
      this.#passStream(answer);
    } else {
      this.#passBody(answer);
    }
  }

  failed(reason: string, code: WarningCode = 'server-unreachable'): void {
    if (this.#isDone) return;
    const { server, log, response } = this.#options;
    const message = `the server ${JSON.stringify(server)} ${reason}`;
    log.warn(code, message);
    const first = this.#requests[0]?.message;
    refuse(response, 502, message, { id: first });
    this.#fail(message);
    this.#finish();
  }

  /** The end of the task run. */
  abort(): void {
    this.upstream?.destroy();
    this.#options.response.destroy();
    this.#finish();
  }

  #unauthorized(status: number): void {
    const { server, log, response } = this.#options;
    const message = `the server ${JSON.stringify(server)} refused access (HTTP ${status})`;
    log.warn('server-unauthorized', message, 'look at `headers` in the MCP config');
    refuse(response, 502, message, { id: this.#requests[0]?.message });
    this.#fail(message);
    this.#finish();
  }

  #passStream(answer: IncomingMessage): void {
    const { response, session, log, mayReplay } = this.#options;
    const reader = new EventStreamReader(maxMessageLength);
    let isRecorded = true;
    const record = (chunk: Buffer) => {
      try {
        for (const { data, id } of reader.push(chunk)) {
          // The first event of a stream often has nothing but an id.
          if (data === '') continue;
          const isReplayed = id !== undefined && session.isReplayed(id, data) && mayReplay;
          if (!isReplayed) this.#record(data);
        }
      } catch {
        isRecorded = false;
        log.warn('message-too-large', 'a message was too large to be recorded; it was passed on');
      }
    };
    gather(response);
    response.writeHead(answer.statusCode ?? 200, headersToAgent(answer.headers));
    response.flushHeaders();
    for (const text of this.refused) response.write(eventOf(text));
    answer.on('data', (chunk: Buffer) => {
      gather(response);
      const isTaken = response.write(chunk);
      if (isRecorded) record(chunk);
      const pressure = log.pressure();
      if (isTaken && pressure === undefined) return;
      answer.pause();
      const drained = isTaken ? undefined : once(response, 'drain', 'close');
      void Promise.all([pressure, drained]).then(() => answer.resume());
    });
    answer.once('end', () => {
      response.end();
      this.#streamEnded();
    });
    answer.once('close', () => {
      if (!answer.complete) this.#streamCut(reader.lastEventId !== undefined);
    });
  }

  /** It may have been all, or the answer comes on another stream of the session. */
  #streamEnded(): void {
    if (this.#options.isStateless) this.#fail('the stream ended without an answer');
    this.#finish();
  }

  #streamCut(canBeResumed: boolean): void {
    if (this.#isDone) return;
    const { response, session, server, log } = this.#options;
    const message = `the server ${JSON.stringify(server)} closed the connection within a stream`;
    log.warn('stream-cut', message);
    if (canBeResumed && !this.#options.isStateless) {
      // As it came: the agent asks for the rest by the id of the last event.
      response.destroy();
    } else {
      // Nobody would ever answer these, and an agent might wait for minutes.
      const unanswered = this.#requests.filter(({ key }) => session.isOpen(key));
      // An event that was torn ends here, as one of a kind that nobody reads.
      response.write('\nevent: torn\n\n');
      for (const { message: request } of unanswered) {
        response.write(eventOf(errorAnswer(idText(request), errorCodes.relay, message)));
      }
      response.end();
      this.#fail(message);
    }
    this.#finish();
  }

  #passBody(answer: IncomingMessage): void {
    const { response, log, server } = this.#options;
    const { statusCode = 200, headers } = answer;
    const chunks: Buffer[] = [];
    let length = 0;
    let hasStarted = false;
    const start = () => {
      hasStarted = true;
      response.writeHead(statusCode, headersToAgent(headers));
    };
    answer.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= maxMessageLength) chunks.push(chunk);
      if (!hasStarted) {
        if (length <= maxWhole || this.refused.length > 0) return;
        start();
        for (const earlier of chunks) response.write(earlier);
      } else if (!response.write(chunk)) {
        answer.pause();
        response.once('drain', () => answer.resume());
      }
    });
    answer.once('end', () => {
      const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      if (hasStarted) response.end();
      else if (this.refused.length > 0) this.#sendWithRefused(statusCode, headers, body);
      else if (this.#requests.length > 0 && isPage(answer)) {
        refuse(response, 502, describeAnswer(server, answer), { id: this.#requests[0]?.message });
      } else {
        const passed = headersToAgent(headers);
        // Node would send an empty chunk for it, which a 202 or 204 must not have.
        if (length > 0) passed['content-length'] = length;
        response.writeHead(statusCode, passed).end(length > 0 ? body : undefined);
      }
      this.#recordBody(answer, body, length);
      this.#finish();
    });
    answer.once('close', () => {
      if (answer.complete || this.#isDone) return;
      const message = `the server ${JSON.stringify(server)} closed the connection within its answer`;
      log.warn('stream-cut', message);
      refuse(response, 502, message, { id: this.#requests[0]?.message });
      this.#fail(message);
      this.#finish();
    });
  }

  #sendWithRefused(status: number, headers: IncomingMessage['headers'], body: Buffer): void {
    const { response } = this.#options;
    const merged = mergedBatch(body.toString(), this.refused);
    const passed = { ...headersToAgent(headers), 'content-type': 'application/json' };
    const isMergeable = status === 202 || status === 200;
    response.writeHead(isMergeable ? 200 : status, {
      ...passed,
      'content-length': Buffer.byteLength(isMergeable ? merged : body),
    });
    response.end(isMergeable ? merged : body);
  }

  #recordBody(answer: IncomingMessage, body: Buffer, length: number): void {
    const { log, server } = this.#options;
    const { statusCode: status = 0 } = answer;
    if (length > maxMessageLength) {
      log.warn('message-too-large', 'a message was too large to be recorded; it was passed on');
      this.#fail(`the answer of ${length} bytes was passed on, but is too large for the record`);
      return;
    }
    const isFine = status < 400;
    if (length > 0 && this.#record(body.toString()) && isFine) return;
    if (isFine && this.#requests.length === 0) return;
    const message = describeAnswer(server, answer);
    const isProtocol = !this.#requests.some(({ key }) => this.#options.session.isOpen(key));
    if (!isProtocol || status >= 500) {
      log.warn('server-http-error', message, body.toString('utf8', 0, maxQuotedBytes));
    }
    this.#fail(message);
  }

  /** Records the messages of a text; false if there are none. */
  #record(text: string): boolean {
    const messages = readMessages(text);
    if (messages === undefined) return false;
    const { session } = this.#options;
    for (const message of messages.list) {
      // An error that could not tell which request it is for, in the answer to the only one.
      const [only, ...others] = this.#requests;
      const isNameless = message.kind === 'response' && message.value.id == null;
      if (isNameless && only && others.length === 0) {
        session.received({ ...message, value: { ...message.value, id: only.message.value.id } });
      } else {
        session.received(message);
      }
    }
    return true;
  }

  #fail(reason: string): void {
    for (const { key } of this.#requests) this.#options.session.failed(key, reason);
  }

  /** In the stateless era, closing the stream is how an agent calls a request off. */
  #agentLeft(): void {
    if (this.#isDone) return;
    this.upstream?.destroy();
    if (this.#options.isStateless) {
      for (const { key } of this.#requests) this.#options.session.cancelled(key);
    }
    this.#finish();
  }

  #finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#options.over();
  }
}

function eventOf(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

/** What comes together leaves together: headers, events and end in one packet. */
function gather({ socket }: ServerResponse): void {
  if (!socket || socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

function once(response: ServerResponse, ...events: string[]): Promise<void> {
  return new Promise((resolve) => {
    for (const event of events) response.once(event, resolve);
  });
}
