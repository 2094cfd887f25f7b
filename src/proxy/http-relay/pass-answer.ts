import type { IncomingMessage } from 'node:http';
import { isEventStream } from '../../mcp/event-stream.js';
import { passBody } from './pass-body.js';
import { passStream } from './pass-stream.js';
import type { RelayExchange } from './relay-exchange.js';

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
