import { describe, expect, it } from 'vitest';
import type { AgentSlots } from '../src/limits/limits.js';
import type { Allowance, ModelName, Permit, RateLimiter } from '../src/limits/rate-limiter.js';

/** Limits that are under test, as two who share them see them. */
export interface SharedLimits {
  /** Of two processes, where limits can be shared by several. */
  limiters: readonly [RateLimiter, RateLimiter];
  /** Lets time pass. Whoever may go by then has gone when it settles. */
  advance(milliseconds: number): Promise<void>;
}

/** Makes limits in which every model has that allowance. They are closed with the test. */
export type CreateLimits = (allowance: Allowance) => Promise<SharedLimits>;

const model: ModelName = { provider: 'openai', model: 'm-1' };
const otherModel: ModelName = { provider: 'openai', model: 'm-2' };

/** What every limiter has to do, wherever it keeps its state. */
export function describeRateLimiter(name: string, create: CreateLimits): void {
  describe(name, () => {
    it('lets requests go one after the other, whoever of the two asks', async () => {
      const limits = await Asked.create(create, { requestsPerMinute: 60 });
      for (const index of [0, 1, 2, 3]) limits.ask(`${index}`, { by: index % 2 });
      expect(await limits.gone(0)).toEqual(['0']);
      expect(await limits.gone(999)).toEqual([]);
      expect(await limits.gone(1)).toHaveLength(1);
      expect(await limits.gone(2_000)).toHaveLength(2);
    });

    it('is first come, first served, however much the first wants', async () => {
      const limits = await Asked.create(create, { tokensPerMinute: 60_000 });
      for (const [index, tokens] of [1_000, 30_000, 1, 1].entries()) {
        limits.ask(`${index}`, { tokens });
      }
      expect(await limits.gone(0)).toEqual(['0']);
      expect(await limits.gone(1_000)).toEqual(['1']);
      expect(await limits.gone(29_000)).toEqual([]);
      expect(await limits.gone(2_000)).toEqual(['2', '3']);
    });

    it('keeps to both limits', async () => {
      const limits = await Asked.create(create, { requestsPerMinute: 60, tokensPerMinute: 6_000 });
      for (const tokens of [1, 1, 500, 1, 1]) limits.ask('', { tokens });
      const counts: number[] = [];
      for (let second = 0; second < 10; second++) counts.push((await limits.gone(1_000)).length);
      expect(counts).toEqual([2, 1, 0, 0, 0, 1, 1, 0, 0, 0]);
    });

    it('gives back what a request did not take, and charges what it took besides', async () => {
      const limits = await Asked.create(create, { tokensPerMinute: 60_000 });
      for (const name of ['less', 'waiting', 'more', 'last']) limits.ask(name, { tokens: 10_000 });
      expect(await limits.gone(0)).toEqual(['less']);
      limits.settle('less', 2_000);
      expect(await limits.gone(2_000)).toEqual(['waiting']);
      expect(await limits.gone(10_000)).toEqual(['more']);
      limits.settle('more', 30_000);
      expect(await limits.gone(29_000)).toEqual([]);
      expect(await limits.gone(1_000)).toEqual(['last']);
    });

    it('counts what a request took only once', async () => {
      const limits = await Asked.create(create, { tokensPerMinute: 60_000 });
      for (const name of ['first', 'second', 'third']) limits.ask(name, { tokens: 10_000 });
      expect(await limits.gone(0)).toEqual(['first']);
      limits.settle('first', 9_000);
      limits.settle('first', 0);
      expect(await limits.gone(8_000)).toEqual([]);
      expect(await limits.gone(1_000)).toEqual(['second']);
    });

    it('does not wait for ever because of a request that is larger than the limit', async () => {
      const limits = await Asked.create(create, { tokensPerMinute: 100 });
      limits.ask('huge', { tokens: 1e9 });
      limits.ask('behind');
      expect(await limits.gone(0)).toEqual(['huge']);
      limits.settle('huge', 1e9);
      expect(await limits.gone(60_000)).toEqual(['behind']);
    });

    it('has limits of its own for each model', async () => {
      const limits = await Asked.create(create, { requestsPerMinute: 1 });
      limits.ask('one');
      limits.ask('other', { of: otherModel });
      expect(await limits.gone(0)).toEqual(['one', 'other']);
    });

    it('lets everybody go at once where there is no limit', async () => {
      const limits = await Asked.create(create, {});
      for (const name of ['a', 'b', 'c']) limits.ask(name, { tokens: 1e9 });
      expect(await limits.gone(0)).toEqual(['a', 'b', 'c']);
    });

    it.each([{}, { requestsPerMinute: 600 }])(
      'makes everybody pause, with %j',
      async (allowance) => {
        const limits = await Asked.create(create, allowance);
        await limits.pause(7_000);
        limits.ask('late', { by: 1 });
        limits.ask('other', { of: otherModel });
        expect(await limits.gone(0)).toEqual(['other']);
        limits.ask('later', { by: 0 });
        expect(await limits.gone(6_999)).toEqual([]);
        await limits.pause(3_000);
        expect(await limits.gone(2_999)).toEqual([]);
        expect((await limits.gone(1_000)).sort()).toEqual(['late', 'later']);
      },
    );

    it('makes those pause too who wait already', async () => {
      const limits = await Asked.create(create, { requestsPerMinute: 60 });
      limits.ask('first');
      limits.ask('second');
      expect(await limits.gone(500)).toEqual(['first']);
      await limits.pause(10_000);
      expect(await limits.gone(9_999)).toEqual([]);
      expect(await limits.gone(1_001)).toEqual(['second']);
    });

    it('lets whoever gives up go, and the others wait on', async () => {
      const limits = await Asked.create(create, { requestsPerMinute: 60 });
      const stop = new AbortController();
      limits.ask('first');
      const given = limits.ask('gives up', { signal: stop.signal });
      limits.ask('last');
      expect(await limits.gone(500)).toEqual(['first']);
      const reason = new Error('enough');
      stop.abort(reason);
      await expect(given).rejects.toBe(reason);
      expect(await limits.gone(2_000)).toEqual(['last']);
      const late = limits.ask('too late', { signal: stop.signal });
      await expect(late).rejects.toBe(reason);
    });

    it('holds over minutes with many who ask again and again', async () => {
      const limit = 120;
      const limits = await Asked.create(create, { requestsPerMinute: limit });
      const sent: number[] = [];
      let isOver = false;
      const asking = Array.from({ length: 8 }, async (_, index) => {
        while (!isOver) {
          await limits.ask('', { by: index % 2 });
          sent.push(limits.now);
        }
      });
      for (let step = 0; step < 3 * 60; step++) await limits.gone(1_000);
      isOver = true;
      await limits.gone(60_000);
      await Promise.all(asking);
      for (let from = 0; from <= 120; from++) {
        const within = sent.filter((at) => at > from * 1_000 && at <= (from + 60) * 1_000);
        expect(within.length).toBeGreaterThanOrEqual(0.95 * limit);
        expect(within.length).toBeLessThanOrEqual(1.05 * limit);
      }
    });

    it('lets nobody wait when it is closed', async () => {
      const limits = await Asked.create(create, { requestsPerMinute: 1 });
      limits.ask('first');
      const waiting = limits.ask('second');
      expect(await limits.gone(0)).toEqual(['first']);
      await limits.close();
      await expect(waiting).rejects.toThrow('closed');
    });
  });
}

