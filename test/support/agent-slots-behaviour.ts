import { describe, expect, it } from 'vitest';
import type { AgentSlots } from '../../src/limits/limits.js';

/** Slots that are under test, as two who share them see them. */
export interface SharedSlots {
  /** Of two processes, where slots can be shared by several. */
  slots: readonly [AgentSlots, AgentSlots];
  /** Whoever may enter by now is inside when it settles. */
  settled(): Promise<void>;
}

/** Makes so many slots. They are closed with the test. */
export type CreateSlots = (count: number) => Promise<SharedSlots>;

/** What all slots have to do, wherever they are kept. */
export function describeAgentSlots(name: string, create: CreateSlots): void {
  describe(name, () => {
    it('let in as many as there are, and the others in their order', async () => {
      const slots = await Asking.create(create, 2);
      for (const name of ['a', 'b', 'c', 'd']) slots.enter(name);
      expect(await slots.inside()).toEqual(['a', 'b']);
      slots.leave('b');
      expect(await slots.inside()).toEqual(['a', 'c']);
      slots.leave('a');
      expect(await slots.inside()).toEqual(['c', 'd']);
    });

    it('are the same for everybody', async () => {
      const slots = await Asking.create(create, 2);
      for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) {
        slots.enter(name, { by: index % 2 });
      }
      expect(await slots.inside()).toEqual(['a', 'b']);
      slots.leave('a');
      expect(await slots.inside()).toEqual(['b', 'c']);
      slots.leave('c');
      expect(await slots.inside()).toEqual(['b', 'd']);
    });

    it('are given away once, however often somebody says that it leaves', async () => {
      const slots = await Asking.create(create, 1);
      for (const name of ['a', 'b', 'c']) slots.enter(name);
      expect(await slots.inside()).toEqual(['a']);
      const leave = slots.leave('a');
      expect(await slots.inside()).toEqual(['b']);
      leave();
      expect(await slots.inside()).toEqual(['b']);
    });

    it('are not taken by those who give up', async () => {
      const slots = await Asking.create(create, 1);
      const stop = new AbortController();
      slots.enter('a');
      const given = slots.enter('b', { signal: stop.signal });
      slots.enter('c', { by: 1 });
      expect(await slots.inside()).toEqual(['a']);
      stop.abort();
      await expect(given).rejects.toBe(stop.signal.reason);
      const late = slots.enter('d', { signal: stop.signal });
      await expect(late).rejects.toBe(stop.signal.reason);
      slots.leave('a');
      expect(await slots.inside()).toEqual(['c']);
    });

    it('are not taken by those who give up as soon as they ask', async () => {
      const slots = await Asking.create(create, 1);
      const stop = new AbortController();
      slots.enter('a');
      const given = slots.enter('b', { signal: stop.signal });
      slots.enter('c');
      stop.abort();
      await expect(given).rejects.toBe(stop.signal.reason);
      expect(await slots.inside()).toEqual(['a']);
      slots.leave('a');
      expect(await slots.inside()).toEqual(['c']);
    });
  });
}

interface Entering {
  /** Which of the two asks. */
  by?: number;
  signal?: AbortSignal;
}

/** Slots, and who is inside. */
class Asking {
  readonly #shared: SharedSlots;
  readonly #inside = new Map<string, () => void>();

  static async create(create: CreateSlots, count: number): Promise<Asking> {
    return new Asking(await create(count));
  }

  private constructor(shared: SharedSlots) {
    this.#shared = shared;
  }

  enter(name: string, { by = 0, signal = new AbortController().signal }: Entering = {}) {
    const entered = this.#shared.slots[by === 0 ? 0 : 1].enter(signal).then((leave) => {
      this.#inside.set(name, leave);
    });
    // Whoever is interested in how it fails awaits it.
    entered.catch(() => {});
    return entered;
  }

  /** Gives what it left with. */
  leave(name: string): () => void {
    const leave = this.#inside.get(name);
    if (!leave) throw new Error(`${name} is not inside`);
    this.#inside.delete(name);
    leave();
    return leave;
  }

  async inside(): Promise<string[]> {
    await this.#shared.settled();
    return [...this.#inside.keys()];
  }
}
