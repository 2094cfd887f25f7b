import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type ParsedNode,
  Parser,
  Schema,
  type YAMLParseError,
} from 'yaml';
import { findPlaceholders } from '../placeholders/placeholders.js';
import type { ProblemCode } from '../problems/problem-codes.js';

/** Deeper than any file a person writes, far from where a recursive parser runs out of stack. */
export const maxNesting = 100;
/** Nodes a file may hold once its aliases are expanded: bounds "billion laughs" documents. */
const maxNodes = 200_000;

/** Something wrong with the YAML itself; offsets are into the file's text. */
export interface YamlFault {
  code: ProblemCode;
  message: string;
  start: number;
  end: number;
  hint?: string;
}

export interface YamlText {
  documents: Document.Parsed[];
  faults: YamlFault[];
}

const options = {
  version: '1.2',
  // Made once: the library would make a new one for every file.
  schema: new Schema({ schema: 'core', resolveKnownTags: false }),
  // Duplicate keys are found in `plainValue`, in linear time.
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** Parses without recursion on hostile input and without the library's quadratic key check. */
export function parseYaml(text: string): YamlText {
  // Without a line end, the library takes an escaped quote at the very end for a closing one.
  const tokens = [...new Parser().parse(text.endsWith('\n') ? text : `${text}\n`)];
  const tooDeep = findTooDeep(tokens);
  if (tooDeep !== undefined) {
    const message = `nested more than ${maxNesting} levels deep`;
    return {
      documents: [],
      faults: [{ code: 'yaml-nesting', message, start: tooDeep, end: tooDeep + 1 }],
    };
  }
  const composer = new Composer(options);
  const documents = [...composer.compose(tokens, true, text.length)] as Document.Parsed[];
  const errors = documents.flatMap((document) => document.errors);
  if (errors.length > 0) return { documents, faults: listSyntaxFaults(errors, tokens, text) };
  const tags = documents
    .flatMap((document) => document.warnings)
    .filter((warning) => warning.code === 'TAG_RESOLVE_FAILED');
  return { documents, faults: tags.map((warning) => describeTagFault(text, warning.pos)) };
}

const maxSyntaxFaults = 5;

/** What follows an error on the same line, or something that is never closed, follows from it. */
function listSyntaxFaults(
  errors: readonly YAMLParseError[],
  tokens: readonly CST.Token[],
  text: string,
): YamlFault[] {
  const faults: YamlFault[] = [];
  for (const error of errors) {
    const unclosed = describeUnclosed(error, tokens);
    if (unclosed) return [...faults, unclosed];
    const last = faults.at(-1);
    if (last && !text.slice(last.start, error.pos[0]).includes('\n')) continue;
    // Then it has lost its place, and complains about everything up to the end.
    if (last && /token in YAML stream/.test(error.message)) continue;
    faults.push(describeSyntaxError(error, text));
    if (faults.length === maxSyntaxFaults) break;
  }
  return faults;
}

/** The library marks where it noticed; people look for where it starts. */
function describeUnclosed(
  error: YAMLParseError,
  tokens: readonly CST.Token[],
): YamlFault | undefined {
  if (!/closing .quote|must .*end with/.test(error.message)) return undefined;
  const unclosed = findUnclosed(tokens);
  if (!unclosed) return undefined;
  const { offset, character } = unclosed;
  const message = `the ${character} is never closed`;
  return { code: 'yaml-syntax', message, start: offset, end: offset + 1 };
}

function describeSyntaxError(error: YAMLParseError, text: string): YamlFault {
  const [start, end] = error.pos;
  if (error.code === 'RESOURCE_EXHAUSTION') {
    return { code: 'yaml-nesting', message: 'nested too deep', start, end };
  }
  const hint = isAtPlaceholder(text, start)
    ? 'a placeholder in { } or [ ] needs quotes, as in "web-{random.id}"'
    : syntaxHints.find(([pattern]) => pattern.test(error.message))?.[1];
  const message = error.message.replace(/\s+/g, ' ');
  return { code: 'yaml-syntax', message, start, end, ...(hint ? { hint } : {}) };
}

/** Whether a placeholder begins, stands or ends at an offset: to YAML its braces are a map. */
function isAtPlaceholder(text: string, offset: number): boolean {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const [line = ''] = text.slice(lineStart).split('\n', 1);
  const column = offset - lineStart;
  return findPlaceholders(line).some(
    (found) => found.offset - 1 <= column && column <= found.offset + found.length,
  );
}

/** What people mostly did, where the library says what it could not do. */
const syntaxHints: readonly [RegExp, string][] = [
  [/^Invalid escape sequence/, 'in double quotes \\ starts an escape: use single quotes'],
  [/^Implicit (map )?keys/, 'is a colon missing, or a space after it?'],
  [/^Nested mappings/, 'is the indentation right? quote a value that holds ": "'],
  [/^Unexpected scalar at node end/, 'quote the whole value'],
  [/^Plain value cannot start with/, 'quote the value'],
];

function describeTagFault(text: string, [start, end]: [number, number]): YamlFault {
  const tag = text.slice(start, end);
  return {
    code: 'yaml-tag',
    message: `the tag ${tag} is not supported: only plain data is`,
    start,
    end,
  };
}

/** Every token with its depth, with a stack of its own, so that depth cannot overflow ours. */
function* walkTokens(tokens: readonly CST.Token[]): Generator<{ token: CST.Token; depth: number }> {
  const open = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    yield next;
    if (token.type === 'document') {
      if (token.value) open.push({ token: token.value, depth });
    } else if ('items' in token) {
      for (const item of token.items) {
        if (item.key) open.push({ token: item.key, depth: depth + 1 });
        if (item.value) open.push({ token: item.value, depth: depth + 1 });
      }
    }
  }
}

