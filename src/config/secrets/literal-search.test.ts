import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LiteralSearch } from './literal-search.js';

function placesOf(texts: readonly string[], text: string, start = 0): [string, number][] {
  const found: [string, number][] = [];
  const search = new LiteralSearch(texts.map((each) => ({ text: each, target: each })));
  search.visit(text, start, ({ target }, at) => {
    found.push([target, at]);
    return true;
  });
  return found;
}

function slowPlacesOf(texts: readonly string[], text: string, start: number): [string, number][] {
  const places = Array.from({ length: text.length }, (_, at) => at).slice(start);
  return places.flatMap((at) =>
    texts.filter((each) => text.startsWith(each, at)).map((each): [string, number] => [each, at]),
  );
}

describe('LiteralSearch', () => {
  it('finds every place of every text, in order, as looking for one after the other would', () => {
    const letter = fc.constantFrom('a', 'A', 'b', 'é', '\u0161', '-');
    const some = fc.uniqueArray(fc.string({ unit: letter, minLength: 3, maxLength: 5 }), {
      minLength: 1,
      maxLength: 5,
    });
    const long = fc.string({ unit: letter, maxLength: 60 });
    fc.assert(
      fc.property(some, long, fc.nat(10), (texts, text, start) => {
        const key = ([each, at]: [string, number]) => `${String(at).padStart(3, '0')} ${each}`;
        expect(placesOf(texts, text, start).map(key).sort()).toEqual(
          slowPlacesOf(texts, text, start).map(key).sort(),
        );
        const places = placesOf(texts, text, start).map(([, at]) => at);
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }),
      { numRuns: 1000 },
    );
  });

  it('finds texts at the seams of the parts that a long text is read in', () => {
    for (let at = 65_520; at < 65_545; at++) {
      const text = `${'.'.repeat(at)}needle${'.'.repeat(70_000)}needle`;
      expect(placesOf(['needle'], text).map(([, place]) => place)).toEqual([at, at + 70_006]);
    }
  });

  it('minds the case unless it is to be ignored, and checks what else is asked for', () => {
    const search = new LiteralSearch([
      { text: 'KEY-', target: 1 },
      { text: 'bearer', ignoresCase: true, check: /bearer\s/iy, target: 2 },
    ]);
    expect(search.indexFrom('key- Key- bearers', 0)).toBe(-1);
    expect(search.indexFrom('key- KEY-', 0)).toBe(5);
    expect(search.indexFrom('x BEARER\tx', 0)).toBe(2);
    expect(search.indexFrom('KEY- x KEY-', 1)).toBe(7);
  });
});
