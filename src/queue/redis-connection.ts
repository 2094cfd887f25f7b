import { createHash } from 'node:crypto';
import { type ChainableCommander, Redis, type RedisOptions } from 'ioredis';
import { errorMessage } from '../base/errors.js';
import type { QueueAddress } from './queue-use.js';

/** The queue is not there, or does not let us in. */
export class QueueUnreachableError extends Error {
  constructor({ shown }: QueueAddress, cause: unknown) {
    super(`cannot reach the queue at ${shown}: ${reasonOf(cause)}`, { cause });
    this.name = 'QueueUnreachableError';
  }
}

/** Milliseconds. */
const connectTimeout = 10_000;
const longestPause = 1_000;

const options = {
  lazyConnect: true,
  connectTimeout,
  // A closed connection must not keep the process alive.
  disconnectTimeout: 100,
  keepAlive: 10_000,
  // A queue that restarts is waited for: no work is lost for that.
  maxRetriesPerRequest: null,
  retryStrategy: (times: number) => Math.min(times * 50, longestPause),
} satisfies RedisOptions;

/** Connects to a queue. Throws QueueUnreachableError. Later, a broken connection comes back when the queue does. */
export async function connectToQueue(address: QueueAddress): Promise<Redis> {
  const redis = new Redis(address.url, options);
  let failure: unknown;
  // Without a listener an error ends the process. Commands that wait for an answer go on waiting.
  redis.on('error', (error) => {
    failure = error;
  });
  const patience = setTimeout(() => redis.disconnect(), connectTimeout);
  try {
    await redis.connect();
    await redis.ping();
    // Copies of the connection, such as BullMQ makes, connect at once, and again when they fail.
    redis.options.lazyConnect = false;
    return redis;
  } catch (error) {
    redis.disconnect();
    throw new QueueUnreachableError(address, failure ?? error);
  } finally {
    clearTimeout(patience);
  }
}

/** Calls back when the queue cannot be reached, and when it is back. */
export function onOutage(redis: Redis, onChange: (isAway: boolean) => void): void {
  let isAway = false;
  redis.on('reconnecting', () => {
    if (!isAway) onChange(true);
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) onChange(false);
    isAway = false;
  });
}

/**
 * Opens another connection to the same queue: a command that waits for something holds up all others of its
 * connection.
 */
export function duplicateConnection(redis: Redis): Redis {
  const other = redis.duplicate();
  other.on('error', () => {});
  return other;
}

function reasonOf(error: unknown): string {
  const message = errorMessage(error);
  if (message !== '') return message;
  // The name has several addresses, and none of them answered.
  const { code } = error as NodeJS.ErrnoException;
  return code ?? 'it does not answer';
}

const codes = /^(BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOREPLICAS|OOM|READONLY|TRYAGAIN)\b/;

/**
 * Whether an error says that Redis is starting, taking over for another server, or out of memory, which passes. While
 * there is no connection at all, commands wait without an error.
 */
export function isUnavailableForNow(error: unknown): boolean {
  return error instanceof Error && codes.test(error.message);
}

/**
 * Repeats something that may be done twice until no connection breaks in the middle of it. Single commands do not need
 * this, because ioredis repeats those that got no answer. In a pipeline it gives up on the rest when some were
 * answered.
 */
export async function retryOnReconnect<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBrokenOff(error)) throw error;
    }
  }
}

/** Executes a pipeline. Throws if one of its commands failed. */
export async function execPipeline(pipeline: ChainableCommander): Promise<void> {
  for (const [error] of (await pipeline.exec()) ?? []) if (error) throw error;
}

/** Whether the connection broke in between. A server that has restarted no longer knows its scripts. */
function isBrokenOff(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || error.message.startsWith('NOSCRIPT');
}

/** A program that Redis runs as one step, during which nothing else changes. */
export class RedisScript {
  readonly #lua: string;
  readonly #sha: string;

  constructor(lua: string) {
    this.#lua = lua;
    this.#sha = createHash('sha1').update(lua).digest('hex');
  }

  async run(
    redis: Redis,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    try {
      return await redis.evalsha(this.#sha, keys.length, ...keys, ...args);
    } catch (error) {
      const isUnknown = error instanceof Error && error.message.startsWith('NOSCRIPT');
      if (!isUnknown) throw error;
      return redis.eval(this.#lua, keys.length, ...keys, ...args);
    }
  }
}
