import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SourceFile, type TextRange } from './source-file.js';

const text = `kind: Eval
config:
  list:
    - name: "first"
      'quoted key': it''s
    - second
  block: |
    one
      two
  folded: >
    three
  alias: &anchor
    inner: here
  copy: *anchor
  empty:
`;
const file = new SourceFile('/suite/eval.yaml', 'eval.yaml', text);
const at = ({ start, end }: TextRange) => text.slice(start, end);

describe('SourceFile', () => {
  it.each([
    [['kind'], 'kind', 'Eval'],
    [['config', 'list', 0, 'name'], 'name', '"first"'],
    [['config', 'list', 0, 'quoted key'], "'quoted key'", "it''s"],
    [['config', 'list', 1], 'second', 'second'],
    [['config', 'alias', 'inner'], 'inner', 'here'],
    [['config', 'copy', 'inner'], 'inner', 'here'],
  ])('knows where %j stands', (path, key, value) => {
    expect(at(file.keyRange(path))).toBe(key);
    expect(at(file.valueRange(path))).toBe(value);
  });

  it('marks the key of a value that is empty, and of the nearest parent of one that is missing', () => {
    expect(at(file.valueRange(['config', 'empty']))).toBe('empty');
    expect(at(file.valueRange(['config', 'list', 0, 'missing', 'deeper']))).toBe('name: "first"');
    expect(at(file.valueRange(['config', 'nowhere']))).toBe('config');
  });

  it('marks the first line where there is nothing else', () => {
    expect(at(file.keyRange([]))).toContain('kind: Eval');
    const empty = new SourceFile('/x', 'x', '');
    expect(empty.keyRange(['a'])).toEqual({ start: 0, end: 0 });
  });

  it('counts lines and columns from 1', () => {
    expect(file.position(0)).toEqual({ line: 1, column: 1 });
    expect(file.position(text.indexOf('config'))).toEqual({ line: 2, column: 1 });
    expect(file.position(text.indexOf('second'))).toEqual({ line: 6, column: 7 });
    expect(file.position(text.length)).toEqual({ line: 16, column: 1 });
  });

  it('counts lines with CRLF ends', () => {
    const windows = new SourceFile('/x', 'x', 'a: 1\r\nb: [2,\r\n  3]\r\n');
    expect(windows.position(windows.keyRange(['b']).start)).toEqual({ line: 2, column: 1 });
    expect(windows.position(windows.valueRange(['b', 1]).start)).toEqual({ line: 3, column: 3 });
  });
});

describe('a part of a string', () => {
  it.each([
    ['plain', 'a: xyBADz'],
    ['plain with a comment', 'a: xyBADz # BAD'],
    ['single quotes', "a: 'x''BADz'"],
    ['double quotes', 'a: "x\\tBADz"'],
    ['escapes of every length', 'a: "\\x41\\u0042\\U0001F600BADz"'],
    ['a literal block', 'a: |\n  xx\n\n    y BAD z\n'],
    ['a literal block with its indentation stated', 'a: |2\n     deeper\n  BAD\n'],
    ['a literal block with an indicator', 'a: |-\n    xx\n    BAD\n'],
  ])('is found in %s', (_name, source) => {
    const index = (parse(source) as { a: string }).a.indexOf('BAD');
    const { start, end } = new SourceFile('/x', 'x', source).withinString(['a'], index, 3);
    expect(source.slice(start, end)).toBe('BAD');
  });

  it('is the whole string where folding makes it a guess', () => {
    const source = 'a: >\n  one\n  BAD\n';
    const { start, end } = new SourceFile('/x', 'x', source).withinString(['a'], 4, 3);
    expect(source.slice(start, end)).toBe('>\n  one\n  BAD');
  });
});
