import { describe, expect, it } from 'vitest';
import { maxNesting, parseYaml, toPlainValue } from './yaml-document.js';

function read(text: string) {
  const { documents, faults } = parseYaml(text);
  const plain = documents.map(toPlainValue);
  return {
    values: plain.map(({ value }) => value),
    faults: [...faults, ...plain.flatMap((each) => each.faults)],
  };
}

describe('parseYaml', () => {
  it('reads YAML 1.2 core: yes and no are text, octal has 0o', () => {
    const { values } = read('a: yes\nb: 0o17\nc: 017\nd: ~\ne: 2024-01-01\nf: true');
    expect(values).toEqual([{ a: 'yes', b: 15, c: 17, d: null, e: '2024-01-01', f: true }]);
  });

  it('reads JSON, also with tabs', () => {
    expect(read('{\n\t"a": [1, {"b": null}]\n}').values).toEqual([{ a: [1, { b: null }] }]);
  });

  it.each([
    ['several documents', 'a: 1\n---\nb: 2', 2],
    ['nothing', '', 1],
    ['only a comment', '# nothing\n', 1],
  ])('counts %s', (_name, text, count) => {
    expect(read(text).values).toHaveLength(count);
  });

  it.each([
    ['an unclosed quote', 'a: "b', 'yaml-syntax'],
    ['a quote that is escaped at the very end', 'a: "b\\"', 'yaml-syntax'],
    ['a tab as indentation', 'a:\n\tb: 1', 'yaml-syntax'],
    ['a custom tag', 'a: !env B', 'yaml-tag'],
    ['a tag of YAML 1.1', 'a: !!binary aGVsbG8=', 'yaml-tag'],
    ['a duplicate key', 'a: 1\nb: 2\na: 3', 'duplicate-key'],
    ['a duplicate key of another type', '1: a\n"1": b', 'duplicate-key'],
    ['a map as key', '{a: 1}: b', 'yaml-key'],
    ['the key __proto__', '__proto__: {polluted: 1}', 'yaml-key'],
    ['an alias without anchor', 'a: *b', 'yaml-alias'],
    ['an alias before its anchor', 'a: *b\nc: &b 1', 'yaml-alias'],
    ['an alias within itself', 'a: &b [*b]', 'yaml-alias'],
  ])('finds %s', (_name, text, code) => {
    expect(read(text).faults.map((fault) => fault.code)).toEqual([code]);
  });

  it('shares what an alias stands for, as it was at that point', () => {
    expect(read('a: &x 1\nb: *x\nc: &x 2\nd: *x').values).toEqual([{ a: 1, b: 1, c: 2, d: 2 }]);
  });

  it('bounds the expansion of aliases', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level++) {
      const aliases = Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ');
      lines.push(`a${level}: &a${level} [${aliases}]`);
    }
    const codes = new Set(read(lines.join('\n')).faults.map((fault) => fault.code));
    expect([...codes]).toEqual(['yaml-alias']);
  });

  it('accepts nesting up to the limit', () => {
    const flow = '['.repeat(maxNesting) + ']'.repeat(maxNesting);
    expect(read(flow).faults).toEqual([]);
  });

  it.each([
    ['flow lists', '['.repeat(200_000)],
    ['flow maps', '{a: '.repeat(50_000)],
    ['block lists', '- '.repeat(100_000)],
    ['block keys', '? '.repeat(100_000)],
    ['closed lists', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['indented maps', Array.from({ length: 500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n')],
  ])('refuses %s that are nested too deep, without running out of stack', (_name, text) => {
    expect(read(text).faults.map((fault) => fault.code)).toEqual(['yaml-nesting']);
  });

  it('counts nesting through aliases', () => {
    const deep = '['.repeat(60) + ']'.repeat(60);
    const text = `a: &a ${deep}\nb: ${'['.repeat(60)}*a${']'.repeat(60)}`;
    expect(read(text).faults.map((fault) => fault.code)).toEqual(['yaml-alias']);
  });

  it('reports only the first of many syntax errors', () => {
    expect(read('"a" "b" '.repeat(1000)).faults).toHaveLength(1);
  });

  it.each([
    ['a: "b\nc: d\n', 3, 'the " is never closed'],
    ["a: 'b\nc: d\n", 3, "the ' is never closed"],
    ['a: [1, {b: 2\nc: d\n', 7, 'the { is never closed'],
    ['{"a": [1, 2]', 0, 'the { is never closed'],
  ])('marks in %j what is never closed', (text, start, message) => {
    expect(read(text).faults).toMatchObject([{ code: 'yaml-syntax', start, message }]);
  });
});
