import type { Redis } from 'ioredis';
import type { QueueKeys, RunKeys } from './queue-keys.js';
import { RedisScript } from './redis-connection.js';
import type { RunState, RunTicket, WorkerRefusal, WorkerSetup } from './run-ticket.js';

/** What has become of a run so far. */
export interface RunProgress {
  state: RunState;
  /** Why nothing more is started, although it was not stopped: `bail`, or a budget. */
  over?: string;
  /** Task runs in all, as far as is known. */
  total: number;
  done: number;
  /** Attempts that are under way, or were lost and not cleaned up after. */
  open: number;
  /** Bytes that the coordinator has not read yet. */
  waiting: number;
  /** The process that reads its events, if there is one. */
  coordinator?: string;
}

/**
 * Notes what a worker says of a run, for as long as the queue knows the run: a worker that comes too late
 * leaves nothing behind.
 *
 * KEYS: run, setup
 * ARGV: what to do (HSET or HSETNX), field, value
 */
const noteScript = new RedisScript(`
local life = redis.call('PTTL', KEYS[1])
if life <= 0 then return end
redis.call(ARGV[1], KEYS[2], ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[2], life)
`);

/** KEYS: run */
const stopScript = new RedisScript(`
if redis.call('HEXISTS', KEYS[1], 'state') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'state', 'stopping')
return 1
`);

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
  async read(id: string): Promise<RunTicket | undefined> {
    const text = await this.#redis.hget(this.keysOf(id).run, 'record');
    const run = text === null ? undefined : queueRunOf(text);
    if (!run) await this.#redis.zrem(this.#keys.runs, id);
    return run;
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
    if ((await stopScript.run(this.#redis, [run], [])) === 0) return false;
    await this.announce(id);
    return true;
  }

  /** Says that a worker takes part. What the first one found counts; it is returned. */
  async recordReady(id: string, worker: string, setup: WorkerSetup): Promise<WorkerSetup> {
    const { setup: key } = this.keysOf(id);
    await this.#note(id, 'HSETNX', firstSetup, JSON.stringify(setup));
    const [first] = await this.#redis.hmget(key, firstSetup);
    const isSame = first && sameSetup(JSON.parse(first) as WorkerSetup, setup);
    if (isSame) {
      await this.#note(id, 'HSET', `${readyPrefix}${worker}`, setup.worker);
      await this.#redis.hdel(key, `${refusedPrefix}${worker}`);
    }
    return first ? (JSON.parse(first) as WorkerSetup) : setup;
  }

  async recordRefusal(id: string, worker: string, refusal: WorkerRefusal): Promise<void> {
    await this.#note(id, 'HSET', `${refusedPrefix}${worker}`, JSON.stringify(refusal));
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

  async #note(id: string, how: 'HSET' | 'HSETNX', field: string, value: string): Promise<void> {
    const { run, setup } = this.keysOf(id);
    await noteScript.run(this.#redis, [run, setup], [how, field, value]);
  }
}

/** Anything may have been written to the queue: one bad record must not hide the others. */
function queueRunOf(text: string): RunTicket | undefined {
  try {
    const run = JSON.parse(text) as RunTicket;
    const isRun = Array.isArray(run.queues) && Array.isArray(run.tasks) && run.expiresAt < latest;
    return isRun && run.startedAt < latest ? run : undefined;
  } catch {
    return undefined;
  }
}

/** The last moment that a date can be. */
const latest = 8.64e15;

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
