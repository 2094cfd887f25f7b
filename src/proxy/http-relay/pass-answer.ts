import type { IncomingMessage, ServerResponse } from 'node:http';
import { EventStreamReader, isEventStream } from '../../mcp/event-stream.js';
import { LineTooLongError, maxMessageLength } from '../../mcp/line-splitter.js';
import {
  errorCodes,
  formatEmptyAnswer,
  formatErrorAnswer,
  readIdText,
  readMessage,
} from '../../mcp/message.js';
import type { RelayExchange } from './relay-exchange.js';
import { selectHeadersToAgent } from './relay-headers.js';

/** Passes on what the server answered, in the way that fits what it is. */
export function passAnswer(answer: IncomingMessage, exchange: RelayExchange): void {
  const { statusCode: status = 0, headers } = answer;
  const sessionId = headers['mcp-session-id'];
  exchange.options.answered(status, typeof sessionId === 'string' ? sessionId : undefined);
  // How it ended is seen by `complete`.
  answer.on('error', () => {});
  if (status === 401 || status === 403) {
    answer.resume();
    const details = 'look at `headers` in the MCP config';
    exchange.failed(`refused access (HTTP ${status})`, 'server-unauthorized', details);
  } else if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    answer.destroy();
    const reason = 'answered with a compressed body, which it was not asked for';
    exchange.failed(reason, 'server-http-error');
  } else if (isEventStream(headers['content-type'])) {
    passStream(answer, exchange);
  } else {
    passBody(answer, exchange);
  }
}

/** A body up to this size is sent in one piece, or not at all if it breaks off. */
const maxWhole = 256 * 1024;
const maxQuoted = 10_000;

/** Passes on an answer that is no stream, and has what it says recorded. */
function passBody(answer: IncomingMessage, exchange: RelayExchange): void {
  if (exchange.requests.length > 0 && isPage(answer)) refusePage(answer, exchange);
  else if (exchange.refused.length > 0) passMerged(answer, exchange);
  else passUnchanged(answer, exchange);
}

/** Whether a successful answer is something for people (a start page, a login) and no message. */
function isPage({ statusCode = 0, headers }: IncomingMessage): boolean {
  const isEmpty = headers['content-length'] === '0';
  if (statusCode >= 300 || statusCode === 202 || statusCode === 204 || isEmpty) return false;
  return !/^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');
}

function refusePage(answer: IncomingMessage, exchange: RelayExchange): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const refuseIt = () => {
    const text = Buffer.concat(chunks).toString('utf8', 0, maxQuoted);
    exchange.failed(describeAnswer(answer), 'server-http-error', text);
  };
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length < maxQuoted) return;
    refuseIt();
    answer.destroy();
  });
  answer.once('close', refuseIt);
}

function passUnchanged(answer: IncomingMessage, exchange: RelayExchange): void {
  const { response, log } = exchange.options;
  const { statusCode = 502, headers } = answer;
  const chunks: Buffer[] = [];
  let length = 0;
  let hasStarted = false;
  answer.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maxMessageLength) chunks.push(chunk);
    if (hasStarted) {
      if (response.write(chunk)) return;
      answer.pause();
      response.once('drain', () => answer.resume());
    } else if (length > maxWhole) {
      hasStarted = true;
      response.writeHead(statusCode, selectHeadersToAgent(headers));
      for (const earlier of chunks) response.write(earlier);
    }
  });
  answer.once('end', () => {
    const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    if (hasStarted) {
      response.end();
    } else {
      const passed = selectHeadersToAgent(headers);
      // Node would send an empty chunk for it, which a 202 or 204 must not have.
      if (length > 0) passed['content-length'] = length;
      response.writeHead(statusCode, passed).end(length > 0 ? body : undefined);
    }
    log.traffic.recordSoon(() => {
      if (length > maxMessageLength) recordTooLarge(exchange, length);
      else recordBody(answer, exchange, body);
    });
    exchange.finish();
  });
  answer.once('close', () => {
    if (!answer.complete) exchange.failed('closed the connection within its answer', 'stream-cut');
  });
}

/** Answers a batch that was passed on only in part: with the server's answers and ours. */
function passMerged(answer: IncomingMessage, exchange: RelayExchange): void {
  const { response, log } = exchange.options;
  const chunks: Buffer[] = [];
  let length = 0;
  answer.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > maxMessageLength) answer.destroy();
  });
  answer.once('end', () => {
    const body = Buffer.concat(chunks);
    const { statusCode: status = 502, headers } = answer;
    const isMergeable = status === 202 || status === 200;
    const sent = isMergeable ? mergeBatch(body.toString(), exchange.refused) : body;
    response.writeHead(isMergeable ? 200 : status, {
      ...selectHeadersToAgent(headers),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(sent),
    });
    response.end(sent);
    log.traffic.recordSoon(() => recordBody(answer, exchange, body));
    exchange.finish();
  });
  answer.once('close', () => {
    if (!answer.complete) exchange.failed('closed the connection within its answer', 'stream-cut');
  });
}

function mergeBatch(body: string, others: readonly string[]): string {
  const inner = body.trim().replace(/^\[|\]$/g, '');
  return `[${[inner, ...others].filter((text) => text !== '').join(',')}]`;
}

