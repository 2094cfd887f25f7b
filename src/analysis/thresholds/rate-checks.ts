import { wilsonInterval } from '../../base/statistics/intervals.js';
import { type Passes, passHatK } from '../../base/statistics/pass-at-k.js';
import { plural } from '../../base/text.js';
import { clusteredRate, passesOf } from '../pass-rates.js';
import type { TaskSummary } from '../summary/summary.js';
import { atLeast, notApplicable } from './limit.js';
import type { ThresholdCheck } from './thresholds.js';

type Confidence = number | undefined;
/** Each is there once: those of one variant, where there is a matrix. */
type Tasks = readonly TaskSummary[];

export function taskCheck(tasks: Tasks, limit: number, confidence: Confidence): ThresholdCheck {
  const passes = tasks.map(({ outcomes }) => passesOf(outcomes));
  const { passed, judged, found } = rateOver(passes, confidence);
  const note =
    judged === 0
      ? 'no task run was judged'
      : `${passed} of ${plural(judged, 'judged task run')} passed`;
  return atLeast(
    { option: '--task', measure: measureOf('pass rate', confidence), limit },
    found,
    note,
  );
}

/**
 * Results of tasks that have no assertions have none that could fail: the threshold does not apply. Where
 * no task run came so far, nobody knows whether there are any; where task runs had some and do not list them,
 * nobody knows the rate.
 */
export function assertionCheck(
  tasks: Tasks,
  limit: number,
  confidence: Confidence,
): ThresholdCheck {
  const passes = tasks.map(({ assertions: { total, passed } }) => ({ passed, judged: total }));
  const { passed, judged, found } = rateOver(passes, confidence);
  const measure = measureOf('assertions that held', confidence);
  const threshold = { option: '--assertion', measure, limit };
  const unlisted = tasks.reduce((sum, { assertions }) => sum + assertions.unlisted, 0);
  if (unlisted > 0) {
    const runs = plural(unlisted, 'task run');
    return atLeast(threshold, null, `${runs} without a list of the assertions that were checked`);
  }
  if (judged === 0) {
    const isOver = tasks.some(({ outcomes }) => outcomes.passed + outcomes.failed > 0);
    return isOver
      ? notApplicable(threshold, 'the results have no assertions')
      : atLeast(threshold, null, 'no assertion was checked');
  }
  return atLeast(threshold, found, `${passed} of ${plural(judged, 'assertion')} held`);
}

/**
 * The mean over all tasks with at least k judged runs. Where more than a third have fewer, the rest says
 * nothing of them.
 */
export function passHatKCheck(
  tasks: Tasks,
  { k, rate: limit }: { k: number; rate: number },
  confidence: Confidence,
): ThresholdCheck {
  const all = tasks.map(({ outcomes }) => passesOf(outcomes));
  const enough = all.filter(({ judged }) => judged >= k);
  const few = all.length - enough.length;
  const measure = measureOf(`pass^${k}`, confidence);
  const threshold = { option: `--pass-hat-k ${k}`, measure, limit };
  if (enough.length === 0 || few > all.length / 3) {
    const note = `${few} of ${plural(all.length, 'task')} with fewer than ${plural(k, 'judged run')}`;
    return atLeast(threshold, null, note);
  }
  const sum = enough.reduce((total, { passed, judged }) => total + passHatK(judged, passed, k), 0);
  const note = `mean over ${plural(enough.length, 'task')}${few > 0 ? `; ${few} with fewer runs left out` : ''}`;
  return atLeast(threshold, meanBound(sum, enough.length, confidence), note);
}

function measureOf(what: string, confidence: Confidence): string {
  return confidence === undefined ? what : `lower bound of ${what}`;
}

/** Runs of one task belong together, and so do their assertions. */
function rateOver(tasks: readonly Passes[], confidence: Confidence) {
  const { passed, judged, rate, low } = clusteredRate(tasks, confidence);
  return { passed, judged, found: confidence === undefined ? rate : low };
}

/**
 * No value from 0 to 1 varies more about its mean than one that is always 0 or 1: Wilson's interval
 * with each task as one such trial says rather too little than too much.
 */
function meanBound(sum: number, count: number, confidence: Confidence): number | null {
  if (confidence === undefined) return sum / count;
  return wilsonInterval(sum, count, confidence)?.low ?? null;
}
