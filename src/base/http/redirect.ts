import { HttpError } from './http-error.js';
import { type CheckedRequest, credentialsOf, isHttp } from './http-request.js';

const credentials = ['authorization', 'cookie', 'proxy-authorization'];
const bodyHeaders = ['content-type', 'content-encoding', 'content-language', 'content-location'];

/** The request that a redirect asks for; undefined: the answer is none. Throws HttpError. */
export function redirected(
  request: CheckedRequest,
  status: number,
  location: string | undefined,
): CheckedRequest | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const url = target(request.url, location);
  const isElsewhere = url.origin !== request.url.origin;
  const keepsBody = status >= 307 || request.method === 'GET' || request.method === 'HEAD';
  const headers = {
    // Also a Host that was asked for was meant for the one server.
    ...without(request.headers, [
      ...(isElsewhere ? [...credentials, 'host'] : []),
      ...(keepsBody ? [] : bodyHeaders),
    ]),
    ...credentialsOf(url),
  };
  if (!keepsBody) return { url, method: 'GET', headers };
  return { ...request, url, headers };
}

/** What a server sends beyond ASCII are bytes of UTF-8, which Node takes for Latin-1. */
function target(from: URL, location: string): URL {
  const text = Buffer.from(location, 'latin1').toString();
  const url = URL.canParse(text, from.href) ? new URL(text, from) : undefined;
  if (url && isHttp(url)) return url;
  const shown = JSON.stringify(text.slice(0, 200));
  throw new HttpError(
    'bad-redirect',
    `${from.host} redirects to ${shown}, which is not an http or https address`,
  );
}

function without(
  headers: CheckedRequest['headers'],
  names: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}
