import type { Redis } from 'ioredis';
import type { Outcome } from '../journal/task-run-events.js';
import { appendScript, beginScript, endScript, nextScript } from './attempt-scripts.js';
import type { RunKeys } from './queue-keys.js';

/** What beginning an attempt came to. */
export type Beginning =
  /** The run is over, and everything of it removed. */
  | { kind: 'gone' }
  /** Another worker has done it. */
  | { kind: 'done' }
  /** The lease was over before it began: another worker may be at it. */
  | { kind: 'taken' }
  /** Nothing more is started in this run. */
  | { kind: 'over' }
  /** So much is not read by the coordinator yet that there must not be more. */
  | { kind: 'full' }
  | {
      /** `clean`: it is only to be cleaned up after. `poisonous`: too many attempts were lost. */
      kind: 'begun' | 'clean' | 'poisonous';
      attempt: AttemptFence;
      number: number;
      /** So many attempts were lost with their workers. */
      lost: number;
      /** What is known of the last of them; undefined: it was not lost, or had not begun anything. */
      left?: string;
      /** How many events of it were sent. */
      sentEvents: number;
    };

/** By which an attempt is known to be the one that counts. */
export interface AttemptFence {
  item: string;
  fence: string;
}

/** Names and values of an entry in the stream of a run. */
export type EntryFields = readonly (string | number)[];

/** What is needed to clean up after an attempt: as before, nothing, or this. */
export type LeftNews = 'same' | 'nothing' | { text: string };

/** What the end of a task run decides about the others. */
export interface AttemptEnd {
  /** Without it, the task run is done again. */
  outcome?: Exclude<Outcome, 'cancelled'>;
  cost: number;
  tokens: number;
}

/** What comes up when a task run is done. */
export type Upcoming = { kind: 'nothing' | 'parallel' } | { kind: 'item'; item: string };

/** The attempts at the task runs of a run, as all workers share them. */
export class RunAttempts {
  readonly #redis: Redis;
  readonly #keys: RunKeys;

  constructor(redis: Redis, keys: RunKeys) {
    this.#redis = redis;
    this.#keys = keys;
  }

  /** `lock` is the key in which the queue notes whose job it is; its value is the token. */
  async begin(
    item: string,
    { token, lock }: { token: string; lock: string },
    mayBeLost: number,
  ): Promise<Beginning> {
    const { run, done, attempts, open, events, sequence, parallel, setup } = this.#keys;
    const keys = [run, done, attempts, open, events, sequence, parallel, setup, lock];
    const answer = await beginScript.run(this.#redis, keys, [item, token, mayBeLost]);
    const [kind, fence, number, lost, left, sentEvents] = answer as [
      Beginning['kind'],
      string,
      number,
      number,
      string,
      number,
    ];
    if (kind !== 'begun' && kind !== 'clean' && kind !== 'poisonous') return { kind };
    const attempt = { item, fence };
    return { kind, attempt, number, lost, sentEvents, ...(left !== '' && { left }) };
  }

  /** Whether the attempt counts. `sentEvents` is the number of its events up to here. */
  async append(
    { item, fence }: AttemptFence,
    { sentEvents, left }: { sentEvents: number; left: LeftNews },
    entry: EntryFields,
  ): Promise<boolean> {
    const { run, attempts, open, events } = this.#keys;
    const args = [item, fence, sentEvents, leftText(left), ...entry];
    return (await appendScript.run(this.#redis, [run, attempts, open, events], args)) === 1;
  }

  /** Whether the attempt counts. */
  async end(
    { item, fence }: AttemptFence,
    { outcome, cost, tokens }: AttemptEnd,
    entry: EntryFields,
  ): Promise<boolean> {
    const { run, attempts, open, events, done, sequence } = this.#keys;
    const keys = [run, attempts, open, events, done, sequence];
    const args = [item, fence, outcome ?? '', cost, tokens, ...entry];
    return (await endScript.run(this.#redis, keys, args)) === 1;
  }

  async next(): Promise<Upcoming> {
    const { run, sequence } = this.#keys;
    const answer = await nextScript.run(this.#redis, [run, sequence], []);
    const [kind, item] = answer as [Upcoming['kind'], string];
    return kind === 'item' ? { kind, item } : { kind };
  }
}

function leftText(left: LeftNews): string {
  if (left === 'same') return '';
  return left === 'nothing' ? '-' : left.text;
}
