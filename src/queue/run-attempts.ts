import type { Redis } from 'ioredis';
import type { Outcome } from '../journal/task-run-events.js';
import { appendScript, beginScript, endScript, nextScript } from './attempt-scripts.js';
import type { RunKeys } from './queue-keys.js';

/** The answer of the queue to a worker that wants to begin an attempt at a task run. */
export type Beginning =
  /** The queue no longer knows the run. */
  | { kind: 'gone' }
  /** The task run has an outcome. */
  | { kind: 'done' }
  /** The worker's lease had ended before it asked: the job may be another worker's. */
  | { kind: 'taken' }
  /** Nothing more is started in this run: it was cancelled, or a budget or `--bail` was reached. */
  | { kind: 'closed' }
  /** The coordinator has so many events to read that nothing more is started for now. */
  | { kind: 'full' }
  | {
      /** `clean`: only the cleanup after the previous attempt is due. `poisonous`: too many attempts were lost. */
      kind: 'begun' | 'clean' | 'poisonous';
      fence: AttemptFence;
      /** Number of the attempt, from 1. */
      attempt: number;
      /** How many attempts were lost with their workers. */
      lost: number;
      /** What cleaning up after the previous attempt needs, as JSON; undefined: there is nothing to clean up. */
      cutOff?: string;
      /** How many events of the previous attempt were sent. */
      sentEvents: number;
    };

/** Shows that an attempt at an item is the one that counts: only the worker that began it has the word. */
export interface AttemptFence {
  item: string;
  word: string;
}

/** Names and values of an entry in the stream of a run. */
export type EntryFields = readonly (string | number)[];

/** What cleaning up after an attempt needs from now on: the same as before, nothing, or this. */
export type CutOffUpdate = 'same' | 'nothing' | { text: string };

/** What an attempt ends with, as far as it decides about other task runs. */
export interface AttemptEnd {
  /** Without it, the task run runs again. */
  outcome?: Exclude<Outcome, 'cancelled'>;
  cost: number;
  tokens: number;
}

/** What is to be put into the queue next: the next item of the sequence, or all parallel items. */
export type Upcoming = { kind: 'nothing' | 'parallel' } | { kind: 'item'; item: string };

/** The attempts at the task runs of a run, as all workers share them. */
export class RunAttempts {
  readonly #redis: Redis;
  readonly #keys: RunKeys;

  constructor(redis: Redis, keys: RunKeys) {
    this.#redis = redis;
    this.#keys = keys;
  }

  /**
   * Begins an attempt at an item. `lock` is the key in which BullMQ notes whose job it is: its value is the token of
   * the worker that has the lease.
   */
  async begin(
    item: string,
    { token, lock }: { token: string; lock: string },
    maxLost: number,
  ): Promise<Beginning> {
    const { run, done, attempts, open, events, sequence, parallel, setup } = this.#keys;
    const keys = [run, done, attempts, open, events, sequence, parallel, setup, lock];
    const answer = await beginScript.run(this.#redis, keys, [item, token, maxLost]);
    const [kind, word, attempt, lost, cutOff, sentEvents] = answer as [
      Beginning['kind'],
      string,
      number,
      number,
      string,
      number,
    ];
    if (kind !== 'begun' && kind !== 'clean' && kind !== 'poisonous') return { kind };
    const fence = { item, word };
    return { kind, fence, attempt, lost, sentEvents, ...(cutOff !== '' && { cutOff }) };
  }

  /** Sends events. False: another attempt counts by now. `sentEvents` is the number of its events up to here. */
  async append(
    { item, word }: AttemptFence,
    { sentEvents, cutOff }: { sentEvents: number; cutOff: CutOffUpdate },
    entry: EntryFields,
  ): Promise<boolean> {
    const { run, attempts, open, events } = this.#keys;
    const args = [item, word, sentEvents, formatCutOffUpdate(cutOff), ...entry];
    return (await appendScript.run(this.#redis, [run, attempts, open, events], args)) === 1;
  }

  /** Ends the attempt, with its last events. False: another attempt counts by now. */
  async end(
    { item, word }: AttemptFence,
    { outcome, cost, tokens }: AttemptEnd,
    entry: EntryFields,
  ): Promise<boolean> {
    const { run, attempts, open, events, done, sequence } = this.#keys;
    const keys = [run, attempts, open, events, done, sequence];
    const args = [item, word, outcome ?? '', cost, tokens, ...entry];
    return (await endScript.run(this.#redis, keys, args)) === 1;
  }

  async next(): Promise<Upcoming> {
    const { run, sequence } = this.#keys;
    const answer = await nextScript.run(this.#redis, [run, sequence], []);
    const [kind, item] = answer as [Upcoming['kind'], string];
    return kind === 'item' ? { kind, item } : { kind };
  }
}

function formatCutOffUpdate(update: CutOffUpdate): string {
  if (update === 'same') return '';
  return update === 'nothing' ? '-' : update.text;
}
