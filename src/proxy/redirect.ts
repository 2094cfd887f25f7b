import type { IncomingMessage } from 'node:http';

/** Where a redirect leads. A redirect that the agent followed would lead it past the proxy. */
export function nextAddress(
  { statusCode = 0, headers: { location } }: IncomingMessage,
  from: URL,
  method: string,
): URL | 'refused' | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  const keepsMethod = statusCode === 307 || statusCode === 308 || method === 'GET';
  if (location === undefined || !keepsMethod || !URL.canParse(location, from.href))
    return 'refused';
  const next = new URL(location, from);
  const isWeaker = from.protocol === 'https:' && next.protocol !== 'https:';
  return isWeaker || !/^https?:$/.test(next.protocol) ? 'refused' : next;
}
