import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import { findPlainLine } from './plain-yaml.js';
import { scalarSourceOffset } from './scalar-offset.js';
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
    const start = scalarSourceOffset(this.text, node, offset);
    const end = scalarSourceOffset(this.text, node, offset + Math.max(length, 1));
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
        const pair = node.items.find((item) => isPair(item) && keyText(item.key) === segment);
        if (!pair) return withKey({}, key);
        key = rangeOf(pair.key as Node | null) ?? key;
        node = pair.value as Node | null;
      } else if (isSeq(node) && typeof segment === 'number' && segment in node.items) {
        node = node.items[segment] as Node | null;
        key = itemStart(this.text, node) ?? key;
      } else {
        return withKey({}, key);
      }
    }
    const value = trimmed(this.text, rangeOf(node));
    return withKey(value ? { node, value } : { node }, key);
  }
}

function withKey<Found extends object>(found: Found, key: TextRange | undefined) {
  return key ? { ...found, key } : found;
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

function rangeOf(node: Node | null): TextRange | undefined {
  const range = node?.range;
  return range ? { start: range[0], end: range[1] } : undefined;
}

/** A list item has no key: its first line stands in for one. */
function itemStart(text: string, node: Node | null): TextRange | undefined {
  const range = rangeOf(node);
  if (!range) return undefined;
  if (range.start === range.end) {
    // An empty item is nothing but its dash.
    const dash = text.slice(0, range.start).search(/-[ \t]*$/);
    return dash === -1 ? undefined : { start: dash, end: dash + 1 };
  }
  const lineEnd = text.indexOf('\n', range.start);
  const end = lineEnd === -1 ? range.end : Math.min(range.end, lineEnd);
  return trimmed(text, { start: range.start, end });
}

/** Block scalars and collections reach to the start of what follows: leave the white space out. */
function trimmed(text: string, range: TextRange | undefined): TextRange | undefined {
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
