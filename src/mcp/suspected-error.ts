import { isObject, type JsonObject } from '../base/json.js';

/** In characters: a message about an error is short, and only a stack trace is longer. */
const longestMessage = 2000;
const longestTrace = 20_000;
/** In characters of JSON: what is longer is not parsed to find out whether it is an error. */
export const longestSuspect = 64 * 1024;
/** An error takes a few lines; what has more is a document or a log that begins with one. */
const mostLines = 12;
/**
 * The line with which the result of a tool looks like an error, although it is not marked with
 * `isError`; undefined if it does not. Clients and models cannot distinguish such a result from a success.
 * What only talks about errors (logs, documents, lists of issues) must not be taken for one: in
 * doubt it is none.
 */
export function suspectedErrorIn(result: unknown): string | undefined {
  if (!isObject(result) || result.isError === true) return undefined;
  const { content, structuredContent } = result;
  const texts = (Array.isArray(content) ? content : []).flatMap((item) =>
    isObject(item) && typeof item.text === 'string' ? [item.text] : [],
  );
  // Something else beside the text, such as an image, is what was asked for.
  if (Array.isArray(content) && content.length > texts.length) return undefined;
  if (texts.length > 0) return looksLikeError(texts.join('\n'));
  return isObject(structuredContent) ? errorEnvelope(structuredContent) : undefined;
}