interface Question {
  /** Which of the two asks. */
  by?: number;
  of?: ModelName;
  tokens?: number;
  signal?: AbortSignal;
}

/** Limits, and who has been let through. */
class Asked {
  /** As far as it was let pass, in milliseconds. */
  now = 0;
  readonly #limits: SharedLimits;
  readonly #permits = new Map<string, Permit>();
  readonly #gone: string[] = [];

  static async create(create: CreateLimits, allowance: Allowance): Promise<Asked> {
    return new Asked(await create(allowance));
  }

  private constructor(limits: SharedLimits) {
    this.#limits = limits;
  }

  ask(name: string, question: Question = {}): Promise<void> {
    const { by = 0, of = model, tokens = 1, signal = new AbortController().signal } = question;
    const limiter = this.#limits.limiters[by === 0 ? 0 : 1];
    const asked = limiter.acquire(of, tokens, signal).then((permit) => {
      this.#permits.set(name, permit);
      this.#gone.push(name);
    });
    // Whoever is interested in how it fails awaits it.
    asked.catch(() => {});
    return asked;
  }

  settle(name: string, tokens: number): void {
    this.#permits.get(name)?.settle(tokens);
  }

  async pause(milliseconds: number): Promise<void> {
    await this.#limits.limiters[0].pause(model, milliseconds);
  }

  /** Who goes while that time passes. */
  async gone(milliseconds: number): Promise<string[]> {
    this.now += milliseconds;
    await this.#limits.advance(milliseconds);
    return this.#gone.splice(0);
  }

  async close(): Promise<void> {
    for (const limiter of this.#limits.limiters) await limiter.close();
  }
}

/** Slots that are under test, as two who share them see them. */
interface SharedSlots {
  /** Of two processes, where slots can be shared by several. */
  slots: readonly [AgentSlots, AgentSlots];
  /** Whoever may enter by now is inside when it settles. */
  settled(): Promise<void>;
}

/** Makes so many slots. They are closed with the test. */
type CreateSlots = (count: number) => Promise<SharedSlots>;

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
