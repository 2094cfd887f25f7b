import { errorMessage } from '../../base/errors.js';
import type { JournalEvent } from '../../journal/event.js';
import type { FinishedRun, Reporter } from '../../reporters/reporter.js';
import type { ResultsFile } from '../../results/results-file.js';
import type { ReportOutput } from './report-output.js';

/** Events that wait for a reporter which is slower than the run. */
const maxWaiting = 1000;
/** After the run, for all that is left to do. */
const maxEnd = 60_000;
const maxDiscard = 1000;

export interface RunningReporterOptions {
  /** As it was written. */
  name: string;
  reporter: Reporter;
  output: ReportOutput;
  /** Whether there is a limit to the wait for its end. */
  isTimed: boolean;
  /** Called in one line with what it does wrong. */
  onFailure(message: string): void;
}

/** A reporter at work. Whatever it does wrong is reported, and does no harm to others. */
export class RunningReporter {
  readonly #options: RunningReporterOptions;
  readonly #waiting: JournalEvent[] = [];
  readonly #dropped: Promise<void>;
  #markDropped = () => {};
  #handing: Promise<void> | undefined;
  #skipped = 0;
  /** It did something wrong: it gets no more events. */
  #isDropped = false;
  #discarded: Promise<void> | undefined;
  /** It may still be at work when everything is over. */
  isStuck = false;

  constructor(options: RunningReporterOptions) {
    this.#options = options;
    this.#dropped = new Promise((resolve) => {
      this.#markDropped = resolve;
    });
  }

  /** Whether it wants events. */
  get isListening(): boolean {
    return !this.#isDropped && this.#options.reporter.onEvent !== undefined;
  }

  /** Returns at once. */
  onEvent(event: JournalEvent): void {
    if (!this.isListening) return;
    if (this.#waiting.length >= maxWaiting) {
      this.#skipped += 1;
      return;
    }
    this.#waiting.push(event);
    this.#handing ??= this.#handEvents();
  }

  /** Takes all of these events at once, however many: it is not slow because they come late. */
  onHeldEvents(events: readonly JournalEvent[]): void {
    if (!this.isListening || events.length === 0) return;
    for (const event of events) this.#waiting.push(event);
    this.#handing ??= this.#handEvents();
  }

  async finish(check: FinishedRun, givenUp: AbortSignal): Promise<void> {
    const { isTimed } = this.#options;
    const end = this.#isDropped ? this.#dropped : this.#end(check);
    try {
      const limit = isTimed ? maxEnd : undefined;
      await withReporterTimeout(Promise.race([end, this.#dropped]), limit, givenUp);
    } catch (error) {
      this.isStuck = error instanceof ReporterTimeoutError;
      this.drop(error);
      // Built-in reporters take back what they have half written.
      if (!isTimed) await withReporterTimeout(end, maxDiscard).catch(() => {});
    }
    if (this.#discarded) await withReporterTimeout(this.#discarded, maxDiscard).catch(() => {});
    if (this.#skipped > 0) {
      this.#reportFailure(`it was too slow: ${this.#skipped} events were left out`);
    }
  }

  drop(error: unknown): void {
    if (this.#isDropped) return;
    this.#isDropped = true;
    this.#markDropped();
    this.#waiting.length = 0;
    this.#reportFailure(formatFirstLine(error));
    this.#discarded = this.#options.output.discard();
  }

  async #end(check: FinishedRun): Promise<void> {
    await this.#handing;
    if (this.#isDropped) return;
    const { reporter, output } = this.#options;
    await reporter.onEnd?.(check);
    if (!this.#isDropped) await output.finish();
  }

  /** One after the other, as fast as it takes them. */
  async #handEvents(): Promise<void> {
    try {
      for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) {
        await this.#options.reporter.onEvent?.(event);
      }
    } catch (error) {
      this.drop(error);
    }
    this.#handing = undefined;
  }

  #reportFailure(message: string): void {
    this.#options.onFailure(`reporter ${this.#options.name}: ${message}`);
  }
}

/**
 * Waits for a reporter at most so many milliseconds, or until the check is to end at once. Undefined: as long as
 * it takes.
 */
export async function withReporterTimeout<Value>(
  promise: Promise<Value>,
  milliseconds: number | undefined,
  givenUp: AbortSignal = new AbortController().signal,
): Promise<Value> {
  let stop = () => {};
  const end = new Promise<never>((_, reject) => {
    const onTimeout = (limit: number) =>
      reject(new ReporterTimeoutError(`it did not end within ${limit / 1000} seconds`));
    const timer = milliseconds && setTimeout(onTimeout, milliseconds, milliseconds);
    const onAbort = () =>
      reject(new ReporterTimeoutError('it was still at work when the check was stopped'));
    givenUp.addEventListener('abort', onAbort, { once: true });
    if (givenUp.aborted) onAbort();
    stop = () => {
      clearTimeout(timer);
      givenUp.removeEventListener('abort', onAbort);
    };
  });
  try {
    return await Promise.race([promise, end]);
  } finally {
    stop();
    // A later rejection has no handler any more.
    promise.catch(() => {});
  }
}

/** A reporter that is not waited for any more, and may still do something. */
class ReporterTimeoutError extends Error {}

/** Results whose reader fails after an abort: built-in reporters then take back what is half written. */
export function stopReadingOnAbort(results: ResultsFile, givenUp: AbortSignal): ResultsFile {
  return {
    ...results,
    async *taskRuns(options) {
      for await (const taskRun of results.taskRuns(options)) {
        givenUp.throwIfAborted();
        yield taskRun;
      }
    },
  };
}

/** What the code of a reporter threw, in one line. */
export function formatFirstLine(error: unknown): string {
  const [line = ''] = errorMessage(error).split('\n', 1);
  return line || (error instanceof Error ? error.name : 'it threw nothing');
}
