import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
} from 'yaml';
import { findPlainLine } from './plain-yaml.js';
import { parseYaml } from './yaml-document.js';

/** Where a value stands in a file's data: keys and indexes from the root. */
export type DataPath = readonly (string | number)[];

/** A stretch of a file's text; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** Lines and columns count from 1; columns count UTF-16 units, as editors do. */
export interface Position {
  line: number;
  column: number;
}

/** The few files that are asked about in turn: an eval, and the task at hand. */
const latestDocuments = new Map<SourceFile, Document.Parsed | undefined>();

/**
 * A file as it was read, able to say where in its text a piece of data stands.
 *
 * The YAML tree is only built again when a place is asked for: most files have no problem, and
 * keeping ten thousand trees would cost far more than parsing a few files twice.
 */
export class SourceFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  #name: string | ((path: string) => string);
  #lineStarts: number[] | undefined;
  readonly #faults = new Set<string>();
  readonly #faultyParents = new Set<string>();

  /** `name` may be what gives it: finding a short one takes a while, and most files are never named. */
  constructor(path: string, name: string | ((path: string) => string), text: string) {
    this.path = path;
    this.#name = name;
    this.text = text;
  }

  /** As shown to people. */
  get name(): string {
    if (typeof this.#name !== 'string') this.#name = this.#name(this.path);
    return this.#name;
  }

  /** Remembers that what stands at a path was wrong and has been left out or replaced. */
  markFaulty(path: DataPath) {
    this.#faults.add(path.join('\0'));
    for (let length = 0; length < path.length; length++) {
      this.#faultyParents.add(path.slice(0, length).join('\0'));
    }
  }

  /**
   * Whether something at, in or around a path was wrong. Later checks then say nothing of it: what
   * looks missing may only be misspelt, and one mistake is one problem.
   */
  isFaulty(path: DataPath): boolean {
    if (this.#faults.size === 0) return false;
    if (this.#faultyParents.has(path.join('\0'))) return true;
    return path.some((_, index) => this.#faults.has(path.slice(0, index + 1).join('\0')));
  }

  position(offset: number): Position {
    this.#lineStarts ??= findLineStarts(this.text);
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 };
  }

  /** The value at a path; where the path leads nowhere, the nearest enclosing key. */
  valueRange(path: DataPath): TextRange {
    const found = this.#find(path);
    return found.value ?? found.key ?? this.#firstLine();
  }

  /** The key that names the value at a path; for list items and the root, their first line. */
  keyRange(path: DataPath): TextRange {
    if (path.length === 0) return this.#firstLine();
    const found = this.#find(path);
    return found.key ?? found.value ?? this.#firstLine();
  }

  /** The line that `keyRange` begins in; the tree is built only where the text is not plain. */
  keyLine(path: DataPath): number {
    return findPlainLine(this.text, path) ?? this.position(this.keyRange(path).start).line;
  }

  /** A part of the string at a path, given as offsets into the string's value. */
  withinString(path: DataPath, offset: number, length: number): TextRange {
    const whole = this.valueRange(path);
    const node = this.#find(path).node;
    if (!isScalar(node)) return whole;
    const start = findScalarOffset(this.text, node, offset);
    const end = findScalarOffset(this.text, node, offset + Math.max(length, 1));
    if (start === undefined) return whole;
    return { start, end: end !== undefined && end > start ? end : start + 1 };
  }

  #document(): Document.Parsed | undefined {
    const known = latestDocuments.has(this);
    const document = known ? latestDocuments.get(this) : parseYaml(this.text).documents[0];
    latestDocuments.delete(this);
    latestDocuments.set(this, document);
    if (latestDocuments.size > 8) {
      for (const oldest of latestDocuments.keys()) {
        latestDocuments.delete(oldest);
        break;
      }
    }
    return document;
  }

  #firstLine(): TextRange {
    // Comments and the document's marker are not what is wrong.
    const found = /^[ \t]*(?!---|#|%)\S/m.exec(this.text);
    if (!found) return { start: 0, end: 0 };
    const start = found.index + found[0].length - 1;
    const end = this.text.indexOf('\n', start);
    return { start, end: end === -1 ? this.text.length : end };
  }

  #find(path: DataPath): { node?: Node | null; key?: TextRange; value?: TextRange } {
    const document = this.#document();
    if (!document) return {};
    let node: Node | null = document.contents;
    let key: TextRange | undefined;
    for (const segment of path) {
      if (isAlias(node)) node = node.resolve(document) ?? null;
      if (isMap(node)) {
        const pair = node.items.find((item) => isPair(item) && getKeyText(item.key) === segment);
        if (!pair) return addKey({}, key);
        key = getRange(pair.key as Node | null) ?? key;
        node = pair.value as Node | null;
      } else if (isSeq(node) && typeof segment === 'number' && segment in node.items) {
        node = node.items[segment] as Node | null;
        key = findItemStart(this.text, node) ?? key;
      } else {
        return addKey({}, key);
      }
    }
    const value = trimRange(this.text, getRange(node));
    return addKey(value ? { node, value } : { node }, key);
  }
}

