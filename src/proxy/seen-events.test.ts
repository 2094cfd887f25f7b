import { describe, expect, it } from 'vitest';
import { SeenEvents } from './seen-events.js';

const event = (ownId: string | undefined, data: string, id = ownId) => ({
  event: 'message',
  data,
  ...(id !== undefined && { id }),
  ...(ownId !== undefined && { ownId }),
});

describe('SeenEvents', () => {
  it('knows an event by its id and its text, within a scope', () => {
    const seen = new SeenEvents();
    seen.add(event('1', 'a'), 'x');
    expect(seen.has(event('1', 'a'), 'x')).toBe(true);
    expect(seen.has(event('1', 'a'), 'y')).toBe(false);
    expect(seen.has(event('2', 'a'), 'x')).toBe(false);
    expect(seen.has(event('1', 'b'), 'x')).toBe(false);
  });

  it.each([
    ['none', event(undefined, 'a')],
    ['an empty one', event('', 'a')],
    ['that of an event before it', event(undefined, 'a', '1')],
  ])('knows nothing by an id that is %s', (_name, each) => {
    const seen = new SeenEvents();
    seen.add(each);
    expect(seen.has(each)).toBe(false);
  });
});
