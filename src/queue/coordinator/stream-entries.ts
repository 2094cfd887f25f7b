import { setTimeout as delay } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { RunKeys } from '../queue-keys.js';
import { RedisScript } from '../redis-connection.js';

/** An entry that a worker wrote. */
export type StreamEntry =
  /** Events as lines of a journal, with their position within the attempt in the place of `seq`. */
  | { kind: 'events'; item?: string; attempt: string; lines: string[] }
  /** Part of a file beside the journal. */
  | { kind: 'file'; name: string; offset: number; data: string };

/** Entries that one read takes. */
const batch = 512;
/** Milliseconds for which a read waits if there are no entries. */
const blockFor = 1_000;
/** Milliseconds for which entries are collected into one read, which takes as long as reading a single one. */
const gatheringTime = 50;

/**
 * Takes or renews the claim to be the reader, and removes entries that were read from the stream. 0: another process
 * is the reader.
 *
 * KEYS: events, run, coordinator
 * ARGV: the first id to keep (empty: nothing was read), bytes that were read, name of the reader, milliseconds for
 *       which its claim lasts
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

/** The process that reads the events of a run: there is only one at a time. */
interface Reader {
  /** Its name for other processes and for `queue status`. */
  name: string;
  /** Milliseconds for which its claim lasts, unless it is renewed. */
  patience: number;
}

/** Gives up the claim to be the reader, if this process has it. */
const releaseScript = new RedisScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`);

/** The entries that workers wrote about a run, in their order. They stay in the queue until `acknowledge` is called. */
export class StreamEntries {
  readonly #redis: Redis;
  readonly #blocking: Redis;
  readonly #keys: RunKeys;
  readonly #reader: Reader;
  /** Id of the last entry that was read. */
  #after = '0-0';
  /** Bytes that were read since the last `acknowledge`. */
  #bytes = 0;
  /** The last read found entries, and took all there were: more will come in a moment. */
  #isGathering = false;

  /** `blocking` waits for entries, and can be used for nothing else. */
  constructor(redis: Redis, blocking: Redis, keys: RunKeys, reader: Reader) {
    this.#redis = redis;
    this.#blocking = blocking;
    this.#keys = keys;
    this.#reader = reader;
  }

  /** Reads the entries that have come since the last read; none if none come for a second. */
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
      return parseEntry(fields);
    });
  }

  /**
   * Takes or renews the claim to be the reader, and removes from the queue what was read so far, which has to be safe
   * by now. False: another process is the reader.
   */
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

function parseEntry(fields: readonly string[]): StreamEntry {
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
  return { kind: 'events', ...(item !== undefined && { item }), attempt: of('t') ?? '', lines };
}

function idAfter(id: string): string {
  const [time, number] = id.split('-');
  return `${time}-${BigInt(number ?? '0') + 1n}`;
}
