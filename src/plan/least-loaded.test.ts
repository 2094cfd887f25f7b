import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LeastLoaded } from './least-loaded.js';

it('adds to the bin that a look at all of them finds', () => {
  const weights = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), weights, (bins, all) => {
      const loads = Array.from({ length: bins }, () => 0);
      const leastLoaded = new LeastLoaded(bins);
      for (const weight of all) {
        const first = loads.indexOf(Math.min(...loads));
        loads[first] = (loads[first] ?? 0) + weight;
        expect(leastLoaded.add(weight)).toBe(first);
      }
    }),
  );
});
