import { formatSpentBudget } from '../../../analysis/figure-text.js';
import { plural } from '../../../base/text.js';
import type { SpentBudget } from '../../../journal/run-events.js';
import type { WorkersNow } from '../../../run/session/check-session.js';
import type { Style, TerminalSize } from '../../terminal/output.js';
import { displayWidth } from '../../terminal/text.js';
import { formatElapsed } from '../wording.js';
import { formatUnserved, formatWorkers } from './display.js';
import type { FinishedTaskRun } from './finished-task-run.js';
import type { PlanSummary } from './plan-summary.js';
import type { ProgressState, RunningTaskRun } from './progress-state.js';
import {
  cleanLine,
  cutToWidth,
  type Figures,
  fitLine,
  type Part,
  padToWidth,
} from './terminal-line.js';

export interface FrameContext {
  /** The terminal's; lines stay one column away from its edge, where terminals wrap. */
  size: TerminalSize;
  now: number;
  /** Counts up with every frame. */
  frame: number;
  /** What goes on before task runs do. */
  note: string | undefined;
  /** Who does the task runs, where workers do. */
  workers?: WorkersNow | undefined;
  /** What happens after Ctrl-C. */
  stopping: string | undefined;
  control: boolean;
  /** How far the budgets are spent, if there are some. */
  budget: readonly SpentBudget[];
  style: Style;
  signs: Figures;
}

/** The lines at the bottom of the terminal: what runs now, and how far it all is. */
export function renderFrame(state: ProgressState, context: FrameContext): string[] {
  const { size, frame, signs, style, note, stopping, workers } = context;
  const columns = Math.max(size.columns - 1, 1);
  const spinner = signs.spinner[frame % signs.spinner.length] ?? '';
  const line = (...parts: Part[]) => fitLine(parts, columns, signs.cut, style);
  const tail: string[] = [];
  const servers = state.uncheckedServers.size;
  const before = note ?? (workers && formatWorkers(workers));
  const activity = servers > 0 ? `checking ${plural(servers, 'server')}` : before;
  if (state.running.size === 0 && activity !== undefined) {
    tail.push(line({ text: `${spinner} `, format: 'cyan' }, { text: cleanLine(activity) }));
  }
  for (const group of workers?.unserved ?? []) {
    tail.push(line({ text: cleanLine(formatUnserved(group)), format: 'yellow' }));
  }
  if (stopping !== undefined) {
    const texts = displayWidth(stopping) > columns ? stopping.split('; ') : [stopping];
    tail.push(...texts.map((text) => line({ text, format: 'yellow' })));
  }
  if (state.finishedCount > 0 || state.running.size > 0) {
    tail.push(progressLine(state, context, columns));
  }
  // The line above the frame stays in sight, with what was printed last.
  const room = Math.max(size.rows - 1 - tail.length, 0);
  return [...runningLines(state, context, columns, room, spinner), ...tail].slice(
    -Math.max(size.rows - 1, 1),
  );
}

function runningLines(
  state: ProgressState,
  { now, style, signs, workers }: FrameContext,
  columns: number,
  room: number,
  spinner: string,
): string[] {
  const oldestFirst = [...state.running.values()].sort((a, b) => a.since - b.since);
  const shown = oldestFirst.length <= room ? oldestFirst : oldestFirst.slice(0, room - 1);
  if (room === 0) return [];
  const width = measureNameColumn(state.plan, columns);
  const workerWidth = columns >= minColumnsForWorker ? workerColumn(shown) : 0;
  const gone = new Set(workers?.gone);
  const lines = shown.map((run) => {
    const parts = runningParts(
      run,
      now,
      { name: width, worker: workerWidth },
      {
        columns,
        signs,
        isGone: gone.has(run.worker ?? ''),
      },
    );
    return fitLine([{ text: `${spinner} `, format: 'cyan' }, ...parts], columns, signs.cut, style);
  });
  const more = oldestFirst.length - shown.length;
  if (more > 0) {
    const text = `  and ${more} more`;
    lines.push(fitLine([{ text, format: 'dim' }], columns, signs.cut, style));
  }
  return lines;
}

const phaseWidth = 'cleanup'.length;
const timeWidth = '59 m 59 s'.length;
/** Below it a tool call would be cut to nothing. */
const minColumnsForCall = 60;
const minColumnsForPhase = 36;
const minColumnsForWorker = 72;
const maxWorkerWidth = 16;

function runningParts(
  run: RunningTaskRun,
  now: number,
  width: { name: number; worker: number },
  { columns, signs, isGone }: { columns: number; signs: Figures; isGone: boolean },
): Part[] {
  const suffix = run.runs > 1 ? ` ${run.isOpen ? run.run : `${run.run}/${run.runs}`}` : '';
  const name = cutToWidth(cleanLine(run.task), width.name - suffix.length, signs.cut);
  const parts: Part[] = [{ text: padToWidth(`${name}${suffix}`, width.name) }];
  if (columns >= minColumnsForPhase) {
    const state = run.waiting ? 'waiting' : (run.phase ?? '');
    const format = run.waiting || isGone ? 'yellow' : 'cyan';
    parts.push({ text: `  ${(isGone ? 'lost' : state).padEnd(phaseWidth)}`, format });
  }
  parts.push({ text: `  ${formatElapsed(now - run.since).padStart(timeWidth)}`, format: 'dim' });
  const activity = columns >= minColumnsForCall ? activityOf(run, now, isGone) : undefined;
  if (width.worker > 0) {
    const worker = cutToWidth(cleanLine(run.worker ?? ''), width.worker, signs.cut);
    const shown = activity === undefined ? worker : padToWidth(worker, width.worker);
    parts.push({ text: `  ${shown}`, format: 'dim' });
  }
  if (activity !== undefined) parts.push({ text: `  ${cleanLine(activity)}` });
  return parts;
}

