import type { Literal } from './literal-search.js';
import type { Secret } from './secrets.js';

/** Characters that every shell, address, page and JSON holds as they are. */
const plain = /^[A-Za-z0-9_.-]$/;
/** Six levels of JSON in JSON. */
const maxBackslashes = 64;
const minStart = 3;

const escapeLetters: Readonly<Record<string, string>> = {
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\b': 'b',
  '\f': 'f',
  '\v': 'v',
  '\u0007': 'a',
};

const entities: Readonly<Record<string, string>> = {
  '"': 'quot',
  '&': 'amp',
  "'": 'apos',
  '<': 'lt',
  '>': 'gt',
};

/** A percent sign or an ampersand may be escaped itself, where an address is within an address. */
const percent = '%(?:25){0,3}';
const ampersand = '&(?:amp;){0,3}';
const backslash = String.raw`(?:\\(?:134|x5[cC]|u005[cC])?|${percent}5[cC]|${ampersand}#(?:92|[xX]5[cC]);)`;

/**
 * A value in whatever shells, JSON (also JSON in JSON), addresses and HTML make of it. They all leave
 * letters and digits alone, so the value is looked for a character at a time, and each of the others may
 * be spelled in its own way: no list of spellings of the whole value is as complete.
 */
export class SpelledSecret {
  readonly #parts: readonly (string | RegExp)[];
  readonly #starts: readonly string[];
  /** Characters of the longest spelling that is likely: four levels of JSON put 15 before a quote. */
  readonly longest: number;

  constructor(value: string) {
    this.#parts = splitSecret(value);
    this.#starts = listStarts(value);
    this.longest = value.length + 15 * value.replace(/[A-Za-z0-9_.-]+/g, '').length;
  }

  /** Whether there is more than one way to write a value. */
  static isNeededFor(value: string): boolean {
    return /[^A-Za-z0-9_.-]/.test(value);
  }

  /** How its spellings begin. */
  traces(secret: Secret): Literal<{ secret: Secret; spelled: SpelledSecret }>[] {
    return this.#starts.map((text) => ({ text, target: { secret, spelled: this } }));
  }

