import { describe, expect, it } from 'vitest';
import { displayWidth, terminalLine, terminalText } from './terminal-text.js';

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
