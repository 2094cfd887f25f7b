import type { ProblemReport } from '../../../config/problems/problem.js';
import type { JournalEvent } from '../../../journal/event.js';
import type { SpentBudget } from '../../../journal/run-events.js';
import type { WorkersNow } from '../../../run/session/check-session.js';
import { renderProblems } from '../../render-problems.js';
import { shownProgram } from '../../shown-program.js';
import type { Look } from '../../terminal/document.js';
import { type CommandIo, type Style, styleFor } from '../../terminal/output.js';
import { printText, terminalColumns, terminalLine } from '../../terminal/text.js';
import { type CheckEnd, renderFinalReport } from '../report/final-report.js';
import type { Display } from './display.js';
import { LiveTerminal } from './live-terminal.js';
import { PlainLines } from './plain-lines.js';
import type { PlanSummary, Redact } from './plan-summary.js';
import { ProgressState } from './progress-state.js';
import { formatVerbose } from './verbose-lines.js';

export interface CheckDisplayOptions {
  io: CommandIo;
  /** By another reporter: then the report goes to stderr. */
  isStdoutTaken: boolean;
  /** Of the report, where there are several. */
  title?: string;
  /** The words after `proctor` that do the same again, for people to paste. */
  repeat: readonly string[];
  verbose: boolean;
  control: boolean;
  redact: Redact;
  plan: PlanSummary;
  /** How far the budgets are spent, if there are some. */
  budget?: () => readonly SpentBudget[];
  /** A clock that only goes forward, in milliseconds. */
  now?: () => number;
}

/** What people see of a check, while it goes on and at its end. */
export interface CheckDisplay {
  /** Every event, in order. */
  onEvent(event: JournalEvent): void;
  /** An event of the time before --resume: it counts, and is not shown again. */
  replay(event: JournalEvent): void;
  /** What goes on while no task run does: `checking 3 servers`. */
  note(text: string): void;
  /** Something that matters whatever goes on: a line that stays. */
  printLine(text: string): void;
  /** The workers that do the task runs, in place of what was shown of them before. */
  workers(now: WorkersNow): void;
  /** Problems that are no reason to stop. */
  warn(report: ProblemReport): void;
  /** A worker does not take part, for a reason of any number of lines. */
  refused(worker: string, reason: string): void;
  /** Ctrl-C was pressed so many times. */
  interrupted(times: number): void;
  /** Nothing more comes, and there is nothing to report: the terminal is as it was. */
  stop(): void;
  /** Nothing more comes: the report. */
  finish(end: CheckEnd): void;
  /** The same report for a file. */
  plainReport(end: CheckEnd): string;
}

export function createCheckDisplay(options: CheckDisplayOptions): CheckDisplay {
  const { io, plan, redact, control, verbose, repeat } = options;
  const program = shownProgram(io.environment);
  const now = options.now ?? (() => performance.now());
  const createdAt = now();
  const state = new ProgressState(plan, redact, now);
  const style = styleFor(io.stderr, io.environment);
  const budget = options.budget ?? (() => []);
  const context = { state, control, style, redact, now, budget };
  const display: Display = isLive(io)
    ? new LiveTerminal(io, context)
    : new PlainLines(io.stderr, context);
  const report = (end: CheckEnd, look: Look) => {
    const elapsedMs = now() - (state.startedAt ?? createdAt);
    return redact(renderFinalReport(end, { state, program, repeat, control, elapsedMs, ...look }));
  };
  return {
    onEvent(event) {
      const ended = state.apply(event);
      if (verbose) display.print(formatVerbose(event, state, style, redact));
      display.show(event, ended);
    },
    replay: (event) => void state.apply(event),
    note: (text) => display.note(redact(text)),
    printLine: (text) => display.print([terminalLine(text)]),
    workers(now) {
      state.plan.parallel = Math.max(now.slots, 1);
      display.workers(now);
    },
    warn: (report) => display.print(renderProblems(report, style).split('\n')),
    refused: (worker, reason) => display.print(refusalLines(worker, redact(reason), style)),
    interrupted: (times) => display.stopping(stoppingText(times)),
    stop: () => display.stop(),
    finish(end) {
      display.stop();
      const output = options.isStdoutTaken ? io.stderr : io.stdout;
      const style = styleFor(output, io.environment);
      const title = options.title === undefined ? '' : `${style('bold', options.title)}\n\n`;
      printText(output, `\n${title}${report(end, { style, width: terminalColumns(output) })}`);
    },
    plainReport: (end) => report(end, { style: (_format, text) => text }),
  };
}

/** Redrawing is for people who watch, on a terminal that can do it. */
function isLive({ stderr, environment }: CommandIo): boolean {
  return stderr.isTerminal && !environment.CI && environment.TERM !== 'dumb';
}

function stoppingText(times: number): string {
  return times === 1
    ? 'stopping: running cleanup; Ctrl-C again to stop at once'
    : 'stopping at once';
}

function refusalLines(worker: string, reason: string, style: Style): string[] {
  return [
    `${style('yellow', 'warning')}  worker ${terminalLine(worker)} cannot take part:`,
    ...reason.split('\n').map((line) => `  ${terminalLine(line)}`.trimEnd()),
  ];
}
