import { findMatches, type Pattern } from '../patterns/pattern.js';
import { type Literal, LiteralSearch } from './literal-search.js';
import { minSecretLength, type Secret, type Secrets } from './secrets.js';
import { SpelledSecret } from './spelled-secret.js';
import { type TokenFinder, tokenTraces } from './token-shapes.js';
import { findUnwrapped, isWrapInJson } from './wrapped-lines.js';

/** How a text begins that stands for a secret. */
export const redactionStart = '[redacted:';

/** Whether something of a text was redacted. */
export function holdsRedaction(text: string): boolean {
  return text.includes(redactionStart);
}

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
const truncationMarks =
  /^… |\n\[\.\.\. \d+ characters left out \.\.\.]\n| …(?=$|"? \(\d+ characters\))/g;
const leftOutText = 'characters left out';
const jsonNumber = /^-?\d+(?:\.\d+)?$/;
/** A shorter part of a secret is of no use to a reader. */
const minLeft = 4;

/**
 * Replaces secrets, and what has the shape of one, by `[redacted:NAME]`; also what is left of a
 * secret beside a cut.
 */
export class Redactor {
  /** Characters that the longest spelling of a secret has. */
  readonly longest: number;
  readonly #needles: Secret[];
  readonly #patterns: readonly Pattern[];
  readonly #markers = new Map<string, string>();
  /** Markers of the secrets that are a number, by how JSON writes it. */
  readonly #numbers = new Map<string, string>();
  /** Every four characters in a row of a secret: without them, nothing of one is beside a cut. */
  readonly #parts = new Set<string>();
  /** What they find is in every text with something to replace, so that the others cost one look. */
  readonly #search: LiteralSearch<Trace>;
  readonly #searchInJson: LiteralSearch<Trace>;

  constructor(secrets: Secrets) {
    this.#needles = secrets
      .entries()
      .flatMap(({ name, value }) =>
        listSpellings(value).map((spelling) => ({ name, value: spelling })),
      );
    const spelled = secrets.entries().filter(({ value }) => SpelledSecret.isNeededFor(value));
    const secretTraces: Literal<Trace>[] = [
      ...this.#needles.map((secret) => ({ text: secret.value, target: { secret } })),
      ...spelled.flatMap((secret) => new SpelledSecret(secret.value).traces(secret)),
    ];
    this.longest = secretTraces.reduce(
      (most, { text, target }) =>
        Math.max(most, target.spelled?.longest ?? measureLongestWrapped(text)),
      0,
    );
    this.#patterns = secrets.patterns();
    const inStrings = secretTraces.map(({ text, target }) => ({
      text: escapeForJson(text),
      target,
    }));
    this.#search = new LiteralSearch<Trace>([...secretTraces, ...otherTraces]);
    this.#searchInJson = new LiteralSearch<Trace>([...inStrings, ...otherTraces]);
    const values = this.#needles.map(({ value }) => value);
    for (const value of values) {
      for (let at = 0; at + minLeft <= value.length; at++) {
        this.#parts.add(value.slice(at, at + minLeft));
      }
    }
    const names = new Set([...this.#needles.map(({ name }) => name), 'token', 'pattern']);
    for (const name of names) this.#markers.set(name, makeMarker(name, values));
    for (const { name, value } of secrets.entries()) {
      if (jsonNumber.test(value)) this.#numbers.set(value, this.#markers.get(name) ?? '');
    }
  }

  /**
   * JSON from outside, without its secrets: in it, a password of digits may be a number, and
   * becomes a text.
   */
  foreignJson(text: string): string {
    const redacted = this.json(text);
    if (![...this.#numbers.keys()].some((number) => redacted.includes(number))) return redacted;
    const withoutNumbers = (part: string) =>
      part.replace(/-?\d[\d.eE+-]{0,4096}/g, (number) => {
        const marker = this.#numbers.get(number);
        return marker === undefined ? number : JSON.stringify(marker);
      });
    let replaced = '';
    let done = 0;
    for (let open = redacted.indexOf('"'); open !== -1; open = redacted.indexOf('"', done)) {
      const end = findStringEnd(redacted, open);
      replaced += withoutNumbers(redacted.slice(done, open)) + redacted.slice(open, end);
      done = end;
    }
    return replaced + withoutNumbers(redacted.slice(done));
  }

  /** Takes valid JSON and gives valid JSON: only strings change, and only those that have to. */
  json(text: string): string {
    const traces = new Traces(text, this.#patterns.length > 0, this.#searchInJson);
    let redacted = '';
    let done = 0;
    let open = traces.next(0) === -1 ? -1 : text.indexOf('"');
    while (open !== -1) {
      const trace = traces.next(open);
      if (trace === -1) break;
      const end = findStringEnd(text, open);
      if (trace < end) {
        const value = JSON.parse(text.slice(open, end)) as string;
        const replaced = this.text(value);
        if (replaced !== value) {
          redacted += text.slice(done, open) + JSON.stringify(replaced);
          done = end;
        }
      }
      open = text.indexOf('"', end);
    }
    return done === 0 ? text : redacted + text.slice(done);
  }

  text(text: string): string {
    const { spans: all, tokens, hasCut } = this.#found(text);
    if (all.length === 0 && tokens.size === 0 && !hasCut && this.#patterns.length === 0)
      return text;
    for (const [finder, places] of tokens) {
      for (const found of finder.find(text, places)) all.push(makeSpan(found, 'token'));
    }
    if (hasCut) {
      for (const cut of text.matchAll(truncationMarks)) all.push(...this.#remainsBeside(cut, text));
    }
    for (const pattern of this.#patterns) {
      for (const found of findMatches(pattern, text)) all.push(makeSpan(found, 'pattern'));
    }
    let redacted = '';
    let done = 0;
    for (const { start, end, name } of joinSpans(all)) {
      redacted += text.slice(done, start) + (this.#markers.get(name) ?? '');
      done = end;
    }
    return redacted + text.slice(done);
  }

  /** Secrets, the places of what may be a token, and whether something was left out of the text. */
  #found(text: string): { spans: Span[]; tokens: Map<TokenFinder, number[]>; hasCut: boolean } {
    const spans: Span[] = [];
    const last = new Map<Secret, Span>();
    const tokens = new Map<TokenFinder, number[]>();
    let hasCut = text.includes('…');
    this.#search.visit(text, 0, ({ target: { secret, spelled, finder } }, at) => {
      if (secret) {
        const { name, value } = secret;
        const before = last.get(secret);
        const isWithin = before !== undefined && at < before.end;
        // A long value that repeats itself would be looked at from each of its parts.
        if (spelled && isWithin) return true;
        const place = spelled ? spelled.spanAt(text, at) : { start: at, end: at + value.length };
        if (!place) return true;
        // Overlapping ones too: what one leaves of another would be a part of a secret.
        if (isWithin) {
          before.end = place.end;
          return true;
        }
        const span = { ...place, name, weight: value.length };
        spans.push(span);
        last.set(secret, span);
      } else if (finder) {
        const places = tokens.get(finder);
        if (places) places.push(at);
        else tokens.set(finder, [at]);
      } else {
        hasCut = true;
      }
      return true;
    });
    if (this.#needles.length > 0) spans.push(...this.#wrapped(text));
    return { spans, tokens, hasCut };
  }

  /** Secrets that go on behind a line break, as base64 has them. */
  #wrapped(text: string): Span[] {
    const spans: Span[] = [];
    for (const lines of findUnwrapped(text, this.longest)) {
      this.#search.visit(lines.text, 0, ({ target: { secret, spelled } }, at) => {
        if (!secret || spelled) return true;
        const { name, value } = secret;
        const [start, last] = [lines.placeOf(at), lines.placeOf(at + value.length - 1)];
        spans.push({ start, end: last + 1, name, weight: value.length });
        return true;
      });
    }
    return spans;
  }

  /** The beginning of a secret that was cut off, and the end of one that began before. */
  #remainsBeside({ index, 0: sign }: RegExpExecArray, text: string): Span[] {
    const end = index + sign.length;
    const isPart = (at: number) => this.#parts.has(text.slice(at, at + minLeft));
    const [isBefore, isAfter] = [index >= minLeft && isPart(index - minLeft), isPart(end)];
    if (!isBefore && !isAfter) return [];
    const spans: Span[] = [];
    for (const { name, value } of this.#needles) {
      const before = findLongestPart(value, (length) =>
        text.endsWith(value.slice(0, length), index),
      );
      if (before > 0) spans.push({ start: index - before, end: index, name, weight: before });
      const after = findLongestPart(value, (length) => text.startsWith(value.slice(-length), end));
      if (after > 0) spans.push({ start: end, end: end + after, name, weight: after });
    }
    return spans;
  }
}

/** Neither a secret nor a finder: something was left out. */
interface Trace {
  secret?: Secret;
  /** Says whether more than the beginning of the secret is there. */
  spelled?: SpelledSecret;
  finder?: TokenFinder;
}

const otherTraces: readonly Literal<Trace>[] = [
  ...tokenTraces.map(({ target: finder, ...literal }) => ({ ...literal, target: { finder } })),
  { text: leftOutText, target: {} },
];

/** What spells a character otherwise than JSON has to, and line breaks: looked for in one pass. */
const escapes = /\\[nu/]/g;

/** The places in JSON where something may have to be replaced. */
class Traces {
  readonly #text: string;
  readonly #isAnywhere: boolean;
  readonly #search: LiteralSearch<Trace>;
  /** The next of each kind; infinite if there is none. */
  readonly #next = [-1, -1, -1];

  constructor(text: string, isAnywhere: boolean, search: LiteralSearch<Trace>) {
    this.#text = text;
    this.#isAnywhere = isAnywhere;
    this.#search = search;
  }

  /** The first from a place on, which must not be before the last one that was asked for. */
  next(from: number): number {
    if (this.#isAnywhere) return from;
    for (const [kind, next] of this.#next.entries()) {
      if (next >= from) continue;
      const found = this.#find(kind, from);
      this.#next[kind] = found === -1 ? Number.POSITIVE_INFINITY : found;
    }
    const first = Math.min(...this.#next);
    return first === Number.POSITIVE_INFINITY ? -1 : first;
  }

  #find(kind: number, from: number): number {
    if (kind === 0) return this.#search.indexFrom(this.#text, from);
    // What stands for a cut.
    if (kind === 1) return this.#text.indexOf('…', from);
    escapes.lastIndex = from;
    while (escapes.test(this.#text)) {
      const at = escapes.lastIndex - 2;
      if (this.#text[at + 1] !== 'n' || isWrapInJson(this.#text, at)) return at;
    }
    return -1;
  }
}

/** Characters of a text in base64 that is broken into lines, which may be indented. */
function measureLongestWrapped({ length }: string): number {
  return Math.ceil(length * 1.25);
}

function makeSpan({ start, end }: { start: number; end: number }, name: string): Span {
  return { start, end, name, weight: 0 };
}

function findLongestPart({ length }: string, isThere: (length: number) => boolean): number {
  for (let left = length - 1; left >= minLeft; left--) if (isThere(left)) return left;
  return 0;
}

/** Overlapping spans made one, with the name of the longest secret in it. */
function joinSpans(spans: Span[]): Span[] {
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
 * The spellings that are found whatever the value looks like, also in part beside a cut: in JSON and in an
 * address, and in base64, as Kubernetes shows it. A value that looks quoted itself may have no other.
 */
function listSpellings(value: string): string[] {
  const json = escapeForJson(value);
  const quoted = [json, json.replaceAll('/', String.raw`\/`)];
  // `echo` puts the end of a line behind it.
  const encoded = [value, `${value}\n`].flatMap((text) => encodeBothBase64(Buffer.from(text)));
  const spelled = [value, ...quoted, ...quoted.map(escapeForJson), encodeForUrl(value), ...encoded];
  return [...new Set([...spelled, ...encodeInsideBase64(Buffer.from(value))])];
}

/** With either alphabet. */
function encodeBothBase64(bytes: Buffer): string[] {
  return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}

/**
 * What a value makes of base64 in which something stands before and behind it (`user:password`): it
 * depends on where in three bytes it begins, and its outermost characters may mix with their neighbours.
 */
function encodeInsideBase64(bytes: Buffer): string[] {
  // What is left of a shorter one would be found in every picture.
  if (bytes.length < minSecretLength) return [];
  return [0, 1, 2].flatMap((before) => {
    const whole = encodeBothBase64(Buffer.concat([Buffer.alloc(before), bytes]));
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    return whole.map((text) => text.slice(first, end));
  });
}

function escapeForJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function encodeForUrl(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half a surrogate pair, which no address can hold.
    return value;
  }
}

/** A name may hold a secret itself (`PASSWORD=PASSWORD`), and the marker must not. */
function makeMarker(name: string, secrets: readonly string[]): string {
  const candidates = [`${redactionStart}${name}]`, `${redactionStart}secret]`, '[...]'];
  const isSafe = (marker: string) => !secrets.some((secret) => marker.includes(secret));
  return candidates.find(isSafe) ?? '';
}

/** Behind the closing quote of the JSON string that opens at a place. */
function findStringEnd(text: string, open: number): number {
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
