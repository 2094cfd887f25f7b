import type { Outcome } from '../../journal/task-run-events.js';
import type { Style } from '../terminal/output.js';
import { terminalLine } from '../terminal/text.js';

interface OutcomeText {
  word: string;
  format: Parameters<Style>[0];
  sign: 'passed' | 'failed' | 'cancelled';
}

const usual: Record<Outcome, OutcomeText> = {
  passed: { word: 'passed', format: 'green', sign: 'passed' },
  failed: { word: 'failed', format: 'red', sign: 'failed' },
  timeout: { word: 'timeout', format: 'red', sign: 'failed' },
  error: { word: 'error', format: 'red', sign: 'failed' },
  cancelled: { word: 'cancelled', format: 'yellow', sign: 'cancelled' },
};

/** Without an agent, a task is good if it fails. */
const withoutAgent: Record<Outcome, OutcomeText> = {
  ...usual,
  passed: { word: 'passed without an agent', format: 'red', sign: 'failed' },
  failed: { word: 'noticed', format: 'green', sign: 'passed' },
};

export function outcomeText(outcome: Outcome, control: boolean): OutcomeText {
  return (control ? withoutAgent : usual)[outcome];
}

/** Of a task run without a verdict. */
export const underWay: OutcomeText = { word: 'under way', format: 'yellow', sign: 'cancelled' };

/** Of a session of a recording, which nobody judges. */
export const recorded: OutcomeText = { word: 'recorded', format: 'cyan', sign: 'cancelled' };

interface NumberedRun {
  task: string;
  run: number;
  runs: number;
  /** How many there will be is not known yet. */
  isOpen: boolean;
}

/** `create-pod`, or `create-pod (run 2 of 3)` where there are several. */
export function taskRunName({ task, run, runs, isOpen }: NumberedRun): string {
  const place = isOpen ? `run ${run}` : `run ${run} of ${runs}`;
  return terminalLine(runs > 1 ? `${task} (${place})` : task);
}