/** The line that makes a text look like a message about an error; undefined if it does not. */
export function looksLikeError(text: string): string | undefined {
  if (text.length > longestTrace) return undefined;
  const trimmed = text.trim();
  if (/^[{[]/.test(trimmed)) return errorInJson(trimmed);
  const lines = trimmed.split('\n').map((line) => line.trim());
  // Signs and marks that decorate a message.
  const first = (lines[0] ?? '').replace(/^(?:[\p{So}\s*"'`]|\uFE0F)+/u, '');
  if (traces.some((pattern) => pattern.test(first))) return first;
  if (trimmed.length > longestMessage) return undefined;
  const others = lines.slice(1).filter((line) => line !== '' && !isTraceLine(line));
  if (others.length >= mostLines) return undefined;
  // A line of code is no message.
  const isSuspect =
    !/[{,;(]$/.test(first) && !isHarmless(first) && messages.some((pattern) => pattern.test(first));
  // Several in a row are a list of them: a log, test results, or titles of issues.
  if (!isSuspect || others.some(isListed)) return undefined;
  return first;
}

/** How a stack trace or a crash begins. */
const traces: readonly RegExp[] = [
  /^Traceback \(most recent call last\)/,
  /^Exception in thread "/,
  /^panic: /,
  /^thread '.*' panicked at /,
  /^Uncaught [\w.]*(?:Error|Exception)\b/,
];

/** How a message about an error begins. */
const messages: readonly RegExp[] = [
  // Error: ..., ValueError: ..., java.io.IOException: ..., Error (404): ..., Error [E_ARG]: ...
  /^(?:[\w$]+[.:]{1,2})*(?:[A-Z][\w$]*)?(?:Error|Exception)(?: ?[([][^)\]]{1,60}[)\]])?: ?\S/,
  // Database error: ..., MCP error -32602: ..., Input validation error: ..., error: ..., ERROR: ...
  /^(?:[\w-]{1,30} ){0,3}error(?: -?\d{1,6})?: ?\S/i,
  // Error executing tool add: ...
  /^error (?:calling|connecting|creating|deleting|executing|fetching|getting|invoking|listing|loading|occurred|opening|parsing|processing|querying|reading|retrieving|running|searching|sending|updating|while|writing)\b[^\n]{0,200}(?::|\.$|$)/i,
  /^(?:sorry, )?an? (?:\w+ )?error (?:occurred|has occurred|happened)\b/i,
  /^(?:sorry, )?(?:there was|i encountered|encountered) an? (?:\w+ )?error\b/i,
  // ENOENT: no such file or directory, SQLSTATE[42S02]: ...
  /^(?:E[A-Z]{3,20}|SQLSTATE\[\w+\]): \S/,
  /^(?:failed|unable) to [a-z]{2,}/i,
  /^(?:could not|couldn't|cannot|can't) (?:access|authenticate|connect|create|delete|execute|fetch|find(?! any)|get|list|load|open|parse|process|query|reach|read|resolve|retrieve|run|update|write)\b/i,
  /^(?:(?:api|command|execution|http|operation|query|request|search|tool|tool call|tool execution)\s){1,2}failed\b(?! \d+ times)/i,
  // 404 Not Found, HTTP 500, HTTP error 502: ..., 403 Client Error: ...
  /^(?:http(?:\/\d(?:\.\d)?)?[ :]+)?(?:error |status(?: code)?[ :]+)?[45]\d\d:? (?:bad request|unauthorized|payment required|forbidden|not found|method not allowed|not acceptable|request timeout|conflict|gone|payload too large|unprocessable (?:entity|content)|too many requests|internal server error|not implemented|bad gateway|service unavailable|gateway timeout|client error|server error|page not found)\b/i,
  /^http(?:\/\d(?:\.\d)?)?(?: error| status)?:? [45]\d\d\b/i,
  /^(?:access|permission) (?:is )?denied\b/i,
  /^(?:unauthorized|forbidden|internal server error|bad request|not authorized|rate limit exceeded|too many requests)(?:[.:!]|$)/i,
  /^(?:invalid|missing|unknown) (?:required )?(?:api key|argument|arguments|credentials|input|parameter|parameters|params|request|tool|token)\b[^\n]{0,80}?(?::|\.?$)/i,
  /^fatal: \S/,
  /^(?:connection|request|operation|query|tool call|execution) (?:refused|reset|timed out)\b/i,
];

/** A line that begins as a message does, and is a measure, a tally, a heading or an explanation. */
function isHarmless(line: string): boolean {
  // A class of errors is no label: KeyError: 0
  const [, label = '', value] =
    /^(?!\S*[a-z](?:Error|Exception):)([^:]{1,80}):\s*(.*)$/.exec(line) ?? [];
  return (
    (value !== undefined && (saysNone(value) || (measures.test(label) && isFigure(value)))) ||
    // No error: ..., without error: ...
    /^(?:no|without|zero)\b/i.test(line) ||
    // Permission denied? Here is how to fix it
    /^[^.:]*\?/.test(line) ||
    // 404 Not Found is returned when ...
    /^(?:http )?[45]\d\d\b[^.:]*\b(?:is|are|means)\b/i.test(line)
  );
}

/** There was no error: `Error: none`, `Syntax error: 0 found`. */
function saysNone(text: string): boolean {
  return /^(?:(?:none|nil|never|n\/a|false|ok)?[.,]?$|0(?:$|[.,;]?(?:$| )))/i.test(text.trim());
}

/** An error of a kind that has a size, or a time when it was seen last. */
const measures =
  /\b(?:absolute|average|avg|estimation|forecast|last|margin of|maximum|max|mean|measurement|median|percentage|prediction|relative|residual|rms|root|rounding|sampling|squared|standard|std|total|training|validation)\b/i;

/** `0.5`, `±3%`, `1.5e-3`, `2026-01-31, resolved`. */
function isFigure(text: string): boolean {
  return /^(?:[-+±~]?[\d.,]*\d(?:e[-+]?\d+)?\s?%?(?:$|[,;(]|\s*[±/])|\d{4}-\d\d-\d\d)/i.test(
    text.trim(),
  );
}

/** A line below the first that belongs to the trace of an error. */
function isTraceLine(line: string): boolean {
  return /^(?:at |File "|\^|\.{3} |Caused by: |During handling of )/.test(line);
}

/** A line that is an entry of its own: a message of its own, or one of a log. */
function isListed(line: string): boolean {
  const entry = line.replace(/^(?:[-*•]|\d+[.)])\s+/, '');
  return (
    messages.some((pattern) => pattern.test(entry)) ||
    /^\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|(?:debug|info|warn|warning|notice|trace)\b)/i.test(line)
  );
}

/** Finds an error in JSON. Only an object can be one: a list has entries of which some may be errors. */
function errorInJson(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isObject(value) ? errorEnvelope(value) : undefined;
}

/** Members that hold an error. */
const errorKeys = ['error', 'error_message', 'errormessage'];
/** Members that say what went wrong, the most specific first. */
const sayingKeys = [
  ...errorKeys,
  ...['message', 'msg', 'reason', 'detail', 'details', 'description'],
];
/** What stands around an error in JSON. Anything else is data, which may well be about an error. */
const envelopeKeys = new Set([
  ...[...sayingKeys, 'errors', 'hint'],
  ...['suggestion', 'code', 'errorcode', 'error_code', 'type', 'error_type', 'errortype', 'ok'],
  ...['success', 'status', 'statuscode', 'status_code', 'iserror', 'is_error', 'timestamp'],
  ...['path', 'requestid', 'request_id', 'trace', 'traceback', 'stack', 'documentation_url'],
  ...['data', 'result', 'results', 'content'],
]);
/** Keys whose value makes it a success. */
const payloadKeys = new Set(['data', 'result', 'results', 'content']);

/** The error that an object is wrapped around, and nothing else: `{"error": "no such table"}`. */
function errorEnvelope(object: JsonObject): string | undefined {
  const members = new Map(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]));
  const keys = [...members.keys()];
  if (keys.some((key) => !envelopeKeys.has(key))) return undefined;
  if (keys.some((key) => payloadKeys.has(key) && !isEmpty(members.get(key)))) return undefined;
  const said = sayingKeys
    .map((key) => members.get(key))
    .find((value) => !isEmpty(value) && value !== true && !isCode(value));
  const isError =
    errorKeys.some((key) => isErrorValue(members.get(key))) ||
    // A number alone measures something; beside a message it is a code.
    (isCode(members.get('error')) && typeof said === 'string') ||
    // GraphQL. Without `data`, a list of errors is what a validator was asked for.
    (members.has('data') && Array.isArray(object.errors) && object.errors.length > 0) ||
    ['iserror', 'is_error'].some((key) => members.get(key) === true) ||
    ['success', 'ok'].some((key) => members.get(key) === false) ||
    isFailedStatus(members);
  if (!isError) return undefined;
  return firstLine(typeof said === 'string' ? said : JSON.stringify(object));
}

function isCode(value: unknown): boolean {
  return typeof value === 'number' && value !== 0;
}

/** A message, or an object with one; a map of figures measures something. */
function isErrorValue(value: unknown): boolean {
  if (typeof value === 'string') return !saysNone(value);
  if (isObject(value)) return Object.keys(value).some((key) => envelopeKeys.has(key.toLowerCase()));
  return value === true || (Array.isArray(value) && value.length > 0);
}

/** `status: "error"`, or a status of HTTP beside a message. */
function isFailedStatus(members: ReadonlyMap<string, unknown>): boolean {
  const status = ['status', 'statuscode', 'status_code'].map((key) => members.get(key));
  if (
    status.some((value) => typeof value === 'string' && /^(?:error|failed|failure)$/i.test(value))
  )
    return !isEmpty(members.get('message'));
  const isHttpError = status.some((value) => /^[45]\d\d$/.test(String(value)));
  return isHttpError && !isEmpty(members.get('message'));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
