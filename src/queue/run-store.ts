import type { Redis } from 'ioredis';
import type { QueueKeys, RunKeys } from './queue-keys.js';
import { RedisScript } from './redis-connection.js';
import type { QueuedRunState, RunTicket, WorkerFindings, WorkerRefusal } from './run-ticket.js';

/** How far a run is. */
export interface RunProgress {
  state: QueuedRunState;
  /** Why nothing more is started, although it was not stopped: `bail`, or a budget. */
  over?: string;
  /** Task runs in all, as far as is known. */
  total: number;
  done: number;
  /** Attempts that have not ended: under way, or lost with their worker and not cleaned up. */
  open: number;
  /** Bytes that the coordinator has not read yet. */
  waiting: number;
  /** The process that reads its events, if there is one. */
  coordinator?: string;
}

/**
 * Records what a worker says of a run, if the queue still knows the run: a worker that comes too late leaves nothing
 * behind.
 *
 * KEYS: run, setup
 * ARGV: command (HSET or HSETNX), field, value
 */
const recordWorkerScript = new RedisScript(`
local life = redis.call('PTTL', KEYS[1])
if life <= 0 then return end
redis.call(ARGV[1], KEYS[2], ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[2], life)
`);

/**
 * Cancels a run. 0: the queue does not know it.
 *
 * KEYS: run
 */
const stopScript = new RedisScript(`
if redis.call('HEXISTS', KEYS[1], 'state') == 0 then return 0 end
redis.call('HSET', KEYS[1], 'state', 'stopping')
return 1
`);

const firstFindings = 'first';
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

  /** Undefined: the queue does not know the run, because it was removed or has expired. */
  async read(id: string): Promise<RunTicket | undefined> {
    const text = await this.#redis.hget(this.keysOf(id).run, 'record');
    const run = text === null ? undefined : parseTicket(text);
    if (!run) await this.#redis.zrem(this.#keys.runs, id);
    return run;
  }

  async stateOf(id: string): Promise<QueuedRunState | undefined> {
    return (
      ((await this.#redis.hget(this.keysOf(id).run, 'state')) as QueuedRunState | null) ?? undefined
    );
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
      state: state as QueuedRunState,
      ...(over && { over }),
      total: Number(total ?? 0),
      done: finished,
      open: underWay,
      waiting: Number(waiting ?? 0),
      ...(coordinator !== null && { coordinator }),
    };
  }

  /** Wakes workers, because something about a run is new. */
  async announce(id: string): Promise<void> {
    await this.#redis.publish(this.#keys.news, id);
  }

  /** Cancels a run: what is under way is stopped and cleaned up, nothing more starts. False: there is no such run. */
  async stop(id: string): Promise<boolean> {
    const { run } = this.keysOf(id);
    if ((await stopScript.run(this.#redis, [run], [])) === 0) return false;
    await this.announce(id);
    return true;
  }

  /**
   * Records that a worker takes part, if it found the same as the first worker. Returns the findings of the first
   * one, which may be this one.
   */
  async recordReady(id: string, worker: string, findings: WorkerFindings): Promise<WorkerFindings> {
    const { setup: key } = this.keysOf(id);
    await this.#record(id, 'HSETNX', firstFindings, JSON.stringify(findings));
    const [first] = await this.#redis.hmget(key, firstFindings);
    const isSame = first && haveSameFindings(JSON.parse(first) as WorkerFindings, findings);
    if (isSame) {
      await this.#record(id, 'HSET', `${readyPrefix}${worker}`, findings.worker);
      await this.#redis.hdel(key, `${refusedPrefix}${worker}`);
    }
    return first ? (JSON.parse(first) as WorkerFindings) : findings;
  }

  async recordRefusal(id: string, worker: string, refusal: WorkerRefusal): Promise<void> {
    await this.#record(id, 'HSET', `${refusedPrefix}${worker}`, JSON.stringify(refusal));
  }

  /** Reads what workers found: the findings of the first one, the ids of those that take part, and refusals. */
  async readFindings(
    id: string,
  ): Promise<{ first?: WorkerFindings; ready: Set<string>; refused: Map<string, WorkerRefusal> }> {
    const all = await this.#redis.hgetall(this.keysOf(id).setup);
    const ready = new Set<string>();
    const refused = new Map<string, WorkerRefusal>();
    for (const [field, value] of Object.entries(all)) {
      if (field.startsWith(readyPrefix)) ready.add(field.slice(readyPrefix.length));
      if (field.startsWith(refusedPrefix)) {
        refused.set(field.slice(refusedPrefix.length), JSON.parse(value) as WorkerRefusal);
      }
    }
    const first = all[firstFindings];
    return { ...(first && { first: JSON.parse(first) as WorkerFindings }), ready, refused };
  }

  async #record(
    id: string,
    command: 'HSET' | 'HSETNX',
    field: string,
    value: string,
  ): Promise<void> {
    const { run, setup } = this.keysOf(id);
    await recordWorkerScript.run(this.#redis, [run, setup], [command, field, value]);
  }
}

/** Undefined if it is no ticket: anything may have been written to the queue, and must not hide other runs. */
function parseTicket(text: string): RunTicket | undefined {
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

/** Whether two workers found the same agents and servers: otherwise results would mix two different things. */
export function haveSameFindings(one: WorkerFindings, other: WorkerFindings): boolean {
  return formatComparable(one) === formatComparable(other);
}

function formatComparable({ worker: _, offers, ...findings }: WorkerFindings): string {
  // How long a server took to answer makes no difference.
  const comparable = offers.map((line) => {
    const {
      durationMs: _,
      seq: __,
      at: ___,
      ...event
    } = JSON.parse(line) as Record<string, unknown>;
    return event;
  });
  return JSON.stringify({ ...findings, offers: comparable });
}
