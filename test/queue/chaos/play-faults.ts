import { setTimeout as delay } from 'node:timers/promises';
import { type FaultKind, faults, randomFault, type Surroundings } from './faults.js';

/** Milliseconds. */
const longestPause = 2_000;

/** Disturbs a round at random moments, until its check is over; tells what was done. */
export async function playFaults(around: Surroundings): Promise<FaultKind[]> {
  const { random, check } = around;
  const played: FaultKind[] = [];
  const under = new Map<FaultKind, Promise<void>>();
  const count = 4 + Math.floor(random() * 6);
  for (let fault = 0; fault < count; fault++) {
    const kind = randomFault(random);
    await delay(random() * longestPause);
    // There is only one Redis and one check.
    await under.get(kind);
    if (kind.endsWith('Redis'))
      await Promise.all([under.get('kill Redis'), under.get('restart Redis')]);
    if (check.isOver) break;
    played.push(kind);
    under.set(
      kind,
      faults[kind](around).then(() => {}),
    );
  }
  await Promise.all(under.values());
  return played;
}
