import type { ChainableCommander, Redis } from 'ioredis';
import type { BudgetKind } from '../../journal/run-events.js';
import type { Labels } from '../../plan/labels.js';
import { closeInTimeScript, updateRunScript } from '../attempt-scripts.js';
import { NextItems } from '../items.js';
import {
  listBullKeysToRemove,
  listLastingBullKeys,
  listQueueNotes,
  type QueueKeys,
  type RunKeys,
} from '../queue-keys.js';
import { execPipeline, RedisScript, retryOnReconnect } from '../redis-connection.js';
import { RunAttempts } from '../run-attempts.js';
import { type RunProgress, RunStore } from '../run-store.js';
import { longestLife, type RunTicket } from '../run-ticket.js';

/** The task runs of a run for workers, and when to stop. */
export interface SubmittedWork {
  /** Items that run one after the other; then come those that run in parallel. */
  sequence: readonly string[];
  parallel: readonly string[];
  /** Task runs in all, as far as is known. */
  total: number;
  /** The latest attempts of a resumed run at task runs that have no outcome. */
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
  /** For an attempt that did not end: what cleaning up needs, and how many of its events the journal has. */
  cutOff?: { text: string; sentEvents: number };
}

/** Milliseconds after which the keys of a run that is done expire, if this process is killed before it removes them. */
const doneLife = 60_000;

/*
 * Each script is a step that must not be left half done, and does no harm when it is repeated because the answer was
 * lost with the connection.
 */

/** KEYS: run; ARGV: two names and values of its record, milliseconds until it expires */
const prepareScript = new RedisScript(`
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2], ARGV[3], ARGV[4], 'state', 'preparing')
redis.call('PEXPIRE', KEYS[1], ARGV[5])
`);

/** Opens a run, unless it was cancelled before. KEYS: run; ARGV: when it expires, names and values */
const openScript = new RedisScript(`
if redis.call('HGET', KEYS[1], 'state') == 'stopping' then return end
redis.call('HSET', KEYS[1], 'state', 'open', unpack(ARGV, 2))
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
`);

/** Adds a run to the list of runs. KEYS: runs; ARGV: when it began, id, milliseconds until the list expires */
const listScript = new RedisScript(`
redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[3])
`);

/**
 * Turns BullMQ's own events off, which nobody reads. KEYS: what BullMQ notes of each queue; ARGV: milliseconds until
 * they expire
 */
const noteQueuesScript = new RedisScript(`
for _, key in ipairs(KEYS) do
  redis.call('HSET', key, 'opts.maxLenEvents', 0)
  redis.call('PEXPIRE', key, ARGV[1])
end
`);
/** Milliseconds in which every worker notices that a run is gone, even one that was cut off from the queue. */
const lateComersPatience = 600_000;

/** Appends items to a list. KEYS: list; ARGV: when it expires, how many items stand before, items */
const fillScript = new RedisScript(`
if ARGV[2] == '0' then redis.call('DEL', KEYS[1])
else redis.call('LTRIM', KEYS[1], 0, ARGV[2] - 1)
end
for index = 3, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[index]) end
redis.call('PEXPIREAT', KEYS[1], ARGV[1])
`);
/** Items for one script: Redis serves others in between. */
const batch = 1_000;

/** A run in the queue, as the check sees that submits or resumes it. */
export class SubmittedRun {
  readonly ticket: RunTicket;
  readonly #redis: Redis;
  readonly #queueKeys: QueueKeys;
  readonly #keys: RunKeys;
  readonly #store: RunStore;
  readonly #next: NextItems;
  #onOpen = () => {};

