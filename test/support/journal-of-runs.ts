import type { RunRecord } from '../../src/journal/run-events.js';
import type { Outcome } from '../../src/journal/task-run-events.js';
import {
  agentFinished,
  assertion,
  ended,
  JournalBuilder,
  started,
} from '../../testing/journals.js';

/** A task run as a test wants it. */
export interface Run {
  task?: string;
  outcome: Outcome;
  cost?: number;
  durationMs?: number;
  usage?: { inputTokens: number; outputTokens: number };
  assertions?: boolean[];
}

interface Check {
  planned?: number;
  isEnded?: boolean;
  options?: RunRecord['options'];
}

/** The journal of a check with these task runs. */
export function journalOfRuns(
  id: string,
  runs: readonly Run[],
  { planned = runs.length, isEnded = true, options = {} }: Check = {},
): string {
  const builder = new JournalBuilder({ id, taskRuns: planned, options });
  for (const [index, { task = 'feed', outcome, assertions = [], ...amounts }] of runs.entries()) {
    const taskRun = `${task}-${index + 1}`;
    const run = index + 1;
    builder.add(started({ taskRun, task, run, runs: runs.length }));
    for (const event of agentFinished(taskRun)) builder.add(event);
    for (const passed of assertions) builder.add(assertion({ taskRun, passed }));
    const failure = { category: 'agent-failed' as const, message: 'it broke', evidence: 2 };
    const verified = outcome === 'passed' ? true : null;
    const verdict = {
      outcome,
      ...(outcome !== 'passed' && { failure }),
      ...(assertions.length === 0 && { verified, assertionsHeld: null }),
    };
    builder.add(ended({ taskRun, task, run, ...verdict, ...amounts }));
  }
  if (isEnded) builder.add({ type: 'run-ended', durationMs: 1000, calls: 0 });
  return builder.text;
}

export const times = (count: number, run: Run): Run[] => Array.from({ length: count }, () => run);
