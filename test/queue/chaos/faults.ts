import { setTimeout as delay } from 'node:timers/promises';
import type { RedisServer } from '../../support/redis-server.js';
import type { ResumedCheck } from './resumed-check.js';
import type { FleetWorker, WorkerFleet } from './worker-fleet.js';

/** What can be disturbed in a round. */
export interface Surroundings {
  redis: RedisServer;
  fleet: WorkerFleet;
  check: ResumedCheck;
  random: () => number;
}

export interface Fault {
  /** One at a time: there is only one Redis and one check. */
  target: 'a worker' | 'the check' | 'Redis';
  /** How often, compared with others. */
  weight: number;
  /** Settles when it is over. */
  act(around: Surroundings): Promise<void>;
}

/** Milliseconds, at most: longer than the lease of a worker. */
const longest = 7_000;

export const faults = {
  'kill a worker': {
    target: 'a worker',
    weight: 4,
    act: async ({ fleet }) => fleet.any?.process.kill('SIGKILL'),
  },
  'freeze a worker': {
    target: 'a worker',
    weight: 4,
    act: ({ fleet, random }) =>
      disturbed(fleet.any, async ({ process }) => {
        process.kill('SIGSTOP');
        await delay(random() * longest);
        process.kill('SIGCONT');
      }),
  },
  'cut a worker off': {
    target: 'a worker',
    weight: 4,
    act: ({ fleet, random }) =>
      disturbed(fleet.any, async ({ relay }) => {
        relay.cut();
        await delay(random() * longest);
        relay.mend();
      }),
  },
  'kill the check': {
    target: 'the check',
    weight: 2,
    act: async ({ check }) => check.kill('SIGKILL'),
  },
  'freeze the check': {
    target: 'the check',
    weight: 1,
    act: async ({ check, random }) => {
      check.kill('SIGSTOP');
      await delay(random() * longest);
      check.kill('SIGCONT');
    },
  },
  'kill Redis': {
    target: 'Redis',
    weight: 2,
    act: async ({ redis, random }) => {
      await redis.kill();
      await delay(random() * longest * 0.3);
      await redis.restart();
    },
  },
  'restart Redis': {
    target: 'Redis',
    weight: 1,
    act: async ({ redis }) => {
      await redis.stop();
      await redis.restart();
    },
  },
} satisfies Record<string, Fault>;

export type FaultKind = keyof typeof faults;

const drawn = Object.entries(faults).flatMap(([kind, { weight }]) =>
  Array.from({ length: weight }, () => kind as FaultKind),
);

export function randomFault(random: () => number): FaultKind {
  return drawn[Math.floor(random() * drawn.length)] ?? 'kill a worker';
}

async function disturbed(
  worker: FleetWorker | undefined,
  act: (worker: FleetWorker) => Promise<void>,
): Promise<void> {
  if (!worker) return;
  worker.isDisturbed = true;
  await act(worker);
  worker.isDisturbed = false;
}
