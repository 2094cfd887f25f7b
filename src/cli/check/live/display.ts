import { formatPercent, formatShortDuration } from '../../../analysis/figure-text.js';
import type { RawJson } from '../../../base/json-text.js';
import { plural } from '../../../base/text.js';
import type { JournalEvent } from '../../../journal/event.js';
import type { RunsDecided, ServerChecked, SpentBudget } from '../../../journal/run-events.js';
import { formatTaskName } from '../../../journal/task-run-events.js';
import { formatLabels } from '../../../plan/labels.js';
import type { WorkersNow } from '../../../run/session/check-session.js';
import { renderWarning } from '../../render-call.js';
import type { Style } from '../../terminal/output.js';
import { terminalLine } from '../../terminal/text.js';
import type { FinishedTaskRun } from './finished-task-run.js';
import type { Redact } from './plan-summary.js';
import type { ProgressState } from './progress-state.js';

/** What shows a check while it goes on, on a terminal or in a log. */
export interface Display {
  /** The state has the event already; with it, a task run may have ended. */
  show(event: JournalEvent, ended: FinishedTaskRun | undefined): void;
  /** Lines that stay. */
  print(lines: readonly string[]): void;
  /** What goes on while no task run does. */
  note(text: string): void;
  /** The workers that do the task runs, in place of what was shown of them before. */
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

/** The line that every kind of output shows at once for an event, if there is one. */
export function formatEvent(
  event: JournalEvent,
  state: ProgressState,
  style: Style,
  redact: Redact,
): string | undefined {
  switch (event.type) {
    case 'server-checked':
      return serverLine(event, style);
    case 'run-resumed':
      return `resuming: ${event.missing} of ${plural(state.plan.taskRuns, 'task run')} left`;
    case 'warning':
      // The others of its kind are counted at the end.
      return state.warnings.countOf(event) === 1 ? renderWarning(event, style, redact) : undefined;
    default:
      return undefined;
  }
}

function serverLine(event: ServerChecked, style: Style): string {
  const tools = countOf(event.tools);
  const allowed = event.allowedTools.length;
  const offers = [
    plural(tools, 'tool') + (allowed < tools ? ` (${allowed} allowed)` : ''),
    ...[
      plural(countOf(event.resources) + countOf(event.resourceTemplates), 'resource'),
      plural(countOf(event.prompts), 'prompt'),
    ].filter((text) => !text.startsWith('0 ')),
  ];
  const time = style('dim', formatShortDuration(event.durationMs));
  const of = event.mcpConfigFile === undefined ? '' : ` (${terminalLine(event.mcpConfigFile)})`;
  return `server ${style('bold', terminalLine(event.server))}${of}: ${offers.join(', ')}  ${time}`;
}

function countOf(list: RawJson): number {
  const { value } = list;
  return Array.isArray(value) ? value.length : 0;
}

/** With --runs auto: that a task needs no more runs, and what they came to. */
export function formatRunsDecided(decision: RunsDecided): string {
  const { passed, judged, interval, settled } = decision;
  const why = settled === 'width' ? 'ran often enough' : 'has had the maximum number of runs';
  const rate = interval
    ? `, which is ${formatPercent(interval.low)} to ${formatPercent(interval.high)}`
    : '';
  return terminalLine(`${formatTaskName(decision)} ${why}: ${passed} of ${judged} passed${rate}`);
}

export function formatWorkers({ workers, slots }: WorkersNow): string {
  if (workers === 0) return 'no worker takes part: start one with proctor worker --queue';
  return `${plural(workers, 'worker')}, ${plural(slots, 'task run')} at once`;
}

export function formatUnserved({ waiting, labels }: WorkersNow['unserved'][number]): string {
  const verb = waiting === 1 ? 'waits' : 'wait';
  return `${plural(waiting, 'task run')} ${verb} for a worker with ${formatLabels(labels)}`;
}
