import type { ChainableCommander, Redis } from 'ioredis';
import type { BudgetKind } from '../../journal/run-events.js';
import type { Labels } from '../../plan/labels.js';
import { endInTimeScript, noteScript } from '../attempt-scripts.js';
import { NextItems } from '../items.js';
import {
  listBullKeysToRemove,
  listLastingBullKeys,
  notesOfQueues,
  type QueueKeys,
  type RunKeys,
} from '../queue-keys.js';
import { execPipeline, RedisScript, retryOnReconnect } from '../redis-connection.js';
import { RunAttempts } from '../run-attempts.js';
import { type RunProgress, RunStore } from '../run-store.js';
import { longestLife, type RunTicket } from '../run-ticket.js';

/** What workers are to do, and how far they may go. */
export interface SubmittedWork {
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
  left?: { text: string; sentEvents: number };
}

/** Milliseconds for a run that is done, until its journal says so. */
const doneLife = 60_000;

/**
 * Steps that must not be left half done, nor do harm when they are asked for again because the answer was
 * lost with the connection.
 */

/** KEYS: run; ARGV: four parts of its record, milliseconds */
const prepareScript = new RedisScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], 'state', 'preparing')
redis.call('PEXPIRE', KEYS[1], ARGV[5])
`);

/** KEYS: run; ARGV: when it ends, names and values. Unless it was stopped before it began. */
const openScript = new RedisScript(`
if redis.call('HGET', KEYS[1], 'state') == 'stopping' then return end
redis.call('HSET', KEYS[1], 'state', 'open', unpack(ARGV, 2))
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
`);

/** KEYS: runs; ARGV: when it began, id, milliseconds */
const listScript = new RedisScript(`
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
`);

/** KEYS: what BullMQ notes of each queue; ARGV: milliseconds. Its own events are of no use to us. */
const noteQueuesScript = new RedisScript(`
for _, key in ipairs(KEYS) do
  redis.call('HSET', key, 'opts.maxLenEvents', 0)
  redis.call('PEXPIRE', key, ARGV[1])
