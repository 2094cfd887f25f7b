import { Redis } from 'ioredis';

/** What a Redis server counts. */
export interface RedisFigures {
  /** Bytes. */
  memory: number;
  /** Those that scripts call included. */
  commands: number;
  /** Milliseconds of the processor. */
  cpuMs: number;
  /** Bytes that came, and bytes that went. */
  received: number;
  sent: number;
}

export async function redisFigures(url: string): Promise<RedisFigures> {
  const redis = new Redis(url);
  try {
    const text = await redis.info('everything');
    const figure = (name: string) => Number(new RegExp(`^${name}:(.*)$`, 'm').exec(text)?.[1]);
    return {
      memory: figure('used_memory'),
      commands: figure('total_commands_processed'),
      cpuMs: (figure('used_cpu_sys') + figure('used_cpu_user')) * 1_000,
      received: figure('total_net_input_bytes'),
      sent: figure('total_net_output_bytes'),
    };
  } finally {
    redis.disconnect();
  }
}

export async function redisVersion(url: string): Promise<string> {
  const redis = new Redis(url);
  try {
    return /^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? 'unknown';
  } finally {
    redis.disconnect();
  }
}

/** What came to be between two looks. */
export function since(before: RedisFigures, after: RedisFigures): RedisFigures {
  return {
    memory: after.memory - before.memory,
    commands: after.commands - before.commands,
    cpuMs: after.cpuMs - before.cpuMs,
    received: after.received - before.received,
    sent: after.sent - before.sent,
  };
}

/** Bytes of all keys whose names end so. */
export async function memoryOfKeys(url: string, ends: readonly string[]): Promise<number> {
  const redis = new Redis(url);
  try {
    let bytes = 0;
    for (const end of ends) {
      for (const key of await redis.keys(`*}:${end}`)) {
        bytes += Number((await redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0);
      }
    }
    return bytes;
  } finally {
    redis.disconnect();
  }
}
