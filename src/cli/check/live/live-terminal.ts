import type { JournalEvent } from '../../../journal/event.js';
import { formatTaskName } from '../../../journal/task-run-events.js';
import type { WorkersNow } from '../../../run/session/check-session.js';
import type { CommandIo } from '../../terminal/output.js';
import { wrapText } from '../../terminal/text.js';
import { type Display, type DisplayContext, formatEvent } from './display.js';
import type { FinishedTaskRun } from './finished-task-run.js';
import { measureNameColumn, renderFrame } from './live-frame.js';
import { LiveRegion } from './live-region.js';
import { chooseFigures, type Figures, formatFinishedTask } from './terminal-line.js';

/** What runs now at the bottom of the terminal; what is over scrolls up. */
export class LiveTerminal implements Display {
  readonly #context: DisplayContext;
  readonly #signs: Figures;
  readonly #region: LiveRegion;
  #columns = 80;
  #frame = 0;
  #note: string | undefined;
  #workers: WorkersNow | undefined;
  /** A task run, in this process. */
  #hasBegun = false;
  #stopping: string | undefined;

  constructor(io: CommandIo, context: DisplayContext) {
    this.#context = context;
    this.#signs = chooseFigures(io.environment);
    this.#columns = io.stderr.size?.()?.columns ?? this.#columns;
    const { state, now, control, style, budget } = context;
    this.#region = new LiveRegion(io.stderr, (size) => {
      this.#columns = size.columns;
      return renderFrame(state, {
        size,
        now: now(),
        frame: this.#frame++,
        note: this.#note,
        workers: this.#workers,
        stopping: this.#stopping,
        control,
        budget: budget(),
        style,
        signs: this.#signs,
      });
    });
  }

  show(event: JournalEvent, ended: FinishedTaskRun | undefined): void {
    if (event.type === 'task-run-started') {
      this.#note = undefined;
      this.#hasBegun = true;
    }
    const line = ended ? this.#endedLine(ended) : this.#eventLine(event);
    if (line !== undefined) this.print([line]);
    this.#region.changed();
  }

  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const text = this.#context.redact(lines.join('\n'));
    this.#region.print(`${wrapText(text, this.#columns)}\n`);
  }

  note(text: string): void {
    this.#note = text;
    this.#region.changed();
  }

  workers(now: WorkersNow): void {
    this.#workers = now;
    this.#region.changed();
  }

  stopping(text: string): void {
    this.#stopping = text;
    this.#region.changed();
  }

  stop(): void {
    // Tasks that were stopped between their runs.
    for (const { name, runs, isOpen } of this.#context.state.plan.tasks) {
      const finished = this.#context.state.finishedRunsOf(name);
      const isOver = finished.length >= runs && isOpen !== true;
      if (finished.length > 0 && !isOver) this.print([this.#taskLine(name)]);
    }
    this.#region.stop();
  }

  #eventLine(event: JournalEvent): string | undefined {
    const { state, style, redact } = this.#context;
    if (event.type !== 'runs-decided') return formatEvent(event, state, style, redact);
    // Before, it is only what --resume has found.
    const isNews = event.settled !== undefined && this.#hasBegun;
    return isNews ? this.#taskLine(redact(formatTaskName(event))) : undefined;
  }

  /** Shown when the last run of the task is over; whether it is, --runs auto decides after it. */
  #endedLine({ task, outcome, worker }: FinishedTaskRun): string | undefined {
    const { state } = this.#context;
    // Another worker does it again, unless everything is to end.
    if (outcome === 'cancelled' && worker !== undefined && this.#stopping === undefined) {
      return undefined;
    }
    const { runs = 1, isOpen } = state.taskOf(task) ?? {};
    const isOver = isOpen !== true && state.finishedCountOf(task) >= runs;
    return isOver ? this.#taskLine(task) : undefined;
  }

  #taskLine(task: string): string {
    const { state, style, control } = this.#context;
    const runs = state.finishedRunsOf(task);
    const total = state.taskOf(task)?.runs ?? runs.length;
    const columns = this.#columns - 1;
    const nameWidth = measureNameColumn(state.plan, columns);
    const look = { columns, nameWidth, style, signs: this.#signs, control };
    return formatFinishedTask(runs, total, look);
  }
}
