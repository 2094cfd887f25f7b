import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { ReadableStream } from 'node:stream/web';

const maxBytes = 64 * 1024 * 1024;

/** These come without a body, and a Response insists on it. */
const emptyStatuses = [204, 205, 304];

/**
 * How the model API is asked, in place of the global `fetch`: that one gives up when a model thinks
 * for five minutes, and follows redirects with the key in a header.
 */
export const modelFetch: typeof fetch = async (input, init = {}) => {
  const { body, signal } = init;
  if (typeof body !== 'string') throw new TypeError('a question to a model is a text');
  const { request } = new URL(String(input)).protocol === 'https:' ? https : http;
  const asking = request(String(input), {
    method: 'POST',
    headers: { ...Object.fromEntries(new Headers(init.headers)) },
    // A connection of its own: one that was kept may be dead by now.
    agent: false,
    ...(signal && { signal }),
  });
  asking.end(body);
  try {
    return responseOf(await answerTo(asking));
  } catch (error) {
    asking.destroy();
    // In the words of fetch, which the providers' libraries know.
    throw signal?.aborted ? error : new TypeError('fetch failed', { cause: error });
  }
};

/** Tells when an answer begins, however long it takes to end. An error of the API is none. */
export function fetchTelling(onAnswer: () => void): typeof fetch {
  return async (input, init) => {
    const response = await modelFetch(input, init);
    if (response.ok) onAnswer();
    return response;
  };
}

/** Its error is of interest only before there is an answer: then the body tells. */
function answerTo(asking: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asking.once('response', resolve);
    asking.on('error', reject);
    // There is no error if the server wanted to go on with another protocol.
    asking.once('close', () => reject(new Error('the connection was closed without an answer')));
  });
}

function responseOf(message: IncomingMessage): Response {
  const { statusCode: status = 0, headersDistinct } = message;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    headers.set(name, values.join(', '));
  }
  if (!emptyStatuses.includes(status)) {
    return new Response(ReadableStream.from(chunksOf(message)), { status, headers });
  }
  message.resume();
  return new Response(null, { status, headers });
}

async function* chunksOf(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of message) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`it is longer than ${maxBytes} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw new TypeError('the answer broke off', { cause: error });
  }
}