function recordBody(answer: IncomingMessage, exchange: RelayExchange, body: Buffer): void {
  const { server, log, isStateless } = exchange.options;
  const { statusCode: status = 0 } = answer;
  const hasMessages = body.length > 0 && exchange.record(body.toString());
  const { unanswered } = exchange;
  if (unanswered.length === 0 && status < 500) return;
  // In the stateful era, the answer may come on another stream of the session.
  if (!isStateless && (status === 202 || (hasMessages && status < 400))) return;
  const message = `the server ${JSON.stringify(server)} ${describeAnswer(answer)}`;
  log.warn('server-http-error', message, body.toString('utf8', 0, maxQuoted));
  exchange.failRequests(message);
}

function recordTooLarge(exchange: RelayExchange, length: number): void {
  const { log } = exchange.options;
  log.warn('message-too-large', 'a message was too large to be recorded; it was passed on');
  exchange.failRequests(`the answer of ${length} bytes was passed on, but not recorded`);
}

function describeAnswer({
  statusCode,
  headers: { 'content-type': type },
}: IncomingMessage): string {
  const kind = type === undefined ? '' : ` and a body of type ${type}`;
  return `answered with HTTP ${statusCode}${kind}`;
}

/** Passes on a stream as it comes, and has its messages recorded. */
function passStream(answer: IncomingMessage, exchange: RelayExchange): void {
  const { response, log, isStateless } = exchange.options;
  const recorder = new StreamRecorder(exchange);
  const headers = selectHeadersToAgent(answer.headers);
  // We may have something to add.
  delete headers['content-length'];
  const { isBusy } = exchange.options;
  corkBriefly(response, isBusy());
  response.writeHead(answer.statusCode ?? 200, headers);
  response.flushHeaders();
  for (const text of exchange.refused) response.write(formatEvent(text));
  answer.on('data', (chunk: Buffer) => {
    corkBriefly(response, isBusy());
    const isTaken = response.write(chunk);
    log.traffic.recordSoon(() => recorder.take(chunk));
    const pressure = log.traffic.pressure();
    if (isTaken && pressure === undefined) return;
    answer.pause();
    void Promise.all([pressure, isTaken || awaitDrain(response)]).then(() => answer.resume());
  });
  answer.once('end', () => {
    // What came leaves first; then it has to be known what it was.
    flush(response);
    log.traffic.recordNow();
    // Clients pass over an answer that is none, and would wait for a better one.
    for (const id of recorder.emptyAnswers) response.write(formatEvent(formatEmptyAnswer(id)));
    response.end();
    flush(response);
    // In the stateful era the answer may come on another stream of the session.
    if (isStateless) exchange.failRequests('the stream ended without an answer');
    exchange.finish();
  });
  answer.once('close', () => {
    if (answer.complete) return;
    // What came before the cut may be answers.
    log.traffic.recordNow();
    endCutStream(exchange, recorder.canBeResumed);
  });
}

class StreamRecorder {
  /** The ids, as text, of requests that were answered with neither result nor error. */
  readonly emptyAnswers: string[] = [];
  readonly #exchange: RelayExchange;
  readonly #reader = new EventStreamReader(maxMessageLength);
  #isTooLarge = false;

  constructor(exchange: RelayExchange) {
    this.#exchange = exchange;
  }

  get canBeResumed(): boolean {
    return this.#reader.lastEventId !== undefined;
  }

  take(chunk: Buffer): void {
    if (this.#isTooLarge) return;
    const { session, seenEvents, mayReplay, log } = this.#exchange.options;
    try {
      for (const event of this.#reader.push(chunk)) {
        // Clients ignore other events. Some have nothing but an id.
        if (event.event !== 'message' || event.data === '') continue;
        const scope = String(session.party.session);
        const isReplayed = mayReplay && seenEvents.has(event, scope);
        seenEvents.add(event, scope);
        if (!isReplayed) this.#exchange.record(event.data);
        if (!/"(?:result|error|method)"/.test(event.data)) this.#takeEmpty(event.data);
      }
    } catch (error) {
      if (!(error instanceof LineTooLongError)) throw error;
      this.#isTooLarge = true;
      log.warn('message-too-large', 'a message was too large to be recorded; it was passed on');
    }
  }

  #takeEmpty(text: string): void {
    const message = readMessage(text);
    if (message?.kind === 'empty') this.emptyAnswers.push(readIdText(message));
  }
}

function endCutStream(exchange: RelayExchange, canBeResumed: boolean): void {
  if (exchange.isDone) return;
  const { response, server, log, isStateless } = exchange.options;
  const message = `the server ${JSON.stringify(server)} closed the connection within a stream`;
  log.warn('stream-cut', message);
  if (canBeResumed && !isStateless) {
    // As it came: the agent asks for the rest by the id of the last event.
    response.destroy();
  } else {
    // A torn event ends here, as one of a type that clients ignore.
    response.write('\nevent: torn\n\n');
    // These will never be answered, and an agent might wait for minutes.
    for (const request of exchange.unanswered) {
      const id = readIdText(request.message);
      response.write(formatEvent(formatErrorAnswer(id, errorCodes.relay, message)));
    }
    response.end();
    exchange.failRequests(message);
  }
  exchange.finish();
}

function formatEvent(text: string): string {
  return `event: message\ndata: ${text}\n\n`;
}

/**
 * What comes together leaves together: headers and events in one packet. Under load it waits a moment
 * longer, because most streams are one event and their end, and every packet costs.
 */
function corkBriefly({ socket }: ServerResponse, isBusy: boolean): void {
  if (!socket || socket.writableCorked > 0) return;
  socket.cork();
  if (isBusy) setTimeout(() => socket.uncork(), 1);
  else setImmediate(() => socket.uncork());
}

function flush({ socket }: ServerResponse): void {
  while (socket && socket.writableCorked > 0) socket.uncork();
}

function awaitDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
