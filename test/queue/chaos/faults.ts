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

/** Does one thing to one of them; settles when that is over. */
type Fault = (around: Surroundings) => Promise<void>;

/** Longer than the lease of a worker, at most. */
const longest = 7_000;

export const faults = {
  /** Of another shape than a crash: its processes go on for a moment. */
  'kill a worker': async ({ fleet }) => fleet.any?.process.kill('SIGKILL'),
  'freeze a worker': ({ fleet, random }) =>
    disturbed(fleet.any, async ({ process }) => {
      process.kill('SIGSTOP');
      await delay(random() * longest);
      process.kill('SIGCONT');
    }),
  'cut a worker off': ({ fleet, random }) =>
    disturbed(fleet.any, async ({ relay }) => {
      relay.cut();
      await delay(random() * longest);
      relay.mend();
    }),
  'kill the check': async ({ check }) => check.kill('SIGKILL'),
  'freeze the check': async ({ check, random }) => {
    check.kill('SIGSTOP');
    await delay(random() * longest);
    check.kill('SIGCONT');
  },
  'kill Redis': async ({ redis, random }) => {
    await redis.kill();
    await delay(random() * 2_000);
    await redis.restart();
  },
  'restart Redis': async ({ redis }) => {
    await redis.stop();
    await redis.restart();
  },
} satisfies Record<string, Fault>;

export type FaultKind = keyof typeof faults;

const kinds = Object.keys(faults) as FaultKind[];

export function randomFault(random: () => number): FaultKind {
  return kinds[Math.floor(random() * kinds.length)] ?? 'kill a worker';
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