end
`);
/** Milliseconds in which a worker notices that a run is over, however long it was cut off. */
const lateComersPatience = 600_000;

/** KEYS: a list; ARGV: when it ends, the place of the first of these items, which are the last so far */
const fillScript = new RedisScript(`
if ARGV[2] == '0' then redis.call('DEL', KEYS[1])
else redis.call('LTRIM', KEYS[1], 0, ARGV[2] - 1)
end
for index = 3, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[index]) end
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
`);
/** How many items one of them takes: others get their turn in between. */
const batch = 1_000;

/** A run in the queue, for the one who handed it over. */
export class SubmittedRun {
  readonly about: RunTicket;
  readonly #redis: Redis;
  readonly #queueKeys: QueueKeys;
  readonly #keys: RunKeys;
  readonly #store: RunStore;
  readonly #next: NextItems;
  #onOpen = () => {};

  constructor(redis: Redis, keys: QueueKeys, about: RunTicket, labelsOf: (task: number) => Labels) {
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
   * Lets workers prepare, without anything to do yet. If no process says for a while that it is still wanted,
   * it is as if it had never been.
   */
  async prepare(patienceMs: number): Promise<void> {
    const { id } = this.about;
    const { run } = this.#keys;
    const { startedAt, expiresAt } = this.about;
    await this.#noteQueues(expiresAt - startedAt);
    await prepareScript.run(this.#redis, [run], [...this.#record, patienceMs]);
    await this.#list();
    await this.#store.announce(id);
  }

  /** Offers it again, should we have been away for so long that the queue has forgotten it. */
  async stillWanted(patienceMs: number): Promise<void> {
    const isKnown = (await this.#redis.pexpire(this.#keys.run, patienceMs)) === 1;
    if (!isKnown) await this.prepare(patienceMs);
    await this.#redis.pexpire(this.#keys.setup, patienceMs);
  }

  /** Called when workers begin, or when the run is discarded. */
  onOpen(listener: () => void): void {
    this.#onOpen = listener;
  }

  /** From now on workers begin. */
  async open(work: SubmittedWork): Promise<void> {
    this.#onOpen();
    const { run, sequence, parallel } = this.#keys;
    await this.#fill(sequence, work.sequence);
    await this.#fill(parallel, work.parallel);
    await retryOnReconnect(() => this.#recordAttempts(work.before));
    const [seconds, microseconds] = await this.#redis.time();
    const now = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
    const { cost, tokens, duration } = work.budget;
    const fields: (string | number)[] = ['total', work.total, 'mostWaiting', work.mostWaiting];
    if (work.bail !== undefined) fields.push('bail', work.bail);
    if (cost !== undefined) fields.push('maxCost', cost);
    if (tokens !== undefined) fields.push('maxTokens', tokens);
    if (duration !== undefined) fields.push('endsAt', now + Math.round(duration));
    // Its record once more: should we have been frozen for long, the queue has forgotten it.
    const { expiresAt } = this.about;
    await openScript.run(this.#redis, [run], [expiresAt, ...this.#record, ...fields]);
    await this.goOn();
  }

  /** Completes what a killed process may have left half done when it opened the run. */
  async goOn(): Promise<void> {
    await this.#list();
    await this.#next.add();
    await this.#expire((expiry, key) => expiry.pexpireat(key, this.about.expiresAt));
    await this.#store.announce(this.about.id);
  }

  /** One more that was not planned before. */
  async add(item: string, runs: number, total: number): Promise<void> {
    await noteScript.run(this.#redis, [this.#keys.run], ['total', total]);
    await this.#next.addItems([item], runs);
    await this.#store.announce(this.about.id);
  }

  /** Undefined: the queue does not know it any more. */
  async progress(): Promise<RunProgress | undefined> {
    await endInTimeScript.run(this.#redis, [this.#keys.run], []);
    return this.#store.progressOf(this.about.id);
  }

  async hasUnread(): Promise<boolean> {
    return (await this.#redis.xlen(this.#keys.events)) > 0;
  }

  /** Everything is done: should this process be killed before it is removed, it expires. */
  async expireSoon(): Promise<void> {
    await this.#expire((expiry, key) => expiry.pexpire(key, doneLife));
  }

  /** Everything of it. */
  async remove(): Promise<void> {
    this.#onOpen();
    const { prefix: _, ...own } = this.#keys;
    // First of all: from now on no worker begins, or takes, anything of it.
    await this.#redis.del(this.#keys.run);
    await this.#redis.zrem(this.#queueKeys.runs, this.about.id);
    for (const queue of this.#next.queues) await queue.remove();
    const { queues } = this.about;
    await this.#redis.del(...Object.values(own), ...listBullKeysToRemove(this.#keys, queues));
    await this.#noteQueues(lateComersPatience);
    await this.#store.announce(this.about.id);
  }

  async close(): Promise<void> {
    await this.#next.close();
  }

  /** BullMQ gives its keys no end; and some come into being only later. */
  async #expire(add: (expiry: ChainableCommander, key: string) => void): Promise<void> {
    const { coordinator: _, prefix: __, ...own } = this.#keys;
    const keys = [...Object.values(own), ...listLastingBullKeys(this.#keys, this.about.queues)];
    await retryOnReconnect(() => {
      const expiry = this.#redis.pipeline();
      for (const key of keys) add(expiry, key);
      return execPipeline(expiry);
    });
  }

  async #fill(key: string, items: readonly string[]): Promise<void> {
    const { expiresAt } = this.about;
    for (let start = 0; start === 0 || start < items.length; start += batch) {
      const part = items.slice(start, start + batch);
      await fillScript.run(this.#redis, [key], [expiresAt, start, ...part]);
    }
  }

  get #record(): string[] {
    const { expiresAt } = this.about;
    return ['record', JSON.stringify(this.about), 'expiresAt', String(expiresAt)];
  }

  /** Where it is missing, BullMQ makes it, and gives it no end. */
  async #noteQueues(lifeMs: number): Promise<void> {
    const noted = notesOfQueues(this.#keys, this.about.queues);
    await noteQueuesScript.run(this.#redis, noted, [lifeMs]);
  }

  /** Among all runs, whose list must not end before one of them. */
  async #list(): Promise<void> {
    const { id, startedAt } = this.about;
    const { runs } = this.#queueKeys;
    await listScript.run(this.#redis, [runs], [startedAt, id, longestLife]);
  }

  async #recordAttempts(before: readonly EarlierAttempt[]): Promise<void> {
    const { attempts, open } = this.#keys;
    const pipeline = this.#redis.pipeline();
    for (const { item, number, left } of before) {
      // The next worker finds it lost. It was not lost with a worker.
      pipeline.hset(attempts, item, `${number} ${left ? -1 : 0} `);
      if (!left) continue;
      pipeline.hset(attempts, `${item}/told`, left.sentEvents);
      pipeline.hset(open, item, left.text);
    }
    for (const key of [attempts, open]) pipeline.pexpireat(key, this.about.expiresAt);
    await execPipeline(pipeline);
  }
}