  /** Where it stands if it begins at one of its traces. */
  spanAt(text: string, at: number): { start: number; end: number } | undefined {
    let end = at;
    for (const part of this.#parts) {
      if (typeof part === 'string') {
        if (!text.startsWith(part, end)) return undefined;
        end += part.length;
      } else {
        part.lastIndex = end;
        if (!part.test(text)) return undefined;
        end = part.lastIndex;
      }
    }
    let start = at;
    // What escapes its first character.
    if (typeof this.#parts[0] !== 'string') while (text[start - 1] === '\\') start--;
    return { start, end };
  }
}

/** Runs of plain characters as they are, and patterns for the others, which large values share. */
function splitSecret(value: string): (string | RegExp)[] {
  const patterns = new Map<string, RegExp>();
  // Backslashes go with the character behind them: its own escape looks the same.
  const parts = value.match(/[A-Za-z0-9_.-]+|\\*(?:'+|"+|[^\\])|\\+$/gsu) ?? [];
  return parts.map((part) => {
    if (plain.test(part[0] ?? '')) return part;
    const pattern = patterns.get(part) ?? new RegExp(makePattern(part), 'y');
    patterns.set(part, pattern);
    return pattern;
  });
}

/** For backslashes, and one character or several equal quotes behind them. */
function makePattern(part: string): string {
  const [, before = '', characters = ''] = /^(\\*)(.*)$/s.exec(part) ?? [];
  const backslashes = (least: number) =>
    `${backslash}{${least},${(before.length + 1) * maxBackslashes}}`;
  const [character = ''] = characters;
  if (character === '' || plain.test(character)) return backslashes(before.length) + character;
  const spelled = (least: number) =>
    `(?:${backslashes(least)}(?:${listForms(character).join('|')})|${backslashes(Math.max(1, least))}(?:${listEscapes(character).join('|')}))`;
  const first = spelled(before.length);
  if (character !== "'" && character !== '"') return first;
  const count = characters.length;
  // YAML, SQL and CSV write a quote twice.
  const twice = `${backslashes(before.length)}${character}{${2 * count}}`;
  return `(?:${twice}|${first}${spelled(0)}{${count - 1}})`;
}

/** Patterns for what stands for a character, with or without backslashes before it. */
function listForms(character: string): string[] {
  const code = character.codePointAt(0) ?? 0;
  const names = [`#0*${code}`, `#[xX]0*${matchEitherCase(code.toString(16))}`];
  const entity = entities[character];
  if (entity !== undefined) names.push(entity);
  const forms = [
    // Before the character, which may be the percent sign or the ampersand itself.
    `${ampersand}(?:${names.join('|')});`,
    encodeUtf8(character)
      .map((byte) => percent + matchEitherCase(formatHexByte(byte)))
      .join(''),
    character.replace(/[$()*+./?[\\\]^{|}]/, String.raw`\$&`),
  ];
  // How shells leave single quotes and come back.
  if (character === "'") forms.unshift(String.raw`'\\+''`, String.raw`'\\*"'\\*"'`);
  if (character === ' ') forms.push(String.raw`\+`);
  return forms;
}

/** Patterns for what stands for a character behind a backslash. */
function listEscapes(character: string): string[] {
  const again = `${backslash}{1,${maxBackslashes}}`;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const bytes = encodeUtf8(character);
  const escapes = [
    units.map((unit) => `u${matchEitherCase(formatHexUnit(unit))}`).join(again),
    bytes.map((byte) => `x${matchEitherCase(formatHexByte(byte))}`).join(again),
    bytes.map(formatOctal).join(again),
  ];
  const letter = escapeLetters[character];
  return letter === undefined ? escapes : [letter, ...escapes];
}

/**
 * What spellings begin with, as far as the first character that has several. Backslashes before all of it
 * are not needed to find it.
 */
function listStarts(value: string, before = ''): string[] {
  const [, run = '', character] = /^([A-Za-z0-9_.-]*)(.?)/su.exec(value) ?? [];
  const start = before + run;
  if (!character) return [start];
  const rest = value.slice(run.length + character.length);
  // Not half an emoji.
  const length = Math.max(minStart, start.length + character.length);
  const starts = listCharacterStarts(character, start === '').flatMap((form) => {
    const longer = (start + form).slice(0, length);
    return longer.length < minStart ? listStarts(rest, longer) : [longer];
  });
  return [...new Set(starts)];
}

/** At least three characters of each form of a character, or a form that is shorter. */
function listCharacterStarts(character: string, isFirst: boolean): string[] {
  const [byte = 0] = encodeUtf8(character);
  const [hex, code] = [formatHexByte(byte), character.codePointAt(0) ?? 0];
  const forms = [character, `%${hex}`, `%${hex.toUpperCase()}`, '%25'];
  forms.push('&amp;', `&#${code};`, '&#0', '&#x', '&#X', `&${entities[character] ?? '#x'}`);
  forms.push(String.raw`\u${formatHexUnit(character.charCodeAt(0))}`, String.raw`\x${hex}`);
  forms.push(`\\${formatOctal(byte)}`);
  const letter = escapeLetters[character];
  if (letter !== undefined) forms.push(`\\${letter}`);
  if (!isFirst) forms.push(String.raw`\\`, `\\${character}`, '%5c', '%5C', '&#92;');
  if (character === ' ') forms.push('+');
  if (character === '"') forms.push('""');
  if (character === "'") forms.push("''", String.raw`'\\`, String.raw`'\'`, `'"'`);
  return forms;
}

function encodeUtf8(character: string): number[] {
  return [...Buffer.from(character)];
}

function formatHexByte(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

/** Writes one of the two characters that JSON makes of an emoji. */
function formatHexUnit(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}

function formatOctal(byte: number): string {
  return byte.toString(8).padStart(3, '0');
}

function matchEitherCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
