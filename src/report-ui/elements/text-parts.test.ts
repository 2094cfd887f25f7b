import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textParts } from './text-parts.js';

describe('textParts', () => {
  it('gives back the whole text in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, size) => {
        expect(textParts(text, text.length, size).join('')).toBe(text);
      }),
    );
  });

  it('ends a part with a line where there is one', () => {
    expect(textParts('one\ntwo\nthree', 100, 6)).toEqual(['one\n', 'two\n', 'three']);
  });

  it('does not tear a surrogate pair apart', () => {
    expect(textParts('a😀b', 100, 2)).toEqual(['a😀', 'b']);
  });

  it('shows the beginning alone', () => {
    const parts = textParts('x'.repeat(5_000_000), 20_000);
    expect(parts.join('')).toBe('x'.repeat(20_000));
  });
});
