import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  columns,
  formatView,
  isFiltered,
  outcomes,
  parseView,
  taskOrders,
  type View,
  wholeView,
} from './view.js';

const anyView: fc.Arbitrary<View> = fc.record({
  text: fc.string(),
  outcomes: fc.subarray([...outcomes]),
  difficulty: fc.option(fc.string({ minLength: 1 })),
  label: fc.option(fc.string({ minLength: 1 })),
  server: fc.option(fc.string({ minLength: 1 })),
  tool: fc.option(fc.string({ minLength: 1 })),
  source: fc.option(fc.nat({ max: 9 })),
  variant: fc.option(fc.string({ minLength: 1 })),
  sort: fc.record({ column: fc.constantFrom(...columns), descending: fc.boolean() }),
  tasksBy: fc.constantFrom(...taskOrders),
});

describe('a view in the address', () => {
  it('a view is restored from its address', () => {
    fc.assert(
      fc.property(anyView, (view) => {
        const address = formatView(view).toString();
        expect(parseView(new URLSearchParams(address))).toEqual(view);
      }),
    );
  });

  it('the view without filters has an empty query', () => {
    expect(formatView(wholeView).toString()).toBe('');
    expect(parseView(new URLSearchParams())).toEqual(wholeView);
  });

  it('a view ignores unknown values in the address', () => {
    const query = new URLSearchParams('outcome=failed,odd&sort=-odd&tasks=odd&set=-1&other=1');
    expect(parseView(query)).toEqual({ ...wholeView, outcomes: ['failed'] });
  });
});

describe('isFiltered', () => {
  it('a view is filtered if it leaves task runs out, and not by its order', () => {
    const sorted: View = { ...wholeView, sort: { column: 'cost', descending: false } };
    expect(isFiltered(sorted)).toBe(false);
    expect(isFiltered({ ...wholeView, text: '  ' })).toBe(false);
    expect(isFiltered({ ...wholeView, text: 'pod' })).toBe(true);
    expect(isFiltered({ ...wholeView, source: 0 })).toBe(true);
    expect(isFiltered({ ...wholeView, outcomes: ['failed'] })).toBe(true);
  });
});
