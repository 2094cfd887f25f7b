import type { Redis } from 'ioredis';
import { QueueKeys } from '../../queue/queue-keys.js';
import { connectToQueue, QueueUnreachableError } from '../../queue/redis-connection.js';
import { RunStore } from '../../queue/run-store.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';
import { queueOf } from './queue-options.js';

interface OpenQueue {
  redis: Redis;
  keys: QueueKeys;
  store: RunStore;
  /** Its address, without a password. */
  shown: string;
}

/** Looks something up in the queue of a call. Throws UsageError. */
export async function withQueue<Result>(
  call: CommandRun,
  use: (queue: OpenQueue) => Promise<Result>,
): Promise<Result> {
  const address = queueOf(call);
  const redis = await connectToQueue(address).catch((error: unknown) => {
    throw error instanceof QueueUnreachableError ? new UsageError(error.message) : error;
  });
  const keys = new QueueKeys(address.prefix);
  try {
    return await use({ redis, keys, store: new RunStore(redis, keys), shown: address.shown });
  } finally {
    redis.disconnect();
  }
}
