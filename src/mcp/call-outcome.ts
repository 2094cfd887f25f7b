import { asArray, isObject, type JsonObject } from '../base/json.js';
import { findMalformation, type ResultKind } from './malformed-result.js';
import { errorCodes } from './message.js';
import { McpError, type RpcAnswer } from './rpc-message.js';

/** The outcome of a call. */
export interface CallOutcome {
  isError: boolean;
  /** The texts of the result, for models and scripts; of an error its message. */
  text: string;
  /** The whole result. */
  result?: unknown;
  error?: { code: number; message: string };
  /** The connection failed: it is not known whether the server has seen the call. */
  isLost?: true;
  /** There is an answer, and it has not the shape of a result. */
  isMalformed?: true;
  /** The answer as it came: the result may hold numbers larger than what JavaScript can. */
  answerText?: string;
}

export function readCallOutcome(
  kind: ResultKind,
  { result, error, text: answerText }: RpcAnswer,
): CallOutcome {
  if (error) {
    const { code, message } = error;
    return { isError: true, text: message, error: { code, message }, answerText };
  }
  if (isObject(result) && result.resultType === 'input_required') {
    return { ...failure(describeNeededInput(result)), result, answerText };
  }
  const malformed = findMalformation(kind, result);
  if (malformed !== undefined) {
    const failed = failure(`The server's answer is malformed: ${malformed}.`);
    return { ...failed, isMalformed: true, answerText };
  }
  const isError = isObject(result) && result.isError === true;
  return { isError, text: formatResultText(result), result, answerText };
}

/** The outcome of a call that was not answered, or could not be made. */
export function describeFailedCall(error: unknown): CallOutcome {
  if (error instanceof McpError && !error.isOurs) {
    return { ...failure(error.message), ...(error.code === 'unreachable' && { isLost: true }) };
  }
  if (error instanceof RangeError)
    return failure('The arguments are nested too deeply to be sent.');
  throw error;
}

function failure(message: string): CallOutcome {
  return { isError: true, text: message, error: { code: errorCodes.relay, message } };
}

function describeNeededInput({ inputRequests }: JsonObject): string {
  const methods = Object.values(isObject(inputRequests) ? inputRequests : {}).flatMap((request) =>
    isObject(request) && typeof request.method === 'string' ? [request.method] : [],
  );
  const asked = methods.length === 0 ? '' : ` (${[...new Set(methods)].join(', ')})`;
  return `The server asks for input that cannot be given here${asked}.`;
}

function formatResultText(result: unknown): string {
  if (!isObject(result)) return '';
  const { content, contents, messages, structuredContent } = result;
  const items = [
    ...asArray(content),
    ...asArray(contents),
    ...asArray(messages).map((message) => (isObject(message) ? message.content : undefined)),
  ];
  if (items.length === 0 && structuredContent !== undefined) return formatJson(structuredContent);
  return items.map(formatItem).join('\n');
}

/** What is no text is named, so that a model knows that there is something. */
function formatItem(item: unknown): string {
  if (!isObject(item)) return '';
  const { type, text, resource, uri, mimeType } = item;
  if (typeof text === 'string') return text;
  if (isObject(resource) && typeof resource.text === 'string') return resource.text;
  const source = isObject(resource) ? resource : { uri, mimeType };
  const facts = [type ?? 'data', source.uri, source.mimeType];
  return `[${facts.filter((fact) => typeof fact === 'string').join(' ')}]`;
}

function formatJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '[a value that is nested too deeply]';
  }
}
