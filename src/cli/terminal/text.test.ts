import { styleText } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, terminalLine, terminalText, withoutStyle, wrapText } from './text.js';

describe('terminalText', () => {
  it('shows control characters instead of obeying them', () => {
    expect(terminalText('\u001b[31mred\u0007\u007f\u009b2J')).toBe('␛[31mred␇␡\ufffd2J');
  });

  it('replaces marks that change the direction of text, and lone surrogates', () => {
    expect(terminalText('a\u202eb\u2066c\ud800d')).toBe('a\ufffdb\ufffdc\ufffdd');
  });

  it('leaves line ends alone', () => {
    expect(terminalText('a\nb\r\n')).toBe('a\nb␍\n');
  });

  it('leaves ordinary text alone', () => {
    expect(terminalText('naïve 日本 😀 – "x"')).toBe('naïve 日本 😀 – "x"');
  });
});

describe('terminalLine', () => {
  it('stays on one line', () => {
    expect(terminalLine('a\tb\nc\r')).toBe('a  b␊c␍');
  });
});

describe('displayWidth', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['😀', 2],
    ['✅⌚', 4],
    ['✓', 1],
    ['e\u0301', 1],
    ['', 0],
  ])('of %j is %d', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

const red = (text: string) => styleText('red', text, { validateStream: false });

describe('text for a terminal', () => {
  it('is left as it is where there is no terminal, or one that is too narrow to read on', () => {
    const text = 'word '.repeat(40);
    expect(wrapText(text, undefined)).toBe(text);
    expect(wrapText(text, 20)).toBe(text);
  });

  it('is broken between words, and goes on where its line began', () => {
    const text = 'a\n    These words do not have enough room on a line.\nb';
    expect(wrapText(text, 40)).toBe(
      'a\n    These words do not have enough room\n    on a line.\nb',
    );
  });

  it('goes on below the text after a label or a bullet, and behind the bar of a quotation', () => {
    expect(wrapText('cost  there is no price for the model, so it is not known', 40)).toBe(
      'cost  there is no price for the model,\n      so it is not known',
    );
    expect(wrapText('  - a detail that is too long for one line of it', 40)).toBe(
      '  - a detail that is too long for one\n    line of it',
    );
    expect(wrapText('  | what a program wrote to its standard output', 40)).toBe(
      '  | what a program wrote to its standard\n  | output',
    );
  });

  it('moves a word that fits on a line, and cuts only one that does not', () => {
    const path = 'x'.repeat(35);
    expect(wrapText(`see ${path}y`, 40)).toBe(`see ${path}y`);
    expect(wrapText(`see ${path}yz ok`, 40)).toBe(`see\n${path}yz ok`);
    expect(wrapText(`see ${path}123456`, 40)).toBe(`see ${path}1\n23456`);
  });

  it('keeps a command in one piece, for people to paste', () => {
    const command = `  proctor view ${'x'.repeat(30)}.json --task something`;
    expect(wrapText(command, 40)).toBe(command);
  });

  it('counts no column for styles', () => {
    const text = `${red('error:')} thirty columns fit into forty`;
    expect(wrapText(text, 40)).toBe(text);
  });

  it('loses no word, and has no line that is wider than the terminal', () => {
    const word = fc.stringMatching(/^[a-z文😀]{1,12}$/u);
    fc.assert(
      fc.property(fc.array(word), fc.integer({ min: 40, max: 90 }), (words, columns) => {
        const text = words.map((each, index) => (index % 3 === 0 ? red(each) : each)).join(' ');
        const lines = withoutStyle(wrapText(text, columns)).split('\n');
        for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        expect(lines.join(' ').split(' ')).toEqual(words.join(' ').split(' '));
      }),
      { examples: [[['文文😀😀😀aa😀aa😀', '文文文😀文文😀文文文😀'], 40]] },
    );
  });
});
