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
} from 'yaml';
import type { ProblemCode } from './problem-codes.js';

/** Deeper than any file a person writes, far from where a recursive parser runs out of stack. */
export const maxNesting = 100;
/** Nodes a file may hold once its aliases are expanded: bounds "billion laughs" documents. */
export const maxNodes = 200_000;
const maxSyntaxFaults = 5;

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

/** Parses without recursion on hostile input and without the library's quadratic key check. */
export function parseYaml(text: string): YamlText {
  const tokens = [...new Parser().parse(text)];
  const tooDeep = findTooDeep(tokens);
  if (tooDeep !== undefined) {
    const message = `nested more than ${maxNesting} levels deep`;
    return {
      documents: [],
      faults: [{ code: 'yaml-nesting', message, start: tooDeep, end: tooDeep + 1 }],
    };
  }
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    // Duplicate keys are found in `plainValue`, in linear time.
    uniqueKeys: false,
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const documents = [...composer.compose(tokens, true, text.length)] as Document.Parsed[];
  const faults = documents.flatMap((document) => [
    ...document.errors.map((error) => syntaxFault(error.code, error.message, error.pos)),
    ...document.warnings
      .filter((warning) => warning.code === 'TAG_RESOLVE_FAILED')
      .map((warning) => tagFault(text, warning.pos)),
  ]);
  return { documents, faults: faults.slice(0, maxSyntaxFaults) };
}

function syntaxFault(code: string, message: string, [start, end]: [number, number]): YamlFault {
  if (code === 'RESOURCE_EXHAUSTION') {
    return { code: 'yaml-nesting', message: 'nested too deep', start, end };
  }
  return { code: 'yaml-syntax', message: message.replace(/\s+/g, ' '), start, end };
}

function tagFault(text: string, [start, end]: [number, number]): YamlFault {
  const tag = text.slice(start, end);
  return {
    code: 'yaml-tag',
    message: `the tag ${tag} is not supported: only plain data is`,
    start,
    end,
  };
}

/** Walks the token tree with a stack of its own, so that depth cannot overflow ours. */
function findTooDeep(tokens: CST.Token[]): number | undefined {
  const open: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (depth > maxNesting) return 'offset' in token ? token.offset : 0;
    if (token.type === 'document') {
      if (token.value) open.push({ token: token.value, depth });
    } else if ('items' in token) {
      for (const item of token.items) {
        if (item.key) open.push({ token: item.key, depth: depth + 1 });
        if (item.value) open.push({ token: item.value, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

export interface PlainValue {
  value: unknown;
  faults: YamlFault[];
}

/**
 * The document as plain data. An alias gives the very object its anchor gave, so callers must not
 * change what they get.
 */
export function plainValue(document: Document.Parsed): PlainValue {
  const converter = new PlainConverter();
  const value = document.contents === null ? null : converter.convert(document.contents, 0).value;
  return { value, faults: converter.faults };
}

interface Converted {
  value: unknown;
  nodes: number;
  depth: number;
}

const leaf = (value: unknown): Converted => ({ value, nodes: 1, depth: 0 });

class PlainConverter {
  readonly faults: YamlFault[] = [];
  #anchors = new Map<string, Converted | 'open'>();
  #nodes = 0;

  convert(node: ParsedNode | null, depth: number): Converted {
    if (node === null) return leaf(null);
    if (isAlias(node)) return this.#alias(node.source, node.range, depth);
    const anchor = node.anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    const converted = this.#content(node, depth);
    if (anchor !== undefined) this.#anchors.set(anchor, converted);
    return converted;
  }

  #content(node: ParsedNode, depth: number): Converted {
    this.#nodes++;
    if (isScalar(node)) return leaf(node.value);
    if (isSeq(node)) {
      const parts = node.items.map((item) => this.convert(item as ParsedNode, depth + 1));
      return gather(
        parts.map((part) => part.value),
        parts,
      );
    }
    return isMap(node) ? this.#map(node.items, depth) : leaf(null);
  }

  #map(items: readonly unknown[], depth: number): Converted {
    // No prototype: a key such as __proto__ is then a key like any other.
    const value: Record<string, unknown> = Object.create(null);
    const parts: Converted[] = [];
    for (const pair of items) {
      if (!isPair(pair)) continue;
      const keyNode = pair.key as ParsedNode | null;
      const key = this.#key(keyNode);
      const part = this.convert(pair.value as ParsedNode | null, depth + 1);
      if (key === undefined) continue;
      if (key in value) {
        this.#fault('duplicate-key', `the key ${key} is given twice`, keyNode?.range);
        continue;
      }
      value[key] = part.value;
      parts.push(part);
    }
    return gather(value, parts);
  }

  #key(node: ParsedNode | null): string | undefined {
    if (node === null) return '';
    if (isScalar(node)) return String(node.value);
    this.#fault('yaml-key', 'a key must be plain text', node.range);
    return undefined;
  }

  #alias(name: string, range: readonly [number, number, number], depth: number): Converted {
    const target = this.#anchors.get(name);
    if (target === undefined) {
      this.#fault('yaml-alias', `no anchor &${name} stands before this alias`, range);
    } else if (target === 'open') {
      this.#fault('yaml-alias', `the alias *${name} contains itself`, range);
    } else if (this.#nodes + target.nodes > maxNodes || depth + target.depth > maxNesting) {
      this.#fault('yaml-alias', `the alias *${name} expands to more than a file may hold`, range);
    } else {
      this.#nodes += target.nodes;
      return target;
    }
    return leaf(null);
  }

  #fault(code: ProblemCode, message: string, range: readonly number[] | null | undefined): void {
    const start = range?.[0] ?? 0;
    this.faults.push({ code, message, start, end: range?.[1] ?? start + 1 });
  }
}

function gather(value: unknown, parts: Converted[]): Converted {
  let nodes = 1;
  let depth = 0;
  for (const part of parts) {
    nodes += part.nodes;
    depth = Math.max(depth, part.depth + 1);
  }
  return { value, nodes, depth };
}
