import { dealsOf } from './hypergeometric.js';
import type { Passes } from './passes.js';
import { sampleCount } from './sample-count.js';
import { seededRandom } from './seeded-random.js';

const seed = 20_260_132;
/** After so many samples, a share over this is far from rare, and the rest would not change that. */
const fewSamples = 9_999;
const plain = 0.1;

/** What a task's difference of rates might have been; the number is from 0 to below 1. */
type Draw = (random: number) => number;

/**
 * Whether the mean difference of rates is more than chance: the runs of every task are dealt anew to
 * the two sides, as many to each as it had. Two-sided, by deals drawn from a fixed seed. It holds
 * where the two sides have different numbers of runs, and a difference is not as likely to be up as
 * it is to be down.
 */
export function redealtRunsTest(pairs: readonly { first: Passes; second: Passes }[]): number {
  const draws: Draw[] = [];
  let observed = 0;
  for (const { first, second } of pairs) {
    const passed = first.passed + second.passed;
    // Whatever the deal, it comes to the same.
    if (passed === 0 || passed === first.judged + second.judged) continue;
    observed += second.passed / second.judged - first.passed / first.judged;
    draws.push(drawOf(first, second));
  }
  const random = seededRandom(seed);
  const mostSamples = sampleCount(draws.length);
  let samples = 0;
  let lower = 0;
  let higher = 0;
  for (; samples < mostSamples; samples++) {
    if (samples === fewSamples && Math.min(lower, higher) > plain * samples) break;
    let sum = 0;
    for (const draw of draws) sum += draw(random());
    if (sum <= observed + 1e-9) lower++;
    if (sum >= observed - 1e-9) higher++;
  }
  // What was observed is one of the deals: never zero.
  return Math.min(1, (2 * (Math.min(lower, higher) + 1)) / (samples + 1));
}

function drawOf(first: Passes, second: Passes): Draw {
  if (first.judged === second.judged) {
    const difference = (second.passed - first.passed) / first.judged;
    return (random) => (random < 0.5 ? difference : -difference);
  }
  // Always from the smaller side: a mirrored question draws the mirrored deals.
  if (first.judged > second.judged) {
    const mirrored = drawOf(second, first);
    return (random) => -mirrored(random);
  }
  const passed = first.passed + second.passed;
  const { fewest, chances } = dealsOf(first.judged, second.judged, passed);
  let sum = 0;
  const upTo = chances.map((chance) => {
    sum += chance;
    return sum;
  });
  return (random) => {
    const dealt = fewest + placeOf(random, upTo);
    return (passed - dealt) / second.judged - dealt / first.judged;
  };
}

/** The first whose sum is above the number, or the last: by halves, as there may be thousands. */
function placeOf(random: number, upTo: Float64Array): number {
  let low = 0;
  let high = upTo.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (random < (upTo[middle] ?? 1)) high = middle;
    else low = middle + 1;
  }
  return low;
}
