import { formatShortDuration, formatSpentBudget } from '../../../analysis/figure-text.js';
import type { JournalEvent } from '../../../journal/event.js';
import { formatLabels } from '../../../plan/labels.js';
import type { WorkersNow } from '../../../run/session/check-session.js';
import type { Output } from '../../terminal/output.js';
import { printText, terminalLine } from '../../terminal/text.js';
import { describeOutcome, formatElapsed, formatTaskRunName, formatUsage } from '../wording.js';
import {
  type Display,
  type DisplayContext,
  formatEvent,
  formatRunsDecided,
  formatUnserved,
  formatWorkers,
} from './display.js';
import type { FinishedTaskRun } from './finished-task-run.js';

/** Some CI systems stop a job that is silent for ten minutes; people get nervous sooner. */
const heartbeatMs = 60_000;
const maxInHeartbeat = 3;

/** One line for everything that matters, for logs. */
export class PlainLines implements Display {
  readonly #output: Output;
  readonly #context: DisplayContext;
  readonly #heartbeat: NodeJS.Timeout;
  #note: string | undefined;
  /** What was printed about workers, by labels. */
  #printed = new Map<string, string>();
  /** A task run, in this process. */
  #hasBegun = false;

  constructor(output: Output, context: DisplayContext) {
    this.#output = output;
    this.#context = context;
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref();
  }

  show(event: JournalEvent, ended: FinishedTaskRun | undefined): void {
    if (event.type === 'task-run-started') {
      this.#note = undefined;
      this.#hasBegun = true;
    }
    const line = ended ? this.#endedLine(ended) : this.#eventLine(event);
    if (line !== undefined) this.print([line]);
  }

  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    printText(this.#output, `${this.#context.redact(lines.join('\n'))}\n`);
    // Only silence needs a sign of life.
    this.#heartbeat.refresh();
  }

  note(text: string): void {
    this.#note = text;
    this.print([terminalLine(text)]);
  }

  workers(now: WorkersNow): void {
    const lines = new Map([['', formatWorkers(now)]]);
    for (const group of now.unserved) lines.set(formatLabels(group.labels), formatUnserved(group));
    // That fewer wait by now is no news, and that another worker came is.
    const isNews = ([about, text]: [string, string]) =>
      about === '' ? this.#printed.get(about) !== text : !this.#printed.has(about);
    const news = [...lines].filter(isNews).map(([, text]) => terminalLine(text));
    this.#printed = lines;
    this.print(news);
  }

  stopping(text: string): void {
    this.print([text]);
  }

  stop(): void {
    clearInterval(this.#heartbeat);
  }

  #eventLine(event: JournalEvent): string | undefined {
    const { state, style, redact } = this.#context;
    if (event.type !== 'runs-decided') return formatEvent(event, state, style, redact);
    // Before, it is only what --resume has found.
    return event.settled && this.#hasBegun ? formatRunsDecided(event) : undefined;
  }

  #endedLine(ended: FinishedTaskRun): string {
    const { state, control, style, budget } = this.#context;
    const { word, format } = describeOutcome(ended.outcome, control);
    const { failure, durationMs } = ended;
    const why = failure ? `: ${failure.category}: ${terminalLine(failure.message)}` : '';
    const count = `[${state.finishedCount}/${state.plan.taskRuns}${state.isOpen ? '+' : ''}]`;
    const spent = budget().map(formatSpentBudget).join(', ');
    const inAll = spent === '' ? '' : `; spent ${spent}`;
    const facts = `${formatShortDuration(durationMs)}, ${formatUsage([ended])}${onWorker(ended)}${inAll}`;
    const what = `${style(format, word)}${control ? ':' : ''} ${formatTaskRunName(ended)}`;
    return `${count} ${what}  ${facts}${why}`;
  }

  #beat(): void {
    const { state, now } = this.#context;
    const oldestFirst = [...state.running.values()].sort((a, b) => a.since - b.since);
    if (oldestFirst.length === 0 && this.#note !== undefined) {
      const text = terminalLine(this.#note);
      this.print([`still ${text.charAt(0).toLowerCase()}${text.slice(1)}`]);
      return;
    }
    const lines = oldestFirst.slice(0, maxInHeartbeat).map((run) => {
      const phase = run.phase === undefined ? '' : `${run.phase} phase of `;
      const time = formatElapsed(now() - run.phaseSince);
      if (run.waiting) {
        const waits = formatElapsed(now() - run.waiting.since);
        return `still waiting: ${formatTaskRunName(run)} for ${terminalLine(run.waiting.for)}, ${waits}`;
      }
      const step = run.step === undefined ? '' : `, now ${terminalLine(run.step.name)}`;
      return `still running: ${phase}${formatTaskRunName(run)} for ${time}${step}, ${formatUsage([run])}${onWorker(run)}`;
    });
    const more = oldestFirst.length - lines.length;
    if (more > 0) lines.push(`still running: ${more} more`);
    this.print(lines);
  }
}

function onWorker({ worker }: { worker?: string | undefined }): string {
  return worker === undefined ? '' : `, on ${terminalLine(worker)}`;
}
