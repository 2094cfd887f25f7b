import type { HttpRequest } from '../base/http/http-request.js';
import { dropPartialLastWord } from '../base/text.js';
import type { StepAccount } from '../journal/step-events.js';
import { resolvedStrings } from './resolved-strings.js';
import type { StepContext } from './step.js';

/** Of what stands under `http`, the request. */
export interface RequestData {
  url: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: { raw?: string; json?: unknown };
}

/** In characters: enough to see what was asked. */
const maxShownBody = 16 * 1024;

const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];

/** With placeholders replaced. */
export function preparedRequest(
  { url, method = 'GET', headers = {}, body }: RequestData,
  resolve: StepContext['resolve'],
): HttpRequest & { method: string; headers: Readonly<Record<string, string>>; body?: string } {
  const given = resolvedStrings(headers, resolve);
  const request = { url: resolve(url), method: resolve(method).toUpperCase(), headers: given };
  if (body === undefined) return request;
  if (body.raw !== undefined) return { ...request, body: resolve(body.raw) };
  const hasType = Object.keys(given).some((name) => name.toLowerCase() === 'content-type');
  return {
    ...request,
    headers: hasType ? given : { 'content-type': 'application/json', ...given },
    body: JSON.stringify(resolvedStrings(body.json, resolve)),
  };
}

/** The request as it is recorded. */
export function shownRequest({
  url,
  method,
  headers,
  body,
}: ReturnType<typeof preparedRequest>): NonNullable<StepAccount['request']> {
  return {
    method,
    url: withoutCredentials(url),
    headers: withoutSecrets(headers),
    ...(body !== undefined && { body: cut(body) }),
  };
}

/** Who may do something is nobody's business, also where the secret is not known to us. */
export function withoutSecrets(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      return [name, secretHeaders.includes(lower) ? `[redacted:${lower}]` : value];
    }),
  );
}

function withoutCredentials(url: string): string {
  return url.replace(/^(\s*\w+:[/\\]*)[^/\\?#]*@/, '$1[redacted:credentials]@');
}

function cut(text: string): string {
  if (text.length <= maxShownBody) return text;
  return `${dropPartialLastWord(text.slice(0, maxShownBody))} …`;
}