/** Wide enough for the longest name of a worker, up to a bound; 0: there are none. */
function workerColumn(runs: readonly RunningTaskRun[]): number {
  const widths = runs.map(({ worker = '' }) => displayWidth(cleanLine(worker)));
  return Math.min(Math.max(...widths, 0), maxWorkerWidth);
}

/** What it waits for: its turn, or a step; or what the agent did last. */
function activityOf(
  { waiting, step, latestCall }: RunningTaskRun,
  now: number,
  isGone: boolean,
): string | undefined {
  if (isGone) return 'does not answer: another worker is given it';
  if (waiting) return `for ${waiting.for}, ${formatElapsed(now - waiting.since)}`;
  return step ? `${step.name} ${formatElapsed(now - step.since)}` : latestCall;
}

/** Wide enough for the longest name with the number of its run, or for what there is room for. */
export function measureNameColumn(plan: PlanSummary, columns: number): number {
  const widest = widestName(plan);
  const reserved = columns >= minColumnsForPhase ? phaseWidth + timeWidth + 6 : timeWidth + 4;
  const most = columns >= minColumnsForCall ? Math.floor(columns * 0.35) : columns - reserved;
  return Math.max(Math.min(widest, most), 8);
}

const widestNames = new WeakMap<PlanSummary, number>();

/** Measured once: there can be ten thousand tasks, and a line for each. */
function widestName(plan: PlanSummary): number {
  const known = widestNames.get(plan);
  if (known !== undefined) return known;
  const widest = plan.tasks.reduce((width, { name, runs }) => {
    const suffix = runs > 1 ? ` ${runs}/${runs}`.length : 0;
    return Math.max(width, displayWidth(cleanLine(name)) + suffix);
  }, 0);
  widestNames.set(plan, widest);
  return widest;
}

const barWidth = 24;
const minColumnsForBar = 60;

function progressLine(state: ProgressState, context: FrameContext, columns: number): string {
  const { now, signs, style, control, budget, workers } = context;
  const { finished } = state;
  const total = Math.max(state.plan.taskRuns, finished.length);
  const more = state.isOpen ? '+' : '';
  const failed = finished.filter(({ outcome }) => outcome !== 'passed').length;
  const left = estimateTimeLeft(state, now);
  const done = total === 0 ? barWidth : Math.floor((finished.length / total) * barWidth);
  const bar: Part[] = [
    { text: signs.barDone.repeat(done), format: 'green' },
    { text: `${signs.barOpen.repeat(barWidth - done)}  `, format: 'dim' },
  ];
  const elapsed = state.startedAt === undefined ? [] : [formatElapsed(now - state.startedAt)];
  const times = [
    ...elapsed,
    ...(left !== undefined && left > 0 ? [`about ${formatElapsed(left)} left`] : []),
  ];
  return fitLine(
    [
      ...(columns >= minColumnsForBar ? bar : []),
      { text: `${finished.length}/${total}${more} task ${total === 1 ? 'run' : 'runs'}` },
      ...(failed > 0 && !control
        ? [{ text: `, ${failed} not passed`, format: 'red' as const }]
        : []),
      ...(workers ? [workersPart(workers.workers)] : []),
      ...budget.map((spent) => ({ text: `, ${formatSpentBudget(spent)}` })),
      { text: times.length > 0 ? `, ${times.join(', ')}` : '', format: 'dim' },
    ],
    columns,
    signs.cut,
    style,
  );
}

function workersPart(workers: number): Part {
  return workers === 0
    ? { text: ', no worker', format: 'yellow' }
    : { text: `, ${plural(workers, 'worker')}` };
}

/**
 * How many milliseconds are left, judging by the task runs that came to their end: a task's own
 * where it has some, else all. Undefined while there is nothing to judge by.
 */
export function estimateTimeLeft(state: ProgressState, now: number): number | undefined {
  const overall = meanDuration(state.finished);
  if (overall === undefined) return undefined;
  const lanes = new Lanes();
  const running = new Map<string, number[]>();
  for (const { task, since } of state.running.values()) {
    running.set(task, [...(running.get(task) ?? []), now - since]);
  }
  for (const { name, runs, parallel } of state.plan.tasks) {
    const finished = state.finishedRunsOf(name);
    const elapsed = running.get(name) ?? [];
    const expected = meanDuration(finished) ?? overall;
    // One that takes longer than others did may end at any moment.
    for (const already of elapsed) lanes.add(parallel, Math.max(expected - already, 0));
    const waiting = runs - finished.length - elapsed.length;
    if (waiting > 0) lanes.add(parallel, expected, waiting);
  }
  return lanes.milliseconds(state.plan.parallel);
}

/** Work that is done one by one, and work that is done together. */
class Lanes {
  #oneByOne = 0;
  #together = 0;
  #longest = 0;

  add(isParallel: boolean, milliseconds: number, times = 1): void {
    if (!isParallel) {
      this.#oneByOne += milliseconds * times;
      return;
    }
    this.#together += milliseconds * times;
    this.#longest = Math.max(this.#longest, milliseconds);
  }

  milliseconds(parallel: number): number {
    return this.#oneByOne + Math.max(this.#together / parallel, this.#longest);
  }
}

function meanDuration(runs: readonly FinishedTaskRun[]): number | undefined {
  const whole = runs.filter(({ outcome }) => outcome !== 'cancelled');
  if (whole.length === 0) return undefined;
  return whole.reduce((sum, { durationMs }) => sum + durationMs, 0) / whole.length;
}
