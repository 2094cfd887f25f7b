import { formatTaskName } from '../journal/task-run-events.js';
import { isControl } from '../results/pooled-results.js';
import type { ResultsHeader } from '../results/results-header.js';
import type { TaskRunRecord } from '../results/task-run-record.js';

/** A task run in the words of test programs: it is good, it failed, or it could not be judged. */
export interface PlainVerdict {
  is: 'good' | 'failure' | 'error';
  /** Kind of failure. */
  type: string;
  message: string;
}

const good: PlainVerdict = { is: 'good', type: 'passed', message: '' };

export function plainVerdict(
  { outcome, failure }: TaskRunRecord,
  header: Pick<ResultsHeader, 'agent'>,
): PlainVerdict {
  // Without an agent, a task that fails is one that notices.
  if (isControl(header)) {
    if (outcome === 'failed') return good;
    if (outcome === 'passed') {
      const message = 'it passes without an agent: it checks nothing';
      return { is: 'failure', type: 'passed-without-agent', message };
    }
  } else if (outcome === 'passed') return good;
  return {
    is: outcome === 'error' || outcome === 'cancelled' ? 'error' : 'failure',
    type: failure?.category ?? outcome,
    message: failure?.message ?? outcome,
  };
}

/** `create-pod`, or `create-pod [gpt-5] (run 2 of 3)` where there are variants and several runs. */
export function taskRunName(taskRun: TaskRunRecord): string {
  const { run, runs } = taskRun;
  const name = formatTaskName(taskRun);
  return runs > 1 ? `${name} (run ${run} of ${runs})` : name;
}
