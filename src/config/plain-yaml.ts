/**
 * Reads the YAML that people mostly write: block maps and lists, scalars on one line, literal blocks, and
 * short lists and maps in brackets. The library that knows all of YAML takes some ten times as long, which was
 * most of the time that loading a suite took. Whatever is not plain, or wrong, is left to it, so this
 * reader has nothing to report; where it gives a value, the library gives the same.
 */
export function readPlainYaml(text: string, places?: Places): { value: unknown } | undefined {
  if (unusualCharacters.test(text)) return undefined;
  try {
    return { value: new PlainYamlReader(text, places).read() };
  } catch (error) {
    if (error === notPlain) return undefined;
    throw error;
  }
}

/**
 * The line of the key that names the value at a path, or of the list item; undefined where the text is not
 * plain, or nothing is there.
 */
export function findPlainLine(
  text: string,
  path: readonly (string | number)[],
): number | undefined {
  const places: Places = new Map();
  let found = readPlainYaml(text, places)?.value;
  let line: number | undefined;
  for (const segment of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, segment)) {
      return undefined;
    }
    // What stands in brackets is in the line of the brackets.
    line = places.get(found)?.get(segment) ?? line;
    found = (found as Record<string | number, unknown>)[segment];
  }
  return line;
}

/** The lines, counted from 1, of keys and items, by the map or list that they belong to. */
type Places = Map<object, Map<string | number, number>>;

/** Control characters, other line ends, and a byte order mark within the text. */
const unusualCharacters = /[^\P{Cc}\n\t]|\ufeff/u;

/** Made once: a stack trace for every file that is not plain would take longer than reading it. */
const notPlain = new Error('not plain YAML');

/** Far deeper than what people write, and far from where recursion ends. */
const maxDepth = 40;