  constructor(
    redis: Redis,
    keys: QueueKeys,
    ticket: RunTicket,
    labelsOf: (task: number) => Labels,
  ) {
    this.ticket = ticket;
    this.#redis = redis;
    this.#queueKeys = keys;
    this.#keys = keys.ofRun(ticket.id);
    this.#store = new RunStore(redis, keys);
    const attempts = new RunAttempts(redis, this.#keys);
    this.#next = new NextItems({ redis, keys: this.#keys, run: ticket, attempts, labelsOf });
  }

  get keys(): RunKeys {
    return this.#keys;
  }

  get store(): RunStore {
    return this.#store;
  }

  /** Lets workers prepare for the run, before it is open. It expires, unless `stillWanted` is called in time. */
  async prepare(patienceMs: number): Promise<void> {
    const { id } = this.ticket;
    const { run } = this.#keys;
    const { startedAt, expiresAt } = this.ticket;
    await this.#noteQueues(expiresAt - startedAt);
    await prepareScript.run(this.#redis, [run], [...this.#record, patienceMs]);
    await this.#list();
    await this.#store.announce(id);
  }

  /** Keeps a run that is not open yet from expiring. If it has expired, workers prepare for it again. */
  async stillWanted(patienceMs: number): Promise<void> {
    const isKnown = (await this.#redis.pexpire(this.#keys.run, patienceMs)) === 1;
    if (!isKnown) await this.prepare(patienceMs);
    await this.#redis.pexpire(this.#keys.setup, patienceMs);
  }

  /** The listener is called when the run opens or is removed. */
  onOpen(listener: () => void): void {
    this.#onOpen = listener;
  }

  /** Gives workers the task runs: from now on they begin. */
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
    // Its record once more: if this process was frozen for long, the queue has forgotten it.
    const { expiresAt } = this.ticket;
    await openScript.run(this.#redis, [run], [expiresAt, ...this.#record, ...fields]);
    await this.finishOpening();
  }

  /** Repeats the last steps of `open`, which a killed process may not have come to. */
  async finishOpening(): Promise<void> {
    await this.#list();
    await this.#next.add();
    await this.#expire((expiry, key) => expiry.pexpireat(key, this.ticket.expiresAt));
    await this.#store.announce(this.ticket.id);
  }

  /** Adds an item that was not planned before. */
  async add(item: string, runs: number, total: number): Promise<void> {
    await updateRunScript.run(this.#redis, [this.#keys.run], ['total', total]);
    await this.#next.addItems([item], runs);
    await this.#store.announce(this.ticket.id);
  }

  /** Undefined: the queue no longer knows the run. */
  async progress(): Promise<RunProgress | undefined> {
    await closeInTimeScript.run(this.#redis, [this.#keys.run], []);
    return this.#store.progressOf(this.ticket.id);
  }

  /** Whether events of workers wait to be read. */
  async hasUnread(): Promise<boolean> {
    return (await this.#redis.xlen(this.#keys.events)) > 0;
  }

  /** Lets everything of a run that is done expire, in case this process is killed before it removes it. */
  async expireSoon(): Promise<void> {
    await this.#expire((expiry, key) => expiry.pexpire(key, doneLife));
  }

  /** Removes everything of the run from the queue. */
  async remove(): Promise<void> {
    this.#onOpen();
    const { prefix: _, ...own } = this.#keys;
    // First, so that no worker takes or begins anything of it any more.
    await this.#redis.del(this.#keys.run);
    await this.#redis.zrem(this.#queueKeys.runs, this.ticket.id);
    for (const queue of this.#next.queues) await queue.remove();
    const { queues } = this.ticket;
    await this.#redis.del(...Object.values(own), ...listBullKeysToRemove(this.#keys, queues));
    await this.#noteQueues(lateComersPatience);
    await this.#store.announce(this.ticket.id);
  }

  async close(): Promise<void> {
    await this.#next.close();
  }

  /** Sets when all keys expire: BullMQ does not do so for its own. Some of them come into being only later. */
  async #expire(add: (expiry: ChainableCommander, key: string) => void): Promise<void> {
    const { coordinator: _, prefix: __, ...own } = this.#keys;
    const keys = [...Object.values(own), ...listLastingBullKeys(this.#keys, this.ticket.queues)];
    await retryOnReconnect(() => {
      const expiry = this.#redis.pipeline();
      for (const key of keys) add(expiry, key);
      return execPipeline(expiry);
    });
  }

  async #fill(key: string, items: readonly string[]): Promise<void> {
    const { expiresAt } = this.ticket;
    for (let start = 0; start === 0 || start < items.length; start += batch) {
      const part = items.slice(start, start + batch);
      await fillScript.run(this.#redis, [key], [expiresAt, start, ...part]);
    }
  }

  get #record(): string[] {
    const { expiresAt } = this.ticket;
    return ['record', JSON.stringify(this.ticket), 'expiresAt', String(expiresAt)];
  }

  /** Makes what BullMQ notes of each queue: where it is missing, BullMQ makes it, and it never expires. */
  async #noteQueues(lifeMs: number): Promise<void> {
    const noted = listQueueNotes(this.#keys, this.ticket.queues);
    await noteQueuesScript.run(this.#redis, noted, [lifeMs]);
  }

  /** Adds the run to the list of runs, which must not expire before one of them. */
  async #list(): Promise<void> {
    const { id, startedAt } = this.ticket;
    const { runs } = this.#queueKeys;
    await listScript.run(this.#redis, [runs], [startedAt, id, longestLife]);
  }

  async #recordAttempts(before: readonly EarlierAttempt[]): Promise<void> {
    const { attempts, open } = this.#keys;
    const pipeline = this.#redis.pipeline();
    for (const { item, number, cutOff } of before) {
      // -1: beginScript will count this attempt as lost with a worker, which it was not.
      pipeline.hset(attempts, item, `${number} ${cutOff ? -1 : 0} `);
      if (!cutOff) continue;
      pipeline.hset(attempts, `${item}/told`, cutOff.sentEvents);
      pipeline.hset(open, item, cutOff.text);
    }
    for (const key of [attempts, open]) pipeline.pexpireat(key, this.ticket.expiresAt);
    await execPipeline(pipeline);
  }
}
