import { clusteredInterval } from '../statistics/clustered-interval.js';
import type { Passes } from '../statistics/passes.js';
import { type Interval, wilsonInterval } from '../statistics/wilson-interval.js';
import type { Rate } from './rate.js';

/** The rate of one task. */
export function rateOf({ passed, judged }: Passes): Rate {
  return withInterval({ passed, judged }, wilsonInterval(passed, judged));
}

/** The rate over several tasks: its interval respects that runs of one task belong together. */
export function clusteredRate(tasks: readonly Passes[]): Rate {
  const passed = tasks.reduce((sum, task) => sum + task.passed, 0);
  const judged = tasks.reduce((sum, task) => sum + task.judged, 0);
  return withInterval({ passed, judged }, clusteredInterval(tasks));
}

function withInterval({ passed, judged }: Passes, interval: Interval | undefined): Rate {
  if (!interval) return { passed, judged, rate: null, low: null, high: null };
  return { passed, judged, rate: passed / judged, ...interval };
}
