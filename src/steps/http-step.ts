import { join } from 'node:path';
import { exchange, type HttpAnswer } from '../base/http/exchange.js';
import { HttpError, type HttpErrorCode } from '../base/http/http-error.js';
import type { StepAccount } from '../journal/step-events.js';
import { BoundedOutput } from './bounded-output.js';
import { boundedOutputs } from './bounded-outputs.js';
import { type Expectations, unmetExpectations } from './expectations.js';
import { type ExpectedContent, preparedExpectations } from './expectations-prepared.js';
import { bodyDecoder, jsonText } from './http-body-text.js';
import {
  preparedRequest,
  type RequestData,
  shownRequest,
  withoutSecrets,
} from './http-step-request.js';
import type { StepContext, StepResult } from './step.js';

/** What stands under `http`. */
interface HttpData extends RequestData {
  expect?: { status?: number; body?: ExpectedContent };
}

/** More of a body than this is not judged. */
const maxBytes = 16 * 1024 * 1024;
/** In the message; all of them are in the account. */
const maxToldUnmet = 3;

/** Makes a request; the status and what is expected of the body decide. */
export async function runHttp(data: unknown, context: StepContext): Promise<StepResult> {
  const { expect: { status, body = {} } = {}, ...requestData } = data as HttpData;
  const request = preparedRequest(requestData, context.resolve);
  const expectations = preparedExpectations(body, context.resolve);
  const account = { request: shownRequest(request) };
  const { signal, environment } = context;
  const followRedirects = status === undefined || status < 300 || status > 399;
  try {
    const options = { signal, environment, maxBytes, followRedirects };
    const answer = await exchange(request, options);
    return judged(answer, { status, expectations }, account, context);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return { ...withoutAnswer(error), outputs: {}, account };
  }
}

/** That nobody answers says something about what is verified; that we cannot ask does not. */
const ours: readonly HttpErrorCode[] = ['invalid-request', 'environment', 'proxy', 'too-long'];

function withoutAnswer({ code, message }: HttpError): Pick<StepResult, 'outcome' | 'message'> {
  if (code === 'aborted') return { outcome: 'stopped' };
  return { outcome: ours.includes(code) ? 'error' : 'failed', message };
}

function judged(
  answer: HttpAnswer,
  expected: { status: number | undefined; expectations: Expectations },
  account: StepAccount,
  context: StepContext,
): StepResult {
  const type = answer.headers['content-type'] ?? '';
  const text = bodyDecoder(type).decode(answer.body);
  const unmet = [
    ...unmetStatus(answer.status, expected.status),
    ...unmetExpectations(expected.expectations, {
      name: 'body',
      text,
      json: jsonText(text),
      kind: type || 'no content type',
    }),
  ];
  const { outputs, ...cut } = boundedOutputs({ body: bodyOutput(answer, type, context) });
  return {
    ...(unmet.length === 0 ? { outcome: 'passed' } : { outcome: 'failed', message: told(unmet) }),
    outputs: { status: String(answer.status), ...outputs },
    ...cut,
    account: { ...account, response: shownAnswer(answer), ...(unmet.length > 0 && { unmet }) },
  };
}

function unmetStatus(found: number, expected: number | undefined): string[] {
  const isMet = expected === undefined ? found >= 200 && found <= 299 : found === expected;
  return isMet ? [] : [`status: expected ${expected ?? '2xx'}, found ${found}`];
}

function told(unmet: readonly string[]): string {
  const more = unmet.length - maxToldUnmet;
  const first = unmet.slice(0, maxToldUnmet).join('; ');
  return more > 0 ? `${first}; and ${more} more` : first;
}

function bodyOutput(
  { body }: HttpAnswer,
  type: string,
  { harnessFolder, phase, step }: StepContext,
): BoundedOutput {
  const decoder = bodyDecoder(type);
  const output = new BoundedOutput(join(harnessFolder, `${phase}-${step}-body`), {
    write: (bytes) => decoder.decode(bytes, { stream: true }),
    end: () => decoder.decode(),
  });
  output.add(body);
  return output;
}

function shownAnswer({
  status,
  headers,
  body,
  redirects,
}: HttpAnswer): NonNullable<StepAccount['response']> {
  return {
    status,
    headers: withoutSecrets(headers),
    bytes: body.length,
    ...(redirects.length > 0 && { redirects }),
  };
}