function addKey<Found extends object>(found: Found, key: TextRange | undefined) {
  return key ? { ...found, key } : found;
}

function getKeyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

function getRange(node: Node | null): TextRange | undefined {
  const range = node?.range;
  return range ? { start: range[0], end: range[1] } : undefined;
}

/** A list item has no key: its first line stands in for one. */
function findItemStart(text: string, node: Node | null): TextRange | undefined {
  const range = getRange(node);
  if (!range) return undefined;
  if (range.start === range.end) {
    // An empty item is nothing but its dash.
    const dash = text.slice(0, range.start).search(/-[ \t]*$/);
    return dash === -1 ? undefined : { start: dash, end: dash + 1 };
  }
  const lineEnd = text.indexOf('\n', range.start);
  const end = lineEnd === -1 ? range.end : Math.min(range.end, lineEnd);
  return trimRange(text, { start: range.start, end });
}

/** Block scalars and collections reach to the start of what follows: leave the white space out. */
function trimRange(text: string, range: TextRange | undefined): TextRange | undefined {
  if (!range) return undefined;
  let end = range.end;
  while (end > range.start && /\s/.test(text[end - 1] ?? '')) end--;
  return end === range.start ? undefined : { start: range.start, end };
}

function findLineStarts(text: string): number[] {
  const starts = [0];
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) {
    starts.push(index + 1);
  }
  return starts;
}

/**
 * Where in the source the character at an offset of a scalar's value stands, so that a problem
 * inside a pattern or a template is marked to the character. Undefined where quoting and folding
 * make it a guess.
 */
function findScalarOffset(text: string, scalar: Scalar, offset: number): number | undefined {
  const range = scalar.range;
  if (!range || typeof scalar.value !== 'string') return undefined;
  const source = text.slice(range[0], range[1]);
  const within = findOffsetWithin(source, scalar.type, scalar.value, offset);
  return within === undefined ? undefined : range[0] + within;
}

function findOffsetWithin(
  source: string,
  type: Scalar['type'],
  value: string,
  offset: number,
): number | undefined {
  switch (type) {
    case 'PLAIN':
      return source.includes('\n') ? undefined : offset;
    case 'QUOTE_SINGLE':
      return source.includes('\n') ? undefined : findSingleQuotedOffset(source, offset);
    case 'QUOTE_DOUBLE':
      return source.includes('\n') ? undefined : findDoubleQuotedOffset(source, offset);
    case 'BLOCK_LITERAL':
      return findLiteralOffset(source, value, offset);
    default:
      return undefined;
  }
}

function findSingleQuotedOffset(source: string, offset: number): number {
  let index = 1;
  for (let seen = 0; seen < offset && index < source.length; seen++) {
    index += source.startsWith("''", index) ? 2 : 1;
  }
  return index;
}

/** Length in the source and in the value of each escape that has digits. */
const longEscapes: Record<string, number> = { x: 4, u: 6, U: 10 };

function findDoubleQuotedOffset(source: string, offset: number): number {
  let index = 1;
  for (let seen = 0; seen < offset && index < source.length; ) {
    if (source[index] !== '\\') {
      index++;
      seen++;
      continue;
    }
    const kind = source[index + 1] ?? '';
    const length = longEscapes[kind] ?? 2;
    const astral =
      kind === 'U' && Number.parseInt(source.slice(index + 2, index + 10), 16) > 0xffff;
    index += length;
    seen += astral ? 2 : 1;
  }
  return index;
}

/** A literal block keeps its lines: count them, and add the indentation back. */
function findLiteralOffset(source: string, value: string, offset: number): number {
  let sourceLine = source.indexOf('\n') + 1;
  // The block's own indentation is what the value's first line lacks; an indicator may leave more.
  const indent = measureFirstIndent(source.slice(sourceLine)) - measureFirstIndent(value);
  let valueLine = 0;
  for (
    let end = value.indexOf('\n');
    end !== -1 && end < offset;
    end = value.indexOf('\n', end + 1)
  ) {
    valueLine = end + 1;
    sourceLine = source.indexOf('\n', sourceLine) + 1;
  }
  return sourceLine + indent + offset - valueLine;
}

/** Spaces before the first line that holds something. */
function measureFirstIndent(text: string): number {
  return /^( *)\S/m.exec(text)?.[1]?.length ?? 0;
}
