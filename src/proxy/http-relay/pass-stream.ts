import type { IncomingMessage, ServerResponse } from 'node:http';
import { EventStreamReader } from '../../mcp/event-stream.js';
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

/** Passes on a stream as it comes, and has its messages recorded. */
export function passStream(answer: IncomingMessage, exchange: RelayExchange): void {
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
