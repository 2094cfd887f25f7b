import type { Secret, Secrets } from './secrets.js';
import { tokenShapes } from './token-shapes.js';

/** A part of a text that must not be seen. */
interface Span {
  start: number;
  end: number;
  name: string;
  /** Length of the secret that names it; 0 if only its shape is known. */
  weight: number;
}

/**
 * How a text says that something was left out, at its start, in the middle or at its end; also where
 * it is quoted in a sentence, with its length behind it.
 */
const cuts = /^… |\n\[\.\.\. \d+ characters left out \.\.\.]\n| …(?=$|"? \(\d+ characters\))/g;
const cutTraces = ['… ', ' …', 'characters left out'];
/** Less of a secret helps nobody. */
const minLeft = 4;

/**
 * Replaces secrets, and what has the shape of one, by `[redacted:NAME]`; also what is left of a
 * secret beside a cut.
 */
export class Redactor {
  readonly #needles: Secret[];
  readonly #markers = new Map<string, string>();
  /** Found in every text with something to replace, so that the others cost one look. */
  readonly #traceInText: RegExp;
  readonly #traceInJson: RegExp;

  constructor(secrets: Secrets) {
    this.#needles = secrets
      .entries()
      .flatMap(({ name, value }) => spellings(value).map((each) => ({ name, value: each })));
    const values = this.#needles.map(({ value }) => value);
    const shapes = [...tokenShapes.map(({ trace }) => trace), ...cutTraces];
    this.#traceInText = anyOf([...values.map(traceOf), ...shapes]);
    // Without \u and \/ every character has exactly one spelling in JSON.
    this.#traceInJson = anyOf([
      ...values.map((value) => traceOf(inJson(value))),
      ...shapes,
      String.raw`\\[u/]`,
    ]);
    const names = new Set([...this.#needles.map(({ name }) => name), 'token']);
    for (const name of names) this.#markers.set(name, markerFor(name, values));
  }

  /** Takes valid JSON and gives valid JSON: only strings change, and only those that have to. */
  json(text: string): string {
    let trace = indexFrom(0, this.#traceInJson, text);
    let redacted = '';
    let done = 0;
    let open = trace === -1 ? -1 : text.indexOf('"');
    while (open !== -1 && trace !== -1) {
      const end = stringEnd(text, open);
      // It stood between the strings: in a number, for example.
      if (trace < open) trace = indexFrom(open, this.#traceInJson, text);
      if (trace !== -1 && trace < end) {
        const value = JSON.parse(text.slice(open, end)) as string;
        const replaced = this.text(value);
        if (replaced !== value) {
          redacted += text.slice(done, open) + JSON.stringify(replaced);
          done = end;
        }
        trace = indexFrom(end, this.#traceInJson, text);
      }
      open = text.indexOf('"', end);
    }
    return done === 0 ? text : redacted + text.slice(done);
  }

  text(text: string): string {
    if (indexFrom(0, this.#traceInText, text) === -1) return text;
    let redacted = '';
    let done = 0;
    const cutsInText = [...text.matchAll(cuts)];
    const known = this.#needles.flatMap((needle) => [
      ...secretSpans(text, needle),
      ...cutsInText.flatMap((cut) => remainsBeside(cut, text, needle)),
    ]);
    for (const { start, end, name } of joined([...known, ...shapeSpans(text)])) {
      redacted += text.slice(done, start) + (this.#markers.get(name) ?? '');
      done = end;
    }
    return redacted + text.slice(done);
  }
}

/** Overlapping ones too: what one leaves of another would be a part of a secret. */
function secretSpans(text: string, { name, value }: Secret): Span[] {
  const { length } = value;
  const spans: Span[] = [];
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    const last = spans.at(-1);
    if (last && at < last.end) last.end = at + length;
    else spans.push({ start: at, end: at + length, name, weight: length });
  }
  return spans;
}

/** The beginning of a secret that was cut off, and the end of one that began before. */
function remainsBeside(
  { index, 0: sign }: RegExpExecArray,
  text: string,
  { name, value }: Secret,
): Span[] {
  const end = index + sign.length;
  const spans: Span[] = [];
  const before = longestPart(value, (length) => text.endsWith(value.slice(0, length), index));
  if (before > 0) spans.push({ start: index - before, end: index, name, weight: before });
  const after = longestPart(value, (length) => text.startsWith(value.slice(-length), end));
  if (after > 0) spans.push({ start: end, end: end + after, name, weight: after });
  return spans;
}

function longestPart({ length }: string, isThere: (length: number) => boolean): number {
  for (let left = length - 1; left >= minLeft; left--) if (isThere(left)) return left;
  return 0;
}

function* shapeSpans(text: string): Generator<Span> {
  for (const { pattern, keepsBefore, isSecret } of tokenShapes) {
    for (const { index, 0: whole, 1: before = '', 2: secret = '' } of text.matchAll(pattern)) {
      if (secret.includes('${') || isSecret?.(secret) === false) continue;
      const start = keepsBefore ? index + before.length : index;
      yield { start, end: index + whole.length, name: 'token', weight: 0 };
    }
  }
}

/** Overlapping spans made one, with the name of the longest secret in it. */
function joined(spans: Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (!last || span.start >= last.end) {
      all.push({ ...span });
      continue;
    }
    last.end = Math.max(last.end, span.end);
    if (span.weight > last.weight) {
      last.name = span.name;
      last.weight = span.weight;
    }
  }
  return all;
}

/**
 * A secret in JSON that a text quotes, or in an address, is the same secret; so it is in JSON that
 * holds a text with JSON, as tools like to send it.
 */
function spellings(value: string): string[] {
  const json = inJson(value);
  const quoted = [json, json.replaceAll('/', String.raw`\/`)];
  return [...new Set([value, ...quoted, ...quoted.map(inJson), inUrl(value)])];
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function inUrl(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half a surrogate pair, which no address can hold.
    return value;
  }
}

/** The beginning is enough to look closer, and keeps the pattern small. */
function traceOf(value: string): string {
  return value.slice(0, 40).replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

function anyOf(sources: string[]): RegExp {
  return new RegExp([...new Set(sources)].join('|'), 'g');
}

function indexFrom(start: number, pattern: RegExp, text: string): number {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? -1;
}

/** A name may hold a secret itself (`PASSWORD=PASSWORD`), and the marker must not. */
function markerFor(name: string, secrets: readonly string[]): string {
  const candidates = [`[redacted:${name}]`, '[redacted:secret]', '[...]'];
  const isSafe = (marker: string) => !secrets.some((secret) => marker.includes(secret));
  return candidates.find(isSafe) ?? '';
}

/** Behind the closing quote of the JSON string that opens at a place. */
function stringEnd(text: string, open: number): number {
  for (
    let close = text.indexOf('"', open + 1);
    close !== -1;
    close = text.indexOf('"', close + 1)
  ) {
    let backslashes = 0;
    while (text[close - 1 - backslashes] === '\\') backslashes++;
    // An odd one belongs to the quote, the others escape each other.
    if (backslashes % 2 === 0) return close + 1;
  }
  return text.length;
}
