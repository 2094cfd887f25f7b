import type { Redis } from 'ioredis';
import type { QueueKeys, RunKeys } from './queue-keys.js';
import type { QueueRun, RunState, WorkerRefusal, WorkerSetup } from './queue-run.js';

/** What has become of a run so far. */
export interface RunProgress {
  state: RunState;
  /** Why nothing more is started, although nobody stopped it: `bail`, or a budget. */
  over?: string;
  /** Task runs in all, as far as is known. */
  total: number;
  done: number;
  /** Attempts that are under way, or were lost and not cleaned up after. */
  open: number;
  /** Bytes that the coordinator has not read yet. */
  waiting: number;
  /** Who reads its events, if somebody does. */
  coordinator?: string;
}

const firstSetup = 'first';
const readyPrefix = 'ready:';
const refusedPrefix = 'refused:';

/** The runs that a queue knows. */
export class RunStore {
  readonly #redis: Redis;
  readonly #keys: QueueKeys;

  constructor(redis: Redis, keys: QueueKeys) {
    this.#redis = redis;
    this.#keys = keys;
  }

  keysOf(id: string): RunKeys {
    return this.#keys.ofRun(id);
  }

  /** Oldest first. */
  async ids(): Promise<string[]> {
    return this.#redis.zrange(this.#keys.runs, '0', '-1');
  }

  /** Undefined: it is over, or has expired. */
  async read(id: string): Promise<QueueRun | undefined> {
    const text = await this.#redis.hget(this.keysOf(id).run, 'record');
    if (text !== null) return JSON.parse(text) as QueueRun;
    await this.#redis.zrem(this.#keys.runs, id);
    return undefined;
  }

  async stateOf(id: string): Promise<RunState | undefined> {
    return ((await this.#redis.hget(this.keysOf(id).run, 'state')) as RunState | null) ?? undefined;
  }

  async progressOf(id: string): Promise<RunProgress | undefined> {
    const keys = this.keysOf(id);
    const [fields, finished, underWay, coordinator] = await Promise.all([
      this.#redis.hmget(keys.run, 'state', 'over', 'total', 'waiting'),
      this.#redis.hlen(keys.done),
      this.#redis.hlen(keys.open),
      this.#redis.get(keys.coordinator),
    ]);
    const [state, over, total, waiting] = fields;
    if (!state) return undefined;
    return {
      state: state as RunState,
      ...(over && { over }),
      total: Number(total ?? 0),
      done: finished,
      open: underWay,
      waiting: Number(waiting ?? 0),
      ...(coordinator !== null && { coordinator }),
    };
  }

  /** What is new in a run, for workers that wait. */
  async announce(id: string): Promise<void> {
    await this.#redis.publish(this.#keys.news, id);
  }

  /** What runs is stopped and cleaned up; nothing more is started. Whether there is such a run. */
  async stop(id: string): Promise<boolean> {
    const { run } = this.keysOf(id);
    if ((await this.#redis.hexists(run, 'state')) === 0) return false;
    await this.#redis.hset(run, 'state', 'stopping');
    await this.announce(id);
    return true;
  }

  /** Says that a worker takes part. What the first one found counts; it is returned. */
  async tellReady(id: string, worker: string, setup: WorkerSetup): Promise<WorkerSetup> {
    const { setup: key } = this.keysOf(id);
    await this.#redis.hsetnx(key, firstSetup, JSON.stringify(setup));
    const [first] = await this.#redis.hmget(key, firstSetup);
    const isSame = first && sameSetup(JSON.parse(first) as WorkerSetup, setup);
    if (isSame) {
      await this.#redis.hset(key, `${readyPrefix}${worker}`, setup.worker);
      await this.#redis.hdel(key, `${refusedPrefix}${worker}`);
    }
    await this.#expireSetup(id);
    return first ? (JSON.parse(first) as WorkerSetup) : setup;
  }

  async tellRefusal(id: string, worker: string, refusal: WorkerRefusal): Promise<void> {
    const { setup } = this.keysOf(id);
    await this.#redis.hset(setup, `${refusedPrefix}${worker}`, JSON.stringify(refusal));
    await this.#expireSetup(id);
  }

  /** The run may be over by now: then it goes at once. */
  async #expireSetup(id: string): Promise<void> {
    const { run, setup } = this.keysOf(id);
    const left = await this.#redis.pttl(run);
    await this.#redis.pexpire(setup, Math.max(left, 1));
  }

  /** What workers found so far. */
  async setupsOf(
    id: string,
  ): Promise<{ first?: WorkerSetup; ready: Set<string>; refused: Map<string, WorkerRefusal> }> {
    const all = await this.#redis.hgetall(this.keysOf(id).setup);
    const ready = new Set<string>();
    const refused = new Map<string, WorkerRefusal>();
    for (const [field, value] of Object.entries(all)) {
      if (field.startsWith(readyPrefix)) ready.add(field.slice(readyPrefix.length));
      if (field.startsWith(refusedPrefix)) {
        refused.set(field.slice(refusedPrefix.length), JSON.parse(value) as WorkerRefusal);
      }
    }
    const first = all[firstSetup];
    return { ...(first && { first: JSON.parse(first) as WorkerSetup }), ready, refused };
  }
}

/** Where servers or agents differ, results would be of two things. */
export function sameSetup(one: WorkerSetup, other: WorkerSetup): boolean {
  return essence(one) === essence(other);
}

function essence({ worker: _, offers, ...setup }: WorkerSetup): string {
  // How long a server took to answer is its own affair.
  const lasting = offers.map((line) => {
    const {
      durationMs: _,
      seq: __,
      at: ___,
      ...event
    } = JSON.parse(line) as Record<string, unknown>;
    return event;
  });
  return JSON.stringify({ ...setup, offers: lasting });
}
