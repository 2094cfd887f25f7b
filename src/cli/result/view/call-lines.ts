import { formatShortDuration } from '../../../analysis/figure-text.js';
import type { CallEntry, OwnCallEntry } from '../../../analysis/story/story-entry.js';
import { isObject } from '../../../base/json.js';
import type { CallRecord } from '../../../results/task-run-record.js';
import { cleanLine, cutToWidth } from '../../check/live/terminal-line.js';
import { type CallOutcome, callColors, decideCallOutcome } from '../../render-call.js';
import { getTextWidth, renderQuoted, renderTimelineLine } from './timeline.js';
import type { Look } from './view-options.js';

/** A call of a server: what, how it went, with which arguments, and what came back. */
export function renderCallLines({ call, startMs }: CallEntry, look: Look): string[] {
  const outcome = decideCallOutcome(call);
  const duration = call.durationMs === null ? '' : `  ${formatShortDuration(call.durationMs)}`;
  const name =
    call.kind === 'tool'
      ? `${call.server}.${call.name}`
      : `${call.server} ${call.kind} ${call.name}`;
  const head = renderHead(name, outcome, `#${call.call}${duration}`, look);
  const failed = call.isError || call.blocked;
  return [
    renderTimelineLine({ startMs, label: 'calls' }, head, look, 'cyan'),
    ...renderQuoted(formatArguments(call.args, getTextWidth(look)), look),
    ...renderQuoted(describeDoubt(outcome, call.malformed), look, { format: callColors[outcome] }),
    ...(failed
      ? renderQuoted(formatError(call), look, {
          format: 'red',
          mark: '! ',
          maxLines: look.maxLines * 2,
        })
      : renderQuoted(formatResult(call), look, { format: 'dim', mark: '| ' })),
  ];
}

/** What is wrong with an answer that is not marked as an error. */
function describeDoubt(outcome: CallOutcome, malformed: string | undefined): string {
  if (outcome === 'malformed') return `malformed: ${malformed}`;
  return outcome === 'suspect' ? 'looks like an error, and is not marked isError' : '';
}

/** A tool of the agent's own, by its own account. */
export function renderOwnCallLines({ tool, args, result }: OwnCallEntry, look: Look): string[] {
  const head = renderHead(tool, result?.isError ? 'error' : undefined, '', look);
  return [
    renderTimelineLine({ label: 'uses' }, head, look, 'cyan'),
    ...renderQuoted(formatArguments(args, getTextWidth(look)), look),
    ...(result?.isError
      ? renderQuoted(result.text, look, { format: 'red', mark: '! ' })
      : renderQuoted(result?.text ?? '', look, { format: 'dim', mark: '| ' })),
  ];
}

/** The name is cut so that the rest is seen. */
function renderHead(
  name: string,
  outcome: CallOutcome | undefined,
  more: string,
  look: Look,
): string {
  const { style, signs } = look;
  const rest = [outcome ?? '', more].filter((text) => text !== '').map((text) => `  ${text}`);
  const room = getTextWidth(look) - rest.join('').length;
  const shown = style('bold', cutToWidth(cleanLine(name), room, signs.cut));
  const how = outcome === undefined ? '' : `  ${style(callColors[outcome], outcome)}`;
  return `${shown}${how}${more === '' ? '' : `  ${style('dim', more)}`}`;
}

/** In characters: longer values that are not text are cut. */
const longestValue = 2000;

/** Arguments in one line if they fit, else a line for each. */
export function formatArguments(args: unknown, width: number): string {
  if (args === null || args === undefined) return '';
  if (!isObject(args)) return formatShortJson(args, longestValue);
  const keys = Object.keys(args);
  if (keys.length === 0) return '';
  const line = formatShortJson(args, width);
  if (line.length <= width) return line;
  return keys.map((key) => `${key}: ${formatTextOrJson(args[key])}`).join('\n');
}

