import type { Redis } from 'ioredis';
import type { BudgetKind } from '../../events/budget.js';
import type { Labels } from '../../plan/labels.js';
import { bullKeysOf } from '../bull-keys.js';
import { NextItems } from '../next-items.js';
import type { QueueKeys, RunKeys } from '../queue-keys.js';
import type { QueueRun } from '../queue-run.js';
import { RunAttempts } from '../run-attempts.js';
import { type RunProgress, RunStore } from '../run-store.js';

/** What workers are to do, and how far they may go. */
export interface HandedOverWork {
  /** Items that run one after the other, then those that run beside each other. */
  sequence: readonly string[];
  parallel: readonly string[];
  /** Task runs in all, as far as is known. */
  total: number;
  /** Attempts that were made before. */
  before: readonly EarlierAttempt[];
  bail?: number;
  /** What may still be spent. */
  budget: Partial<Record<BudgetKind, number>>;
  /** Bytes that may wait to be read before nothing more is started. */
  mostWaiting: number;
}

interface EarlierAttempt {
  item: string;
  number: number;
  /** It did not end: what cleaning up needs, and how many of its events are known. */
  left?: { text: string; told: number };
}

/** Milliseconds: no run stays longer in a queue. */
export const longestLife = 60 * 24 * 3_600_000;
/** How many values one command takes. */
const batch = 1_000;

/** A run in the queue, for the one who handed it over. */
export class HandedOverRun {
  readonly about: QueueRun;
  readonly #redis: Redis;
  readonly #queueKeys: QueueKeys;
  readonly #keys: RunKeys;
  readonly #store: RunStore;
  readonly #next: NextItems;
  #onOpen = () => {};

  constructor(redis: Redis, keys: QueueKeys, about: QueueRun, labelsOf: (task: number) => Labels) {
    this.about = about;
    this.#redis = redis;
    this.#queueKeys = keys;
    this.#keys = keys.ofRun(about.id);
    this.#store = new RunStore(redis, keys);
    const attempts = new RunAttempts(redis, this.#keys);
    this.#next = new NextItems({ redis, keys: this.#keys, run: about, attempts, labelsOf });
  }

  get keys(): RunKeys {
    return this.#keys;
  }

  get store(): RunStore {
    return this.#store;
  }

  /**
   * Lets workers prepare, without anything to do yet. If nobody says for a while that it is still wanted,
   * it is as if it had never been.
   */
  async prepare(patienceMs: number): Promise<void> {
    const { id } = this.about;
    const { run } = this.#keys;
    const first = ['record', JSON.stringify(this.about), 'state', 'preparing'];
    first.push('expiresAt', String(this.about.expiresAt));
    await this.#redis
      .multi()
      .hset(run, ...first)
      .pexpire(run, patienceMs)
      .exec();
    await this.#redis.zadd(this.#queueKeys.runs, this.about.startedAt, id);
    await this.#store.announce(id);
  }

  async stillWanted(patienceMs: number): Promise<void> {
    await this.#redis.pexpire(this.#keys.run, patienceMs);
    await this.#redis.pexpire(this.#keys.setup, patienceMs);
  }

  /** Told when workers begin, or when nobody wants it any more. */
  onOpen(listener: () => void): void {
    this.#onOpen = listener;
  }

  /** From now on workers begin. */
  async open(work: HandedOverWork): Promise<void> {
    this.#onOpen();
    const { run, sequence, parallel } = this.#keys;
    await this.#fill(sequence, work.sequence);
    await this.#fill(parallel, work.parallel);
    await this.#tellAttempts(work.before);
    const [seconds] = await this.#redis.time();
    const { cost, tokens, duration } = work.budget;
    const fields: (string | number)[] = ['total', work.total, 'mostWaiting', work.mostWaiting];
    if (work.bail !== undefined) fields.push('bail', work.bail);
    if (cost !== undefined) fields.push('maxCost', cost);
    if (tokens !== undefined) fields.push('maxTokens', tokens);
    if (duration !== undefined) fields.push('endsAt', Number(seconds) * 1_000 + duration);
    await this.#redis.hset(run, ...fields, 'state', 'open');
    await this.expire();
    await this.#redis.zadd(this.#queueKeys.runs, this.about.startedAt, this.about.id);
    await this.#next.add();
    await this.#store.announce(this.about.id);
  }

  /** Does again what may have been left half done when it was handed over. */
  async goOn(): Promise<void> {
    await this.expire();
    await this.#next.add();
    await this.#store.announce(this.about.id);
  }

  /** One more that was not planned before. */
  async add(item: string, runs: number, total: number): Promise<void> {
    await this.#redis.hset(this.#keys.run, 'total', total);
    await this.#next.addItems([item], runs);
    await this.#store.announce(this.about.id);
  }

  /** Undefined: the queue does not know it any more. */
  progress(): Promise<RunProgress | undefined> {
    return this.#store.progressOf(this.about.id);
  }

  async hasUnread(): Promise<boolean> {
    return (await this.#redis.xlen(this.#keys.events)) > 0;
  }

  /** BullMQ gives its keys no end; and some come into being only later. */
  async expire(): Promise<void> {
    const { coordinator: _, prefix: __, ...own } = this.#keys;
    const expiry = this.#redis.pipeline();
    for (const key of [...Object.values(own), ...bullKeysOf(this.#keys, this.about.queues)]) {
      expiry.pexpireat(key, this.about.expiresAt);
    }
    // It is that of all runs, and must not end before one of them.
    expiry.pexpire(this.#queueKeys.runs, longestLife);
    await expiry.exec();
  }

  /** Everything of it. */
  async remove(): Promise<void> {
    this.#onOpen();
    const { prefix: _, ...own } = this.#keys;
    // First of all: from now on no worker begins, or takes, anything of it.
    await this.#redis.del(this.#keys.run);
    await this.#redis.zrem(this.#queueKeys.runs, this.about.id);
    for (const queue of this.#next.queues) await queue.remove();
    await this.#redis.del(...Object.values(own), ...bullKeysOf(this.#keys, this.about.queues));
    await this.#store.announce(this.about.id);
  }

  async close(): Promise<void> {
    await this.#next.close();
  }

  async #fill(key: string, items: readonly string[]): Promise<void> {
    await this.#redis.del(key);
    for (let start = 0; start < items.length; start += batch) {
      await this.#redis.rpush(key, ...items.slice(start, start + batch));
    }
  }

  async #tellAttempts(before: readonly EarlierAttempt[]): Promise<void> {
    const { attempts, open } = this.#keys;
    const pipeline = this.#redis.pipeline();
    for (const { item, number, left } of before) {
      pipeline.hset(attempts, item, `${number} 0 `);
      if (!left) continue;
      pipeline.hset(attempts, `${item}/told`, left.told);
      pipeline.hset(open, item, left.text);
    }
    await pipeline.exec();
  }
}
