import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { RunKeys } from '../queue-keys.js';
import { RedisScript } from '../redis-connection.js';

/** An entry that a worker wrote. */
export type StreamEntry =
  /** Events, as lines of a journal whose `seq` counts within the task run. */
  | { kind: 'events'; item?: string; taskRun: string; lines: string[] }
  /** Part of a file beside the journal. */
  | { kind: 'file'; name: string; offset: number; data: string };

/** Entries at once. */
const batch = 512;
/** Milliseconds. */
const blockFor = 1_000;
/** Reading one entry takes as long as reading many: those of the next moment go along. */
const gatheringTime = 50;

/**
 * Forgets what was read, unless another process reads by now.
 *
 * KEYS: events, run, coordinator
 * ARGV: the first id to keep, bytes that were read, who reads, for how long he is taken to be there
 */
const acknowledgeScript = new RedisScript(`
local reader = redis.call('GET', KEYS[3])
if reader and reader ~= ARGV[3] then return 0 end
redis.call('SET', KEYS[3], ARGV[3], 'PX', ARGV[4])
if ARGV[1] ~= '' and redis.call('EXISTS', KEYS[2]) == 1 then
  redis.call('XTRIM', KEYS[1], 'MINID', ARGV[1])
  redis.call('HINCRBY', KEYS[2], 'waiting', -ARGV[2])
end
return 1
`);

interface Reader {
  /** As others see it. */
  name: string;
  /** Milliseconds for which it is taken to be there without a word. */
  patience: number;
}

/** Lets others read, if it is still us. */
const releaseScript = new RedisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`);

/** What workers wrote about a run, in its order. It stays in the queue until it is acknowledged. */
export class StreamEntries {
  readonly #redis: Redis;
  readonly #blocking: Redis;
  readonly #keys: RunKeys;
  readonly #reader: Reader;
  #after = '0-0';
  #bytes = 0;
  /** Entries come, and there are no more of them yet. */
  #isGathering = false;

  /** `blocking` waits for entries, and can be used for nothing else. */
  constructor(redis: Redis, blocking: Redis, keys: RunKeys, reader: Reader) {
    this.#redis = redis;
    this.#blocking = blocking;
    this.#keys = keys;
    this.#reader = reader;
  }

  /** Those that came since, or none after a moment. */
  async read(): Promise<StreamEntry[]> {
    if (this.#isGathering) await delay(gatheringTime);
    const answer = (await this.#blocking.xread(
      'COUNT',
      batch,
      'BLOCK',
      blockFor,
      'STREAMS',
      this.#keys.events,
      this.#after,
    )) as [string, [string, string[]][]][] | null;
    const found = answer?.[0]?.[1] ?? [];
    this.#after = found.at(-1)?.[0] ?? this.#after;
    this.#isGathering = found.length > 0 && found.length < batch;
    return found.map(([, fields]) => {
      for (const field of fields) this.#bytes += Buffer.byteLength(field);
      return entryOf(fields);
    });
  }

  /** What was read so far is safe. Whether it is still us who reads. */
  async acknowledge(): Promise<boolean> {
    const { events, run, coordinator } = this.#keys;
    const { name, patience } = this.#reader;
    const bytes = this.#bytes;
    this.#bytes = 0;
    const first = bytes === 0 ? '' : idAfter(this.#after);
    const keys = [events, run, coordinator];
    return (await acknowledgeScript.run(this.#redis, keys, [first, bytes, name, patience])) === 1;
  }

  /** Gives up reading, so that another process can begin. */
  async release(): Promise<void> {
    await releaseScript.run(this.#redis, [this.#keys.coordinator], [this.#reader.name]);
  }
}

function entryOf(fields: readonly string[]): StreamEntry {
  const of = (name: string) => {
    const at = fields.findIndex((field, index) => index % 2 === 0 && field === name);
    return at === -1 ? undefined : fields[at + 1];
  };
  const name = of('f');
  if (name !== undefined) {
    return { kind: 'file', name, offset: Number(of('o')), data: of('d') ?? '' };
  }
  const item = of('i');
  const lines = (of('e') ?? '').split('\n');
  return { kind: 'events', ...(item !== undefined && { item }), taskRun: of('t') ?? '', lines };
}

function idAfter(id: string): string {
  const [time, number] = id.split('-');
  return `${time}-${BigInt(number ?? '0') + 1n}`;
}
