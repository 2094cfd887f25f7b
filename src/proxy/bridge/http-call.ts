import type { IncomingMessage } from 'node:http';
import type { Connection } from './connection.js';
import { BridgeFailure } from './failure.js';
import { Milestone } from './milestone.js';

interface HttpCall {
  headers: Record<string, string>;
  body?: string;
  signal: AbortSignal;
}

interface SentCall {
  /** Settles when the request has left this process, or never will. */
  sent: Promise<void>;
  response: Promise<IncomingMessage>;
}

/** One HTTP request to the server, as promises. The signal ends it, and reading the response too. */
export function callServer(
  { upstream, address }: Pick<Connection, 'upstream' | 'address'>,
  method: 'POST' | 'GET' | 'DELETE',
  { headers, body, signal }: HttpCall,
): SentCall {
  const sent = new Milestone<void>();
  const response = new Promise<IncomingMessage>((resolve, reject) => {
    signal.throwIfAborted();
    const call = upstream.send({
      method,
      headers,
      ...(body !== undefined && { body }),
      sent: () => sent.reach(),
      answered(answer) {
        answer.once('close', () => signal.removeEventListener('abort', abort));
        resolve(answer);
      },
      failed(reason, _code, cause) {
        signal.removeEventListener('abort', abort);
        reject(cause ?? new BridgeFailure(`${address.origin} ${reason}`));
      },
    });
    const abort = () => {
      call.destroy();
      reject(signal.reason);
    };
    // Taken off again: a stream that is opened anew for days has the same signal all the time.
    signal.addEventListener('abort', abort, { once: true });
  });
  const settled = () => sent.reach();
  response.then(settled, settled);
  return { sent: sent.reached, response };
}
