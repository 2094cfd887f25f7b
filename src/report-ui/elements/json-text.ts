/** Deeper than this, lines are not indented further: 30,000 levels would be a gigabyte of spaces. */
const deepestIndent = 32;

type Token = { text: string } | { value: unknown; depth: number };

/**
 * JSON as people read it, up to about so many characters. It does not recurse: what servers send can
 * be nested too deep for JSON.stringify.
 */
export function jsonText(value: unknown, limit: number): { text: string; whole: boolean } {
  const parts: string[] = [];
  const todo: Iterator<Token>[] = [[{ value, depth: 0 }][Symbol.iterator]()];
  let length = 0;
  while (length <= limit) {
    const next = todo.at(-1)?.next();
    if (!next) return { text: parts.join(''), whole: true };
    if (next.done) {
      todo.pop();
      continue;
    }
    const token = next.value;
    if ('value' in token && isContainer(token.value)) {
      todo.push(tokensOf(token.value, token.depth));
      continue;
    }
    const text = 'text' in token ? token.text : (JSON.stringify(token.value) ?? 'null');
    parts.push(text);
    length += text.length;
  }
  return { text: parts.join(''), whole: false };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function* tokensOf(value: object, depth: number): Generator<Token> {
  const isList = Array.isArray(value);
  const keys = Object.keys(value);
  if (keys.length === 0) {
    yield { text: isList ? '[]' : '{}' };
    return;
  }
  yield { text: isList ? '[' : '{' };
  const members: [string, unknown][] = isList ? [] : Object.entries(value);
  const count = isList ? value.length : members.length;
  for (let place = 0; place < count; place++) {
    const [key, member] = isList ? ['', value[place]] : (members[place] ?? ['', null]);
    yield { text: `${place === 0 ? '' : ','}\n${indent(depth + 1)}` };
    if (!isList) yield { text: `${JSON.stringify(key)}: ` };
    yield { value: member, depth: depth + 1 };
  }
  yield { text: `\n${indent(depth)}${isList ? ']' : '}'}` };
}

function indent(depth: number): string {
  return '  '.repeat(Math.min(depth, deepestIndent));
}
