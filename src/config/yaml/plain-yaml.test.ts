import { describe, expect, it } from 'vitest';
import { readYamlTexts } from '../../../testing/invalid-suites.js';
import { findPlainLine, readPlainYaml } from './plain-yaml.js';
import { type DataPath, SourceFile } from './source-file.js';
import { parseYaml, toPlainValue } from './yaml-document.js';

/** What the library makes of a text; undefined if something is wrong with it, or it is not one document. */
function readWithLibrary(text: string): { value: unknown } | undefined {
  const { documents, faults } = parseYaml(text);
  const [document] = documents;
  if (faults.length > 0 || documents.length !== 1 || document === undefined) return undefined;
  const { value, faults: more } = toPlainValue(document);
  return more.length > 0 ? undefined : { value };
}

const texts = readYamlTexts().filter(({ length }) => length < 2000);

describe('reading plain YAML', () => {
  it.each([
    ['maps in maps', 'a:\n  b:\n    c: 1\n  d: x\n', { a: { b: { c: 1 }, d: 'x' } }],
    [
      'lists at the column of their key',
      'a:\n- x\n- y: 1\n  z: 2\nb: 3',
      { a: ['x', { y: 1, z: 2 }], b: 3 },
    ],
    ['lists of lists below a dash', 'a:\n  -\n    - 1\n  - two\n', { a: [[1], 'two'] }],
    [
      'scalars of the core schema',
      'a: ~\nb: True\nc: -1\nd: 1.5\ne: 5m\nf: yes\ng:\n',
      { a: null, b: true, c: -1, d: 1.5, e: '5m', f: 'yes', g: null },
    ],
    [
      'quotes',
      `a: "x\\n\\"y\\""\nb: 'it''s' # why\n"c d": ''\n`,
      { a: 'x\n"y"', b: "it's", 'c d': '' },
    ],
    ['comments', '# one\na: b # two\n  # three\nc: d#e\n', { a: 'b', c: 'd#e' }],
    [
      'literal blocks',
      'a: |\n  x\n\n    y # z\n\nb: |-\n  \tz\n',
      { a: 'x\n\n  y # z\n', b: '\tz' },
    ],
    [
      'brackets',
      'a: [x, "y", [1, {b: c}]] # d\nb: {}\n',
      { a: ['x', 'y', [1, { b: 'c' }]], b: {} },
    ],
    [
      'white space that is no space, as a part of what is written',
      'a: 5\u00a0\nb: x\u3000 # y\nc: true\u2028\n',
      { a: '5\u00a0', b: 'x\u3000', c: 'true\u2028' },
    ],
    ['the mark of a document', '---\na: 1\n', { a: 1 }],
  ])('knows %s', (_, text, value) => {
    expect(readPlainYaml(text)).toEqual({ value });
    expect(readWithLibrary(text)).toEqual({ value });
  });

  it.each([
    ['an anchor', 'a: &x 1\nb: *x\n'],
    ['a tag', 'a: !x 1\n'],
    ['a scalar over several lines', 'a: x\n  y\n'],
    ['a folded block', 'a: >\n  x\n'],
    ['a key given twice', 'a: 1\na: 2\n'],
    ['a key that is no text', 'true: 1\n'],
    ['a dangerous key', '__proto__: 1\n'],
    ['a tab as indentation', 'a:\n\tb: 1\n'],
    ['two documents', 'a: 1\n---\nb: 2\n'],
    ['an unclosed quote', 'a: "x\n'],
    ['a map within a value', 'a: b: c\n'],
    ['an odd number', 'a: 0x1F\n'],
    ['indentation that fits nothing', 'a:\n    b: 1\n  c: 2\n'],
    ['nothing', '# empty\n'],
    ['depth', Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
  ])('leaves %s to the library', (_, text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });

  it('reads most of the files that people write', () => {
    const plain = texts.filter((text) => readPlainYaml(text) !== undefined);
    expect(plain.length).toBeGreaterThan(texts.length * 0.8);
  });

  it('says the same as the library, or nothing, of every file and of hundreds of damaged ones', () => {
    const damaged = damage(texts, 1500);
    let plain = 0;
    for (const text of [...texts, ...damaged]) {
      const read = readPlainYaml(text);
      if (read === undefined) continue;
      plain += 1;
      expect({ text, ...read }).toEqual({ text, ...readWithLibrary(text) });
    }
    expect(plain).toBeGreaterThan(500);
  });
});

describe('finding lines in plain YAML', () => {
  it('finds the line that the library finds, of every key and item of every file', () => {
    let places = 0;
    for (const text of texts) {
      const read = readPlainYaml(text);
      if (read === undefined) continue;
      const file = new SourceFile('/a.yaml', 'a.yaml', text);
      for (const path of pathsIn(read.value)) {
        places++;
        const line = file.position(file.keyRange(path).start).line;
        expect({ text, path, line: findPlainLine(text, path) }).toEqual({ text, path, line });
      }
    }
    expect(places).toBeGreaterThan(1000);
  });

  it.each([
    ['behind and below dashes', 'a:\n  -\n    # why\n    b: 1\n  - c: 2\n    d: 3\n', ['a', 0], 4],
    ['of an item that is nothing', 'a:\n  -\n  - b\n', ['a', 0], 2],
    ['in brackets', 'a:\n  b: [c, {d: e}]\n', ['a', 'b', 1, 'd'], 2],
  ])('finds lines %s', (_, text, path, line) => {
    const file = new SourceFile('/a.yaml', 'a.yaml', text);
    expect(findPlainLine(text, path)).toBe(line);
    expect(file.position(file.keyRange(path).start).line).toBe(line);
  });

  it.each([
    ['in what is not plain', 'a: &x 1\n', ['a']],
    ['of what is not there', 'a: 1\n', ['b']],
    ['within a scalar', 'a: 1\n', ['a', 'b']],
  ])('finds no line %s', (_, text, path) => {
    expect(findPlainLine(text, path)).toBeUndefined();
  });
});

/** The path of everything in a value. */
function* pathsIn(value: unknown, path: DataPath = []): Generator<DataPath> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value)) {
    const inner = [...path, Array.isArray(value) ? Number(key) : key];
    yield inner;
    yield* pathsIn(item, inner);
  }
}

