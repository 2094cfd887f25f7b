import type { Passes } from '../../statistics/passes.js';
import type { OutcomeCounts } from './summary.js';

export function noOutcomes(): OutcomeCounts {
  return { passed: 0, failed: 0, timeout: 0, error: 0, cancelled: 0 };
}

export function sumOfOutcomes(all: readonly OutcomeCounts[]): OutcomeCounts {
  const sum = noOutcomes();
  for (const counts of all) {
    sum.passed += counts.passed;
    sum.failed += counts.failed;
    sum.timeout += counts.timeout;
    sum.error += counts.error;
    sum.cancelled += counts.cancelled;
  }
  return sum;
}

export function taskRunsOf(counts: OutcomeCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function passesOf({ passed, failed, timeout }: OutcomeCounts): Passes {
  return { passed, judged: passed + failed + timeout };
}
