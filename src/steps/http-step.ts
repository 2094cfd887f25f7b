import { join } from 'node:path';
import { TextDecoder } from 'node:util';
import { HttpError, type HttpErrorCode } from '../base/http/http-error.js';
import type { HttpRequest } from '../base/http/http-request.js';
import { exchange, type HttpAnswer } from '../base/http/transfer.js';
import { truncate } from '../base/text.js';
import type { StepAccount } from '../journal/step-events.js';
import { BoundedOutput, collectOutputs } from './bounded-output.js';
import { type Expectations, findUnmetExpectations } from './expectations.js';
import { type ExpectedContent, prepareExpectations } from './expected-content.js';
import { resolveStrings } from './placeholder-values.js';
import type { StepContext, StepResult } from './step.js';

/** The value of `http` in a step. */
interface HttpData extends RequestData {
  expect?: { status?: number; body?: ExpectedContent };
}

/** A longer body is an error of the step. */
const maxBodyBytes = 16 * 1024 * 1024;
/** How many unmet expectations the message names; the account has all of them. */
const maxNamedUnmet = 3;

/** Makes a request; status and body decide the outcome. */
export async function runHttpStep(data: unknown, context: StepContext): Promise<StepResult> {
  const { expect: { status, body = {} } = {}, ...requestData } = data as HttpData;
  const request = prepareRequest(requestData, context.resolve);
  const expectations = prepareExpectations(body, context.resolve);
  const account = { request: recordRequest(request) };
  const { signal, environment } = context;
  const followRedirects = status === undefined || status < 300 || status > 399;
  try {
    const options = { signal, environment, maxBytes: maxBodyBytes, followRedirects };
    const answer = await exchange(request, options);
    return judgeAnswer(answer, { status, expectations }, account, context);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { ...describeHttpError(error), outputs: {}, account };
  }
}

/** Errors on our side, which say nothing about what is verified; a server that does not answer does. */
const ourErrors: readonly HttpErrorCode[] = ['invalid-request', 'environment', 'proxy', 'too-long'];

function describeHttpError({ code, message }: HttpError): Pick<StepResult, 'outcome' | 'message'> {
  if (code === 'aborted') return { outcome: 'stopped' };
  return { outcome: ourErrors.includes(code) ? 'error' : 'failed', message };
}

function judgeAnswer(
  answer: HttpAnswer,
  expected: { status: number | undefined; expectations: Expectations },
  account: StepAccount,
  context: StepContext,
): StepResult {
  const type = answer.headers['content-type'] ?? '';
  const text = createBodyDecoder(type).decode(answer.body);
  const unmet = [
    ...checkStatus(answer.status, expected.status),
    ...findUnmetExpectations(expected.expectations, {
      name: 'body',
      text,
      json: findJson(text),
      kind: type || 'no content type',
    }),
  ];
  const { outputs, ...cut } = collectOutputs({ body: boundBody(answer, type, context) });
  return {
    ...(unmet.length === 0
      ? { outcome: 'passed' }
      : { outcome: 'failed', message: joinUnmet(unmet) }),
    outputs: { status: String(answer.status), ...outputs },
    ...cut,
    account: { ...account, response: recordAnswer(answer), ...(unmet.length > 0 && { unmet }) },
  };
}

function checkStatus(found: number, expected: number | undefined): string[] {
  const isMet = expected === undefined ? found >= 200 && found <= 299 : found === expected;
  return isMet ? [] : [`status: expected ${expected ?? '2xx'}, found ${found}`];
}

function joinUnmet(unmet: readonly string[]): string {
  const more = unmet.length - maxNamedUnmet;
  const first = unmet.slice(0, maxNamedUnmet).join('; ');
  return more > 0 ? `${first}; and ${more} more` : first;
}

function boundBody(
  { body }: HttpAnswer,
  type: string,
  { harnessFolder, phase, step }: StepContext,
): BoundedOutput {
  const decoder = createBodyDecoder(type);
  const output = new BoundedOutput(join(harnessFolder, `${phase}-${step}-body`), {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  });
  output.add(body);
  return output;
}

function recordAnswer({
  status,
  headers,
  body,
  redirects,
}: HttpAnswer): NonNullable<StepAccount['response']> {
  return {
    status,
    headers: redactHeaders(headers),
    bytes: body.length,
    ...(redirects.length > 0 && { redirects }),
  };
}

/** The part of `http` that describes the request. */
interface RequestData {
  url: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: { raw?: string; json?: unknown };
}

/** How much of a request's body is recorded, in characters. */
const maxShownBody = 16 * 1024;

const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie'];

/** Builds the request, with placeholders replaced. */
function prepareRequest(
  { url, method = 'GET', headers = {}, body }: RequestData,
  resolve: StepContext['resolve'],
): HttpRequest & { method: string; headers: Readonly<Record<string, string>>; body?: string } {
  const resolved = resolveStrings(headers, resolve);
  const request = { url: resolve(url), method: resolve(method).toUpperCase(), headers: resolved };
  if (body === undefined) return request;
  if (body.raw !== undefined) return { ...request, body: resolve(body.raw) };
  const hasType = Object.keys(resolved).some((name) => name.toLowerCase() === 'content-type');
  return {
    ...request,
    headers: hasType ? resolved : { 'content-type': 'application/json', ...resolved },
    body: JSON.stringify(resolveStrings(body.json, resolve)),
  };
}

/** Formats the request for the record. */
function recordRequest({
  url,
  method,
  headers,
  body,
}: ReturnType<typeof prepareRequest>): NonNullable<StepAccount['request']> {
  return {
    method,
    url: redactCredentials(url),
    headers: redactHeaders(headers),
    ...(body !== undefined && { body: truncate(body, maxShownBody) }),
  };
}

/** Redacts headers with credentials, also those that are not known as secrets. */
function redactHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lower = name.toLowerCase();
      return [name, secretHeaders.includes(lower) ? `[redacted:${lower}]` : value];
    }),
  );
}

function redactCredentials(url: string): string {
  return url.replace(/^(\s*\w+:[/\\]*)[^/\\?#]*@/, '$1[redacted:credentials]@');
}

/** Creates the decoder for a content type; UTF-8 if it names no known charset. */
function createBodyDecoder(contentType: string): TextDecoder {
  const [, label = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

/** Returns the text if it is valid JSON. */
function findJson(text: string): string | undefined {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}