/** What means something in YAML, to be put where it does not belong. */
const pieces = [
  ...[
    '"',
    "'",
    ':',
    ': ',
    ' ',
    '  ',
    '\n',
    '\n  ',
    '- ',
    '-',
    '#',
    ' #',
    '|',
    '|-',
    '|\n',
    '>',
    '?',
  ],
  ...['[', ']', '{', '}', ', ', '&a ', '*a', '!x ', '---\n', '...\n', '%', '@', '\t', '\\', '\\n'],
  ...['\u00a0', '\u3000'],
  ...[
    '1',
    '0x1',
    '1e3',
    '.5',
    '~',
    'null',
    'true',
    "''",
    '[a, b]',
    '{a: 1}',
    '<<: ',
    'a: b',
    '\u2028',
  ],
];

function damage(whole: readonly string[], count: number): string[] {
  const pick = numbers(20_261_118);
  return Array.from({ length: count }, () => {
    let text = whole[pick(whole.length)] ?? '';
    for (let times = pick(3); times >= 0; times--) {
      const at = pick(text.length);
      const piece = pieces[pick(pieces.length)] ?? '';
      // Put in, put in place of something, or taken away.
      const [put, gone] = [[piece, 0] as const, [piece, 1] as const, ['', 1 + pick(4)] as const][
        pick(3)
      ] ?? ['', 0];
      text = text.slice(0, at) + put + text.slice(at + gone);
    }
    return text;
  });
}

/** Whole numbers below a limit, always the same ones. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * limit);
  };
}
