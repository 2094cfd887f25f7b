import { setTimeout as delay } from 'node:timers/promises';
import type { ChaosSuite } from './chaos-suite.js';
import { type Fault, type FaultKind, faults, randomFault, type Surroundings } from './faults.js';

/** Milliseconds. */
const longestPause = 1_500;
const lookAgainAfter = 10;
/** Most moments are chosen by what task runs do: before the first of them there is less to lose. */
const partBySigns = 0.8;
const mostSigns = 25;
/** Milliseconds: when nothing goes on any more, because of earlier faults, there are others to come. */
const patience = 5_000;

/** Disturbs a round at random moments, until its check is over; tells what was done. */
export async function playFaults(around: Surroundings, suite: ChaosSuite): Promise<FaultKind[]> {
  const { random, check } = around;
  const played: FaultKind[] = [];
  const underWay = new Map<Fault['target'], Promise<void>>();
  const count = 5 + Math.floor(random() * 6);
  while (played.length < count) {
    const kind = randomFault(random);
    await randomMoment(around, suite);
    if (check.isOver) break;
    const { target, act } = faults[kind];
    if (target !== 'a worker') await underWay.get(target);
    played.push(kind);
    underWay.set(
      target,
      Promise.all([underWay.get(target), act(around)]).then(() => {}),
    );
  }
  await Promise.all(underWay.values());
  return played;
}

async function randomMoment({ random, check }: Surroundings, suite: ChaosSuite): Promise<void> {
  if (random() >= partBySigns) return delay(random() * longestPause);
  const wanted = suite.signs.length + 1 + Math.floor(random() * mostSigns);
  const end = performance.now() + patience;
  while (suite.signs.length < wanted && !check.isOver && performance.now() < end) {
    await delay(lookAgainAfter);
  }
}
