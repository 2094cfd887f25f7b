import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../terminal/text.js';
import { foldText } from './timeline.js';

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');

describe('a folded text', () => {
  it('is left as it is if it fits', () => {
    expect(foldText('one\n  two\n', { width: 20, maxLines: 2 })).toEqual(['one', '  two']);
    expect(foldText(' \n', { width: 20, maxLines: 2 })).toEqual([]);
  });

  it('shows its beginning, and how much more there is', () => {
    const shown = foldText(lines(10), { width: 20, maxLines: 2 });
    expect(shown).toEqual(['line 1', 'line 2', '… 8 more lines']);
  });

  it('shows a last line rather than saying that there is one', () => {
    expect(foldText(lines(3), { width: 20, maxLines: 2 })).toEqual(['line 1', 'line 2', 'line 3']);
  });

  it('shows its end if that is what people want', () => {
    const shown = foldText(lines(10), { width: 20, maxLines: 2, keep: 'end' });
    expect(shown).toEqual(['… 8 more lines', 'line 9', 'line 10']);
  });

  it('of long lines says how many have no place', () => {
    const text = Array(10).fill('x'.repeat(35)).join('\n');
    expect(foldText(text, { width: 20, maxLines: 4 }).at(-1)).toBe('… 8 more lines');
    expect(foldText(text, { width: 20, maxLines: 5, keep: 'end' })[0]).toBe('… 7 more lines');
  });

  it('breaks lines at spaces, and words that are longer than a line', () => {
    expect(foldText('  the quick brown fox', { width: 12, maxLines: 9 })).toEqual([
      '  the quick',
      '  brown fox',
    ]);
    expect(foldText('a'.repeat(25), { width: 10, maxLines: 9 })).toEqual([
      'a'.repeat(10),
      'a'.repeat(10),
      'a'.repeat(5),
    ]);
  });

  it('of one line as long as a book is cut', () => {
    const shown = foldText('x'.repeat(5_000_000), { width: 10, maxLines: 2 });
    expect(shown).toEqual(['x'.repeat(10), 'x'.repeat(10), '… 4999980 more characters']);
  });

  it('of one line as long as a book has its end at the end', () => {
    const text = `${'x'.repeat(5_000_000)}end`;
    const shown = foldText(text, { width: 10, maxLines: 2, keep: 'end' });
    expect(shown.at(-1)).toMatch(/end$/);
    expect(shown).toHaveLength(3);
  });

  it('can do nothing to a terminal', () => {
    const shown = foldText('\u001b[31mred\u001b[0m\u202e\rover\u0007', {
      width: 80,
      maxLines: 2,
    });
    expect(shown.join('')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(shown.join('')).toContain('[31mred');
  });

  it('is never wider or longer than it may be', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const options = fc.record({
      width: fc.integer({ min: 10, max: 50 }),
      maxLines: fc.integer({ min: 1, max: 5 }),
      keep: fc.constantFrom('beginning' as const, 'end' as const),
    });
    fc.assert(
      fc.property(text, options, (each, limits) => {
        const shown = foldText(each, limits).filter((line) => !line.startsWith('… '));
        expect(shown.length).toBeLessThanOrEqual(limits.maxLines + 1);
        for (const line of shown) expect(displayWidth(line)).toBeLessThanOrEqual(limits.width);
      }),
      { numRuns: 100 },
    );
  });
});
