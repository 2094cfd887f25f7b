import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { LocalAgentSlots } from './local-agent-slots.js';

const never = new AbortController().signal;

/** Everybody who asks, and who was let in. */
function asking(slots: LocalAgentSlots) {
  const inside: string[] = [];
  const leaves = new Map<string, () => void>();
  return {
    inside,
    enter: (name: string, signal = never) =>
      slots.enter(signal).then((leave) => {
        inside.push(name);
        leaves.set(name, leave);
      }),
    leave: async (name: string) => {
      leaves.get(name)?.();
      await setImmediate();
    },
  };
}

describe('slots for agents', () => {
  it('let in as many as there are, and the others in their order', async () => {
    const { inside, enter, leave } = asking(new LocalAgentSlots(2));
    for (const name of ['a', 'b', 'c', 'd']) void enter(name);
    await setImmediate();
    expect(inside).toEqual(['a', 'b']);
    await leave('b');
    expect(inside).toEqual(['a', 'b', 'c']);
    await leave('a');
    expect(inside).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are given away once, however often somebody says that it leaves', async () => {
    const { inside, enter, leave } = asking(new LocalAgentSlots(1));
    for (const name of ['a', 'b', 'c']) void enter(name);
    await setImmediate();
    await leave('a');
    await leave('a');
    expect(inside).toEqual(['a', 'b']);
  });

  it('are not taken by those who give up', async () => {
    const { inside, enter, leave } = asking(new LocalAgentSlots(1));
    const stop = new AbortController();
    void enter('a');
    const given = enter('b', stop.signal);
    void enter('c');
    stop.abort();
    await expect(given).rejects.toBe(stop.signal.reason);
    await expect(enter('d', stop.signal)).rejects.toBe(stop.signal.reason);
    await leave('a');
    expect(inside).toEqual(['a', 'c']);
  });

  it('are there for everybody without a limit', async () => {
    const { inside, enter } = asking(new LocalAgentSlots(Number.POSITIVE_INFINITY));
    await Promise.all(['a', 'b', 'c'].map((name) => enter(name)));
    expect(inside).toEqual(['a', 'b', 'c']);
  });
});