/** A key, its colon, and the spaces behind it. What looks like `true` or `null` is no plain key. */
const keyShape =
  /(?!["']?(?:true|false|null|__proto__)["']?:)(?:([A-Z_][\w./-]{0,120})|"([^"\\]{0,120})"|'([^']{0,120})'):(?: +|$)/iy;
const specialKey = /^(?:true|false|null|__proto__)$/i;
/** What can be nothing but a scalar on one line, as most values are. */
const word = /^\w[\w./-]*$/;

const comment = ' *(?: #.*)?$';
const literalHeader = new RegExp(`^\\|-?${comment}`);
const doubleQuoted = /"(?:[^"\\]|\\["\\/nt])*"/y;
const singleQuoted = /'(?:[^']|'')*'/y;
/** The end of a value: nothing but a comment may follow. */
const valueEnd = new RegExp(comment, 'y');

/** What a plain scalar cannot start with, or means something else at its start. */
const indicator = /^(?:[,[\]{}#&*!|>'"%@`]|[-?:](?: |$))/;
/** Within brackets: few characters, so that none of them can mean something. */
const flowScalar = /(?!-[ ,\]}])[\w./+-](?:[\w./+ -]*[\w./+-])?/y;

class PlainYamlReader {
  readonly #lines: string[];
  readonly #hasTabs: boolean;
  readonly #places: Places | undefined;
  #at = 0;
  #depth = 0;
  /** The line that `#indent` last stopped at, and how far it is indented. */
  #seen = { at: -1, indent: -1 };

  constructor(text: string, places?: Places) {
    this.#lines = text.split('\n');
    this.#hasTabs = text.includes('\t');
    this.#places = places;
  }

  read(): unknown {
    if (this.#indent() === 0 && this.#line() === '---') this.#at++;
    const value = this.#node(this.#indent());
    if (this.#indent() !== -1) throw notPlain;
    return value;
  }

  #line(): string {
    return this.#lines[this.#at] ?? '';
  }

  /** Moves on to the next line that holds something; how far it is indented, -1 at the end. */
  #indent(): number {
    if (this.#seen.at === this.#at) return this.#seen.indent;
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line();
      const indent = indentOf(line);
      if (indent === line.length || line.charCodeAt(indent) === numberSign) continue;
      if (this.#hasTabs && line.includes('\t')) throw notPlain;
      this.#seen.at = this.#at;
      this.#seen.indent = indent;
      return indent;
    }
    return -1;
  }

  #node(indent: number): unknown {
    if (indent === -1 || this.#depth > maxDepth) throw notPlain;
    this.#depth++;
    const value = isItem(this.#line(), indent) ? this.#list(indent) : this.#map(indent);
    this.#depth--;
    return value;
  }

  #map(indent: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    for (let found = indent; found === indent; found = this.#indent()) {
      const line = this.#line();
      keyShape.lastIndex = indent;
      const match = keyShape.exec(line);
      const key = match?.[1] ?? match?.[2] ?? match?.[3];
      if (key === undefined || Object.hasOwn(map, key)) throw notPlain;
      if (this.#places) this.#note(map, key);
      this.#at++;
      map[key] = this.#value(line.slice(keyShape.lastIndex), indent, true);
    }
    return map;
  }

  #list(indent: number): unknown[] {
    const list: unknown[] = [];
    for (let found = indent; found === indent; found = this.#indent()) {
      const line = this.#line();
      // The next key of the map that the list belongs to.
      if (!isItem(line, indent)) break;
      const inner = indent + 1 + indentOf(line.slice(indent + 1));
      keyShape.lastIndex = inner;
      if (this.#places) this.#note(list, list.length);
      if (keyShape.test(line)) {
        // A map that begins behind the dash goes on below it.
        list.push(this.#node(inner));
      } else {
        this.#at++;
        const text = line.slice(inner);
        // An item whose dash has a line of its own is where it begins.
        if (this.#places && isNothing(text) && this.#indent() > indent) {
          this.#note(list, list.length);
        }
        list.push(this.#value(text, indent, false));
      }
    }
    return list;
  }

  #note(owner: object, key: string | number): void {
    const lines = this.#places?.get(owner) ?? new Map();
    this.#places?.set(owner, lines.set(key, this.#at + 1));
  }

  /** The value that begins with a text, behind a key or a dash; the line of it is read already. */
  #value(text: string, parent: number, isInMap: boolean): unknown {
    if (isNothing(text)) return this.#below(parent, isInMap);
    if (text.startsWith('|') && literalHeader.test(text)) {
      return this.#literal(parent, text.startsWith('|-'));
    }
    const value = this.#scalar(text);
    // A scalar that goes on, or something that is wrong.
    if (this.#indent() > parent) throw notPlain;
    return value;
  }

  #below(parent: number, isInMap: boolean): unknown {
    const indent = this.#indent();
    const isListOfKey = isInMap && indent === parent && isItem(this.#line(), indent);
    return indent > parent || isListOfKey ? this.#node(indent) : null;
  }

  /** Its lines are as they stand, comments and tabs too. */
  #literal(parent: number, isStripped: boolean): string {
    let first = this.#at;
    while (first < this.#lines.length && isBlank(this.#lines[first] ?? '')) first++;
    const indent = indentOf(this.#lines[first] ?? '');
    if (first === this.#lines.length || indent <= parent) throw notPlain;
    const margin = ' '.repeat(indent);
    const lines: string[] = [];
    let end = 0;
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#line();
      if (line.startsWith(margin)) {
        // Nothing but spaces, more than there are before the text: they may be a part of it.
        if (line.charCodeAt(indent) === space && isBlank(line)) throw notPlain;
        const length = lines.push(line.slice(indent));
        if (line.length > indent) end = length;
      } else if (isBlank(line)) lines.push('');
      else break;
    }
    return lines.slice(0, end).join('\n') + (isStripped ? '' : '\n');
  }

  #scalar(text: string): unknown {
    if (word.test(text)) return resolvePlain(text);
    if (/^["'[{]/.test(text)) {
      const flow = new FlowReader(text);
      const value = flow.read(this.#depth);
      flow.skip(valueEnd);
      return value;
    }
    if (indicator.test(text)) throw notPlain;
    const end = text.indexOf(' #');
    let to = end === -1 ? text.length : end;
    // Only spaces: other white space is part of what is written.
    while (text.charCodeAt(to - 1) === space) to--;
    const plain = text.slice(0, to);
    if (/:(?: |$)/.test(plain)) throw notPlain;
    return resolvePlain(plain);
  }
}

/** Reads what stands in quotes or brackets. */
class FlowReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(depth: number): unknown {
    if (depth > maxDepth) throw notPlain;
    switch (this.#text[this.#at]) {
      case '"':
        return JSON.parse(this.skip(doubleQuoted));
      case "'":
        return this.skip(singleQuoted).slice(1, -1).replaceAll("''", "'");
      case '[':
        return this.#list(depth + 1);
      case '{':
        return this.#map(depth + 1);
      default:
        return resolvePlain(this.skip(flowScalar));
    }
  }

  /** Takes what a pattern matches here. */
  skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found === undefined) throw notPlain;
    this.#at += found.length;
    return found;
  }

  #list(depth: number): unknown[] {
    const list: unknown[] = [];
    this.#items(']', () => list.push(this.read(depth)));
    return list;
  }

  #map(depth: number): Record<string, unknown> {
    const map: Record<string, unknown> = {};
    this.#items('}', () => {
      const key = this.#text[this.#at] === '"' ? this.read(depth) : this.skip(flowKey);
      if (typeof key !== 'string' || specialKey.test(key) || Object.hasOwn(map, key))
        throw notPlain;
      this.skip(flowColon);
      map[key] = this.read(depth);
    });
    return map;
  }

  #items(end: string, readItem: () => void): void {
    this.#at++;
    this.skip(spaces);
    if (this.#text[this.#at] === end) {
      this.#at++;
      return;
    }
    do {
      this.skip(spaces);
      readItem();
      this.skip(spaces);
    } while (this.#text[this.#at++] === ',');
    if (this.#text[this.#at - 1] !== end) throw notPlain;
  }
}

const spaces = / */y;
const flowKey = /[A-Za-z_][\w.-]{0,120}/y;
const flowColon = /: +/y;

/** A plain scalar by the core schema of YAML 1.2. Rare ways to write a number are left to the library. */
function resolvePlain(text: string): unknown {
  if (!/^[-+.\d~ntf]/i.test(text)) return text;
  if (/^(?:~|null|Null|NULL)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^[-+]?\d{1,15}$/.test(text)) return Number.parseInt(text, 10);
  if (/^[-+]?\d{1,15}\.\d{1,15}$/.test(text)) return Number.parseFloat(text);
  if (/^(?:[-+]?[\d.]+(?:[eE][-+]?\d+)?|0[ox][\da-f]+|[-+]?\.(?:inf|nan))$/i.test(text)) {
    throw notPlain;
  }
  return text;
}

const numberSign = 0x23;
const space = 0x20;

function indentOf(line: string): number {
  let indent = 0;
  while (line.charCodeAt(indent) === space) indent++;
  return indent;
}

/** Whether nothing but a comment stands behind a key or a dash. */
function isNothing(text: string): boolean {
  return text === '' || text.startsWith('#');
}

function isBlank(line: string): boolean {
  return indentOf(line) === line.length;
}

function isItem(line: string, indent: number): boolean {
  return line[indent] === '-' && (line.length === indent + 1 || line[indent + 1] === ' ');
}
