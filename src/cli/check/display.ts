import type { JournalEvent } from '../../journal/event.js';
import type { SpentBudget } from '../../journal/run-events.js';
import type { Style } from '../terminal/output.js';
import type { FinishedTaskRun } from './finished-task-run.js';
import type { Redact } from './plan-summary.js';
import type { ProgressState } from './progress-state.js';
import type { WorkersNow } from './workers-text.js';

/** What shows a check while it goes on, on a terminal or in a log. */
export interface Display {
  /** The state has the event already; with it, a task run may have ended. */
  show(event: JournalEvent, ended: FinishedTaskRun | undefined): void;
  /** Lines that stay. */
  print(lines: readonly string[]): void;
  /** What goes on while no task run does. */
  note(text: string): void;
  /** Who does the task runs, in place of what was told of that before. */
  workers(now: WorkersNow): void;
  /** What happens after Ctrl-C. */
  stopping(text: string): void;
  stop(): void;
}

export interface DisplayContext {
  state: ProgressState;
  control: boolean;
  style: Style;
  redact: Redact;
  now: () => number;
  /** How far the budgets are spent, if there are some. */
  budget: () => readonly SpentBudget[];
}
