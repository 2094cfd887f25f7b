import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputLines, OutputTail } from './program-output.js';

/** The same bytes, in pieces that end anywhere. */
function cutAnywhere(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text);
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length];
  places.sort((left, right) => left - right);
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}

describe('OutputLines', () => {
  function linesOf(chunks: readonly Buffer[], maxLength = 1000) {
    const lines: [string, boolean][] = [];
    const output = new OutputLines(maxLength, (line, isCut) => lines.push([line, isCut]));
    for (const chunk of chunks) output.push(chunk);
    output.end();
    return lines;
  }

  it('gives the same lines in whatever pieces they come', () => {
    const texts = fc
      .array(fc.constantFrom('a', 'é', '😀', '\n', '\r\n', ''))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(texts, fc.array(fc.nat()), (text, cuts) => {
        const expected = text.split(/\r?\n/);
        if (expected.at(-1) === '') expected.pop();
        expect(linesOf(cutAnywhere(text, cuts)).map(([line]) => line)).toEqual(expected);
      }),
    );
  });

  it('cuts a line that is too long, and goes on with the next', () => {
    const chunks = ['abc', 'def', 'ghi\nabcd\nx'].map((text) => Buffer.from(text));
    expect(linesOf(chunks, 4)).toEqual([
      ['abcd', true],
      ['abcd', false],
      ['x', false],
    ]);
  });
});

describe('OutputTail', () => {
  function tailOf(chunks: readonly Buffer[], maxBytes: number) {
    const tail = new OutputTail(maxBytes);
    for (const chunk of chunks) tail.push(chunk);
    return { text: tail.text(), isCut: tail.isCut };
  }

  it('keeps everything that has room, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat()), (text, cuts) => {
        expect(tailOf(cutAnywhere(text, cuts), 1000)).toEqual({ text, isCut: false });
      }),
    );
  });

  it.each([
    ['whole lines', 'first line\nsecond\nthird', 15, 'second\nthird'],
    ['whole characters', 'a😀😀😀', 10, '😀😀'],
    ['the end of the only line', 'abcdef\n', 4, 'def\n'],
    ['the end of a line that is all but everything', 'abcdefghi klmno\np', 10, 'klmno\np'],
    ['whole words', 'a secret in a line', 14, 'in a line'],
  ])('keeps %s of what has no room', (_, text, maxBytes, expected) => {
    expect(tailOf(cutAnywhere(text, [3, 5]), maxBytes)).toEqual({ text: expected, isCut: true });
  });

  it('survives very many small pieces', () => {
    const chunks = Array.from({ length: 100_000 }, () => Buffer.from('ab\n'));
    expect(tailOf(chunks, 9)).toEqual({ text: 'ab\nab\n', isCut: true });
  });
});
