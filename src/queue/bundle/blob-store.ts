import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import type { Redis } from 'ioredis';

/** Content on its way: compressed, under the SHA-256 of what it was before. */
export interface StoredBlob {
  sha256: string;
  blob: Buffer;
}

/**
 * Where bundles wait for workers. Everything in it expires, and lasts anew when it is asked for, so
 * what `missing` did not name is still there when it is needed.
 */
export interface BlobStore {
  /** Those that have to be sent. The others last as long as if they were sent now. */
  missing(hashes: readonly string[]): Promise<Set<string>>;
  putBlobs(blobs: readonly StoredBlob[]): Promise<void>;
  /** In the order asked for; undefined where there is none. */
  getBlobs(hashes: readonly string[]): Promise<(Buffer | undefined)[]>;
  putManifest(id: string, manifest: Buffer): Promise<void>;
  getManifest(id: string): Promise<Buffer | undefined>;
}

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Fast rather than small: the network is near. */
export function packBlob(content: Uint8Array): Promise<Buffer> {
  return compress(content, { level: constants.Z_BEST_SPEED });
}

/** Stops at the size that is expected, whatever a few bytes would blow up to. Throws if it is no blob. */
export async function unpackBlob(blob: Uint8Array, maxBytes: number): Promise<Buffer> {
  // Zero would mean no limit.
  return decompress(blob, { maxOutputLength: Math.max(maxBytes, 1) });
}

/**
 * Lets keys last at least so long from now, and says which are there: both at once, so that none can
 * expire in between. What lasts longer, as another check wants it to, stays as it is.
 */
const keepScript = `
local found = {}
for index, key in ipairs(KEYS) do
  local left = redis.call('PTTL', key)
  found[index] = left == -2 and 0 or 1
  if left >= 0 and left < tonumber(ARGV[1]) then redis.call('PEXPIRE', key, ARGV[1]) end
end
return found`;

interface RedisBlobStoreOptions {
  prefix: string;
  /** How long everything lasts that is not asked for. Longer than a run can wait for a worker. */
  keepMs: number;
}

/** Bundles in Redis: `PREFIX:blob:SHA256` and `PREFIX:bundle:ID`, shared by all runs of the prefix. */
export class RedisBlobStore implements BlobStore {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #keepMs: number;

  constructor(redis: Redis, { prefix, keepMs }: RedisBlobStoreOptions) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#keepMs = keepMs;
  }

  async missing(hashes: readonly string[]): Promise<Set<string>> {
    const found = await this.#keep(hashes.map((hash) => this.#blobKey(hash)));
    return new Set(hashes.filter((_, index) => found[index] !== 1));
  }

  async putBlobs(blobs: readonly StoredBlob[]): Promise<void> {
    const pipeline = this.#redis.pipeline();
    for (const { sha256, blob } of blobs) {
      pipeline.set(this.#blobKey(sha256), blob, 'PX', this.#keepMs);
    }
    for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
  }

  getBlobs(hashes: readonly string[]): Promise<(Buffer | undefined)[]> {
    return this.#get(hashes.map((hash) => this.#blobKey(hash)));
  }

  async putManifest(id: string, manifest: Buffer): Promise<void> {
    const key = this.#manifestKey(id);
    const [isThere] = await this.#keep([key]);
    if (isThere !== 1) await this.#redis.set(key, manifest, 'PX', this.#keepMs);
  }

  async getManifest(id: string): Promise<Buffer | undefined> {
    const [manifest] = await this.#get([this.#manifestKey(id)]);
    return manifest;
  }

  async #get(keys: readonly string[]): Promise<(Buffer | undefined)[]> {
    if (keys.length === 0) return [];
    await this.#keep(keys);
    const values = await this.#redis.mgetBuffer(...keys);
    return values.map((value) => value ?? undefined);
  }

  /** For each key 1 if it is there, else 0. */
  async #keep(keys: readonly string[]): Promise<number[]> {
    if (keys.length === 0) return [];
    const found = await this.#redis.eval(keepScript, keys.length, ...keys, this.#keepMs);
    return found as number[];
  }

  #blobKey(hash: string): string {
    return `${this.#prefix}:blob:${hash}`;
  }

  #manifestKey(id: string): string {
    return `${this.#prefix}:bundle:${id}`;
  }
}