function findTooDeep(tokens: readonly CST.Token[]): number | undefined {
  for (const { token, depth } of walkTokens(tokens)) {
    if (depth > maxNesting) return 'offset' in token ? token.offset : 0;
  }
  return undefined;
}

/** The last quote or bracket that is opened and never closed. */
function findUnclosed(tokens: readonly CST.Token[]) {
  let found: { offset: number; character: string } | undefined;
  for (const { token } of walkTokens(tokens)) {
    const unclosed = findUnclosedStart(token);
    if (unclosed && unclosed.offset >= (found?.offset ?? 0)) found = unclosed;
  }
  return found;
}

function findUnclosedStart(token: CST.Token) {
  if (token.type === 'flow-collection') {
    const isClosed = token.end.some((part) => /^flow-(map|seq)-end$/.test(part.type));
    return isClosed ? undefined : { offset: token.start.offset, character: token.start.source };
  }
  if (token.type !== 'double-quoted-scalar' && token.type !== 'single-quoted-scalar')
    return undefined;
  const character = token.source[0] ?? '';
  const isClosed = token.source.length > 1 && token.source.endsWith(character);
  return isClosed ? undefined : { offset: token.offset, character };
}

export interface PlainValue {
  value: unknown;
  faults: YamlFault[];
}

/**
 * The document as plain data. An alias gives the very object its anchor gave, so callers must not
 * change what they get.
 */
export function toPlainValue(document: Document.Parsed): PlainValue {
  const converter = new PlainConverter();
  const value = document.contents === null ? null : converter.convert(document.contents, 0).value;
  return { value, faults: converter.faults };
}

interface Converted {
  value: unknown;
  nodes: number;
  depth: number;
}

const makeLeaf = (value: unknown): Converted => ({ value, nodes: 1, depth: 0 });

class PlainConverter {
  readonly faults: YamlFault[] = [];
  #anchors = new Map<string, Converted | 'open'>();
  #nodes = 0;

  convert(node: ParsedNode | null, depth: number): Converted {
    if (node === null) return makeLeaf(null);
    if (isAlias(node)) return this.#alias(node.source, node.range, depth);
    const anchor = node.anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    const converted = this.#content(node, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, converted);
    return converted;
  }

  #content(node: ParsedNode, depth: number): Converted {
    this.#nodes++;
    if (isScalar(node)) return makeLeaf(node.value);
    if (isSeq(node)) {
      const parts = node.items.map((item) => this.convert(item as ParsedNode, depth + 1));
      return combineParts(
        parts.map((part) => part.value),
        parts,
      );
    }
    return isMap(node) ? this.#map(node.items, depth) : makeLeaf(null);
  }

  #map(items: readonly unknown[], depth: number): Converted {
    const value: Record<string, unknown> = {};
    const parts: Converted[] = [];
    for (const pair of items) {
      if (!isPair(pair)) continue;
      const keyNode = pair.key as ParsedNode | null;
      const key = this.#key(keyNode);
      const part = this.convert(pair.value as ParsedNode | null, depth + 1);
      if (key === undefined) continue;
      if (Object.hasOwn(value, key)) {
        this.#fault('duplicate-key', `the key ${key} is given twice`, keyNode?.range);
        continue;
      }
      value[key] = part.value;
      parts.push(part);
    }
    return combineParts(value, parts);
  }

  #key(node: ParsedNode | null): string | undefined {
    if (node === null) return '';
    const key = isScalar(node) ? String(node.value) : undefined;
    if (key === undefined) this.#fault('yaml-key', 'a key must be plain text', node.range);
    if (key !== '__proto__') return key;
    // Nothing is called so, and libraries treat it specially.
    this.#fault('yaml-key', 'the key __proto__ is not allowed', node.range);
    return undefined;
  }

  #alias(name: string, range: readonly [number, number, number], depth: number): Converted {
    const target = this.#anchors.get(name);
    if (target === undefined) {
      const hint = `* starts an alias: quote it if it is text, as in "*${name}"`;
      this.#fault('yaml-alias', `no anchor &${name} stands before this alias`, range, hint);
    } else if (target === 'open') {
      this.#fault('yaml-alias', `the alias *${name} contains itself`, range);
    } else if (this.#nodes + target.nodes > maxNodes || depth + target.depth > maxNesting) {
      this.#fault('yaml-alias', `the alias *${name} expands to more than a file may hold`, range);
    } else {
      this.#nodes += target.nodes;
      return target;
    }
    return makeLeaf(null);
  }

  #fault(
    code: ProblemCode,
    message: string,
    range: readonly number[] | null | undefined,
    hint?: string,
  ): void {
    const start = range?.[0] ?? 0;
    const end = range?.[1] ?? start + 1;
    this.faults.push({ code, message, start, end, ...(hint === undefined ? {} : { hint }) });
  }
}

function combineParts(value: unknown, parts: Converted[]): Converted {
  let nodes = 1;
  let depth = 0;
  for (const part of parts) {
    nodes += part.nodes;
    depth = Math.max(depth, part.depth + 1);
  }
  return { value, nodes, depth };
}
