import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import fc from 'fast-check';
import { countTokens as countByLibrary } from 'gpt-tokenizer/encoding/cl100k_base';
import { describe, expect, it } from 'vitest';
import { Tokenizer } from './tokenizer.js';

const require = createRequire(import.meta.url);
const tokenizer = new Tokenizer(
  readFileSync(require.resolve('gpt-tokenizer/data/cl100k_base.tiktoken')),
);
const countTokens = (text: string) => tokenizer.count(text);

/** As text like any other, where the library would throw. */
const withSpecialTokensAsText = { disallowedSpecial: new Set<string>() };

const expectedCount = (text: string) => countByLibrary(text, withSpecialTokensAsText);

/** Where the splitter of texts could go wrong: contractions, runs of spaces, halves of characters. */
const tricky = [
  ...["don't", "WE'LL", "'", "'s", "''re", ' ', '  ', '\t', '\n', '\r\n', '\n \n', '\u00a0'],
  ...['{"key":', '[1,2]', '}\n', '!=', '//', '----', '</div>', 'camelCase', 'snake_case', 'x'],
  ...['7', '1234567', '3.14e-10', '٣٤', '²'],
  ...[
    'ünïcödé',
    'e\u0301',
    '\u0301',
    '漢字',
    '한국어',
    'ไทย',
    '𠀋',
    '😀',
    '👩‍👩‍👧',
    '\ud83d',
    '\ude00',
  ],
  ...['<|endoftext|>', '<|', '|>', '<|im_start|>'],
];

/** The library loses the byte order mark and finds no token for it. */
const byteOrderMark = '\ufeff';

const ordinaryText = fc
  .oneof(
    fc.array(fc.constantFrom(...tricky), { maxLength: 60 }).map((pieces) => pieces.join('')),
    fc.lorem({ mode: 'sentences', maxCount: 5 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
  )
  .map((text) => text.replaceAll(byteOrderMark, ''));

describe('count', () => {
  it.each([
    ['', 0],
    ['hello world', 2],
    ['{"name":"echo","arguments":{"message":"hi"}}', 11],
    ['<|endoftext|>', 7],
    [' '.repeat(100), 2],
  ])('%j has as many tokens as the library says: %i', (text, count) => {
    expect(countTokens(text)).toBe(count);
    expect(expectedCount(text)).toBe(count);
  });

  it('a byte order mark is a token, as the table has it', () => {
    expect(countTokens(byteOrderMark)).toBe(1);
  });

  it('agrees with the library on any ordinary text', () => {
    fc.assert(
      fc.property(ordinaryText, (text) => {
        expect(countTokens(text)).toBe(expectedCount(text));
      }),
      { numRuns: 1000 },
    );
  });

  it('agrees wherever a long text is divided', () => {
    // Somewhere within the random text, the first 65,536 characters end.
    const words = 'lorem ipsum '.repeat(6000);
    fc.assert(
      fc.property(ordinaryText, fc.nat({ max: 60 }), (text, before) => {
        const longText = words.slice(0, 65_536 - before) + text + words;
        expect(countTokens(longText)).toBe(expectedCount(longText));
      }),
      { numRuns: 100 },
    );
  });

  it('never cuts through a character', () => {
    const text = `!${'🦄'.repeat(400)}`;
    expect(countTokens(text)).toBe(expectedCount(text));
  });

  it('leaves the last of many spaces to the word that follows', () => {
    expect(countTokens(`${' '.repeat(512)} word`)).toBe(4 + 1);
  });

  it('counts a very long word of ever new letters', () => {
    const hash = createHash('shake256', { outputLength: 100_000 }).update('seed').digest();
    const word = Array.from(hash, (byte) => String.fromCharCode(97 + (byte % 26))).join('');
    expect(countTokens(word)).toBeGreaterThan(word.length / 4);
  });
});

describe('a megabyte', () => {
  const length = 1_000_000;

  it.each([
    ['a letter', 'a'],
    ['spaces', ' '],
    ['newlines', '\n'],
    ['line ends and spaces', '\r\n '],
    ['digits', '7'],
    ['a sign', '='],
    ['emoji', '😀'],
    ['characters outside the first plane', '𠀋'],
    ['letters with a combining character', 'e\u0301'],
    ['combining characters', '\u0301'],
    ['first halves of characters', '\ud83d'],
    ['second halves of characters', '\ude00'],
    ['halves in the wrong order', '\ude00\ud83d'],
  ])('of %s is counted, and wrong by at most a token per cut', (_, unit) => {
    const sampleLength = 3000;
    const sample = expectedCount(unit.repeat(sampleLength / unit.length));
    const expected = sample * (length / sampleLength);
    const cuts = length / 500;
    const count = countTokens(unit.repeat(length / unit.length));
    expect(Math.abs(count - expected)).toBeLessThanOrEqual(cuts);
  });
});
