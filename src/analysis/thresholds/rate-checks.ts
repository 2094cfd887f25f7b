import { plural } from '../../config/plural.js';
import { clusteredInterval } from '../../statistics/clustered-interval.js';
import { passHatK } from '../../statistics/pass-at-k.js';
import type { Passes } from '../../statistics/passes.js';
import { wilsonInterval } from '../../statistics/wilson-interval.js';
import { passesOf } from '../summary/outcome-counts.js';
import type { TaskSummary } from '../summary/summary.js';
import { atLeast } from './limit.js';
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

export function assertionCheck(
  tasks: Tasks,
  limit: number,
  confidence: Confidence,
): ThresholdCheck {
  const passes = tasks.map(({ assertions: { total, passed } }) => ({ passed, judged: total }));
  const { passed, judged, found } = rateOver(passes, confidence);
  const note =
    judged === 0 ? 'no assertion was checked' : `${passed} of ${plural(judged, 'assertion')} held`;
  const measure = measureOf('assertions that held', confidence);
  return atLeast({ option: '--assertion', measure, limit }, found, note);
}

export function passHatKCheck(
  tasks: Tasks,
  { k, rate: limit }: { k: number; rate: number },
  confidence: Confidence,
): ThresholdCheck {
  const all = tasks.map(({ outcomes }) => passesOf(outcomes));
  const enough = all.filter(({ judged }) => judged >= k);
  const sum = enough.reduce((total, { passed, judged }) => total + passHatK(judged, passed, k), 0);
  const left = all.length - enough.length;
  // The few that have as many runs say nothing of the rest.
  const isKnown = enough.length > 0 && left <= enough.length;
  const note = isKnown
    ? `mean over ${plural(enough.length, 'task')}${left > 0 ? `; ${left} with fewer runs left out` : ''}`
    : `${left} of ${plural(all.length, 'task')} with fewer than ${plural(k, 'judged run')}`;
  const measure = measureOf(`pass^${k}`, confidence);
  return atLeast(
    { option: `--pass-hat-k ${k}`, measure, limit },
    isKnown ? meanBound(sum, enough.length, confidence) : null,
    note,
  );
}

function measureOf(what: string, confidence: Confidence): string {
  return confidence === undefined ? what : `lower bound of ${what}`;
}

/** Runs of one task belong together, and so do their assertions. */
function rateOver(tasks: readonly Passes[], confidence: Confidence) {
  const passed = tasks.reduce((sum, task) => sum + task.passed, 0);
  const judged = tasks.reduce((sum, task) => sum + task.judged, 0);
  const bound = confidence === undefined ? undefined : clusteredInterval(tasks, confidence)?.low;
  return { passed, judged, found: judged === 0 ? null : (bound ?? passed / judged) };
}

/**
 * No value from 0 to 1 varies more about its mean than one that is always 0 or 1: Wilson's interval
 * with each task as one such trial says rather too little than too much.
 */
function meanBound(sum: number, count: number, confidence: Confidence): number | null {
  if (confidence === undefined) return sum / count;
  return wilsonInterval(sum, count, confidence)?.low ?? null;
}
