import { shortDuration } from '../../../analysis/amount-text.js';
import type { CallEntry, OwnCallEntry } from '../../../analysis/story/story-entry.js';
import { isMap } from '../../../config/kind.js';
import type { CallRecord } from '../../../results/task-run-record.js';
import { cutToWidth, measurableLine } from '../../check/fitted-line.js';
import { type CallOutcome, callColors, outcomeOfCall } from '../../render-call.js';
import { quotedLines, textWidth, timelineLine } from './timeline.js';
import type { Look } from './view-options.js';

/** A call of a server: what, how it went, with which arguments, and what came back. */
export function callLines({ call, startMs }: CallEntry, look: Look): string[] {
  const outcome = outcomeOfCall(call);
  const duration = call.durationMs === null ? '' : `  ${shortDuration(call.durationMs)}`;
  const name =
    call.kind === 'tool'
      ? `${call.server}.${call.name}`
      : `${call.server} ${call.kind} ${call.name}`;
  const head = headLine(name, outcome, `#${call.call}${duration}`, look);
  const failed = call.isError || call.blocked;
  return [
    timelineLine({ startMs, label: 'calls' }, head, look, 'cyan'),
    ...quotedLines(argumentText(call.args, textWidth(look)), look),
    ...quotedLines(doubtOf(outcome, call.malformed), look, { format: callColors[outcome] }),
    ...(failed
      ? quotedLines(errorText(call), look, {
          format: 'red',
          mark: '! ',
          maxLines: look.maxLines * 2,
        })
      : quotedLines(resultText(call), look, { format: 'dim', mark: '| ' })),
  ];
}

/** What is wrong with an answer, where it does not say so itself. */
function doubtOf(outcome: CallOutcome, malformed: string | undefined): string {
  if (outcome === 'malformed') return `malformed: ${malformed}`;
  return outcome === 'suspect' ? 'looks like an error, and is not marked isError' : '';
}

/** A tool of the agent's own, by its own account. */
export function ownCallLines({ tool, args, result }: OwnCallEntry, look: Look): string[] {
  const head = headLine(tool, result?.isError ? 'error' : undefined, '', look);
  return [
    timelineLine({ label: 'uses' }, head, look, 'cyan'),
    ...quotedLines(argumentText(args, textWidth(look)), look),
    ...(result?.isError
      ? quotedLines(result.text, look, { format: 'red', mark: '! ' })
      : quotedLines(result?.text ?? '', look, { format: 'dim', mark: '| ' })),
  ];
}

/** The name is cut so that the rest is seen. */
function headLine(
  name: string,
  outcome: CallOutcome | undefined,
  more: string,
  look: Look,
): string {
  const { style, signs } = look;
  const rest = [outcome ?? '', more].filter((text) => text !== '').map((text) => `  ${text}`);
  const room = textWidth(look) - rest.join('').length;
  const shown = style('bold', cutToWidth(measurableLine(name), room, signs.cut));
  const how = outcome === undefined ? '' : `  ${style(callColors[outcome], outcome)}`;
  return `${shown}${how}${more === '' ? '' : `  ${style('dim', more)}`}`;
}

/** In characters: nobody reads more of a value that is no text. */
const longestValue = 2000;

/** Arguments in one line if they fit, else a line for each. */
export function argumentText(args: unknown, width: number): string {
  if (args === null || args === undefined) return '';
  if (!isMap(args)) return jsonBeginning(args, longestValue);
  const keys = Object.keys(args);
  if (keys.length === 0) return '';
  const line = jsonBeginning(args, width);
  if (line.length <= width) return line;
  return keys.map((key) => `${key}: ${textOrJson(args[key])}`).join('\n');
}

/** What came back, as the text that the agent got to read. */
export function resultText({ kind, result }: CallRecord): string {
  if (!isMap(result)) return result === null ? '' : jsonBeginning(result, longestValue);
  const { content, contents, messages, structuredContent } = result;
  if (kind === 'tool' && Array.isArray(content)) {
    const text = content.map(contentText).join('\n');
    return text.trim() === '' && isMap(structuredContent)
      ? jsonBeginning(structuredContent, longestValue)
      : text;
  }
  if (kind === 'resource' && Array.isArray(contents)) return contents.map(resourceText).join('\n');
  if (kind === 'prompt' && Array.isArray(messages)) return messages.map(messageText).join('\n');
  return jsonBeginning(result, longestValue);
}

/** Why a call failed. */
export function errorText(call: CallRecord): string {
  const { error, blocked, blockedBy } = call;
  if (blocked) return `blocked by ${blockedBy ?? 'the MCP config'}`;
  if (!isMap(error)) return error === null ? resultText(call) : jsonBeginning(error, longestValue);
  const { code, message, data } = error;
  const head = `${typeof code === 'number' ? `${code}: ` : ''}${textOrJson(message)}`;
  return data === undefined || data === null ? head : `${head}\n${textOrJson(data)}`;
}

function contentText(part: unknown): string {
  if (!isMap(part)) return jsonBeginning(part, longestValue);
  const { type, text, mimeType, data, resource, uri } = part;
  if (typeof text === 'string') return text;
  if (resource !== undefined) return resourceText(resource);
  if (typeof uri === 'string') return `[${textOrJson(type)} ${uri}]`;
  if (typeof data !== 'string') return jsonBeginning(part, longestValue);
  return `[${textOrJson(mimeType ?? type)}, ${data.length} characters of base64]`;
}

function resourceText(resource: unknown): string {
  if (!isMap(resource)) return jsonBeginning(resource, longestValue);
  const { uri, text, mimeType, blob } = resource;
  if (typeof text === 'string') return text;
  const size = typeof blob === 'string' ? `, ${blob.length} characters of base64` : '';
  return `[${textOrJson(uri ?? mimeType)}${size}]`;
}

function messageText(message: unknown): string {
  if (!isMap(message)) return jsonBeginning(message, longestValue);
  return `${textOrJson(message.role)}: ${contentText(message.content)}`;
}

function textOrJson(value: unknown): string {
  return typeof value === 'string' ? value : jsonBeginning(value, longestValue);
}

/** A value as JSON on one line, cut after so many characters; what is not shown is not looked at. */
function jsonBeginning(value: unknown, length: number): string {
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
    else if (isMap(value)) this.#writeMap(value);
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
