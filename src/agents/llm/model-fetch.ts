import type { IncomingMessage } from 'node:http';
import { ReadableStream } from 'node:stream/web';
import { Connection } from '../../base/http/connection.js';
import { checkRequest } from '../../base/http/http-request.js';
import { sendRequest } from '../../base/http/transfer.js';

const maxBytes = 64 * 1024 * 1024;

/** These come without a body, and a Response insists on it. */
const emptyStatuses = [204, 205, 304];

/**
 * Makes what asks the model API in place of the global `fetch`: that one gives up when a model thinks
 * for five minutes, follows redirects with the key in a header, and knows no proxies. `onAnswer` is
 * called when an answer begins, however long it takes to end; an error of the API is none.
 */
export function createModelFetch(
  environment: NodeJS.ProcessEnv,
  onAnswer: () => void = () => {},
): typeof fetch {
  return async (input, { body, headers, signal } = {}) => {
    if (typeof body !== 'string') throw new TypeError('a question to a model is a text');
    // Of its own: one that was kept may be dead by now.
    const connection = new Connection({ environment, ...(signal && { signal }) });
    try {
      const request = checkRequest({
        url: String(input),
        method: 'POST',
        headers: Object.fromEntries(new Headers(headers)),
        body,
      });
      const response = responseOf(await sendRequest(request, connection, environment), connection);
      if (response.ok) onAnswer();
      return response;
    } catch (error) {
      connection.close();
      signal?.throwIfAborted();
      // In the words of fetch, which the providers' libraries know.
      throw new TypeError('fetch failed', { cause: error });
    }
  };
}

function responseOf(message: IncomingMessage, connection: Connection): Response {
  const { statusCode: status = 0, headersDistinct } = message;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    headers.set(name, values.join(', '));
  }
  if (!emptyStatuses.includes(status)) {
    const body = ReadableStream.from(chunksOf(message, connection));
    return new Response(body, { status, headers });
  }
  connection.close();
  return new Response(null, { status, headers });
}

async function* chunksOf(
  message: IncomingMessage,
  connection: Connection,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of message) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`it is longer than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw new TypeError('the answer broke off', { cause: error });
  } finally {
    connection.close();
  }
}