/** The result as the text that the agent got to read. */
export function formatResult({ kind, result }: CallRecord): string {
  if (!isObject(result)) return result === null ? '' : formatShortJson(result, longestValue);
  const { content, contents, messages, structuredContent } = result;
  if (kind === 'tool' && Array.isArray(content)) {
    const text = content.map(formatContent).join('\n');
    return text.trim() === '' && isObject(structuredContent)
      ? formatShortJson(structuredContent, longestValue)
      : text;
  }
  if (kind === 'resource' && Array.isArray(contents))
    return contents.map(formatResource).join('\n');
  if (kind === 'prompt' && Array.isArray(messages)) return messages.map(formatMessage).join('\n');
  return formatShortJson(result, longestValue);
}

/** Why a call failed. */
export function formatError(call: CallRecord): string {
  const { error, blocked, blockedBy } = call;
  if (blocked) return `blocked by ${blockedBy ?? 'the MCP config'}`;
  if (!isObject(error))
    return error === null ? formatResult(call) : formatShortJson(error, longestValue);
  const { code, message, data } = error;
  const head = `${typeof code === 'number' ? `${code}: ` : ''}${formatTextOrJson(message)}`;
  return data === undefined || data === null ? head : `${head}\n${formatTextOrJson(data)}`;
}

function formatContent(part: unknown): string {
  if (!isObject(part)) return formatShortJson(part, longestValue);
  const { type, text, mimeType, data, resource, uri } = part;
  if (typeof text === 'string') return text;
  if (resource !== undefined) return formatResource(resource);
  if (typeof uri === 'string') return `[${formatTextOrJson(type)} ${uri}]`;
  if (typeof data !== 'string') return formatShortJson(part, longestValue);
  return `[${formatTextOrJson(mimeType ?? type)}, ${data.length} characters of base64]`;
}

function formatResource(resource: unknown): string {
  if (!isObject(resource)) return formatShortJson(resource, longestValue);
  const { uri, text, mimeType, blob } = resource;
  if (typeof text === 'string') return text;
  const size = typeof blob === 'string' ? `, ${blob.length} characters of base64` : '';
  return `[${formatTextOrJson(uri ?? mimeType)}${size}]`;
}

function formatMessage(message: unknown): string {
  if (!isObject(message)) return formatShortJson(message, longestValue);
  return `${formatTextOrJson(message.role)}: ${formatContent(message.content)}`;
}

function formatTextOrJson(value: unknown): string {
  return typeof value === 'string' ? value : formatShortJson(value, longestValue);
}

/** A value as JSON on one line, cut after so many characters; what is not shown is not looked at. */
function formatShortJson(value: unknown, length: number): string {
  const writer = new JsonBeginning(length);
  writer.write(value);
  return writer.isFull ? `${writer.text.slice(0, length)} …` : writer.text;
}

class JsonBeginning {
  text = '';
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  get isFull(): boolean {
    return this.text.length > this.#length;
  }

  /** Every level of nesting takes a character, so it cannot go deep. */
  write(value: unknown): void {
    if (Array.isArray(value)) this.#writeList(value);
    else if (isObject(value)) this.#writeMap(value);
    else if (typeof value === 'string') this.#writeString(value);
    else this.text += String(value);
  }

  #writeList(list: readonly unknown[]): void {
    this.text += '[';
    for (const [index, item] of list.entries()) {
      if (this.isFull) return;
      if (index > 0) this.text += ',';
      this.write(item);
    }
    this.text += ']';
  }

  #writeMap(map: Readonly<Record<string, unknown>>): void {
    this.text += '{';
    for (const [index, key] of Object.keys(map).entries()) {
      if (this.isFull) return;
      if (index > 0) this.text += ',';
      this.#writeString(key);
      this.text += ':';
      this.write(map[key]);
    }
    this.text += '}';
  }

  #writeString(text: string): void {
    this.text += JSON.stringify(text.slice(0, this.#length + 1));
  }
}
