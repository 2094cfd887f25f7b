import type { IncomingMessage } from 'node:http';
import { isEventStream } from '../../mcp/event-stream.js';
import { maxMessageLength } from '../../mcp/line-splitter.js';
import { passStream } from './pass-stream.js';
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
