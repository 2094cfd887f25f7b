import type { JournalEvent } from '../../../journal/event.js';
import type { FinishedCheck, Reporter } from '../../../reporters/reporter.js';
import { boundedWait, GivenUp } from './bounded-wait.js';
import type { ReportOutput } from './report-output.js';
import { whyOf } from './why.js';

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
  /** It is not waited for without end. */
  isTimed: boolean;
  /** Tells people, in one line. */
  tell(message: string): void;
}

/** A reporter at work. Whatever it does wrong is told, and hurts nobody else. */
export class RunningReporter {
  readonly #options: RunningReporterOptions;
  readonly #waiting: JournalEvent[] = [];
  readonly #whenOut: Promise<void>;
  #markOut = () => {};
  #handing: Promise<void> | undefined;
  #dropped = 0;
  /** It did something wrong: it is told of nothing more. */
  #isOut = false;
  #discarded: Promise<void> | undefined;
  /** It may still be at work when everything is over. */
  isStuck = false;

  constructor(options: RunningReporterOptions) {
    this.#options = options;
    this.#whenOut = new Promise((resolve) => {
      this.#markOut = resolve;
    });
  }

  /** Returns at once. */
  onEvent(event: JournalEvent): void {
    if (this.#isOut || !this.#options.reporter.onEvent) return;
    if (this.#waiting.length >= maxWaiting) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(event);
    this.#handing ??= this.#handOver();
  }

  async finish(check: FinishedCheck, givenUp: AbortSignal): Promise<void> {
    const { isTimed } = this.#options;
    const end = this.#isOut ? this.#whenOut : this.#end(check);
    try {
      const limit = isTimed ? maxEnd : undefined;
      await boundedWait(Promise.race([end, this.#whenOut]), limit, givenUp);
    } catch (error) {
      this.isStuck = error instanceof GivenUp;
      this.leaveOut(error);
      // Ours take back what they have half written.
      if (!isTimed) await boundedWait(end, maxDiscard).catch(() => {});
    }
    if (this.#discarded) await boundedWait(this.#discarded, maxDiscard).catch(() => {});
    if (this.#dropped > 0) {
      this.#tell(`it was too slow: ${this.#dropped} events were not told`);
    }
  }

  leaveOut(error: unknown): void {
    if (this.#isOut) return;
    this.#isOut = true;
    this.#markOut();
    this.#waiting.length = 0;
    this.#tell(whyOf(error));
    this.#discarded = this.#options.output.discard();
  }

  async #end(check: FinishedCheck): Promise<void> {
    await this.#handing;
    if (this.#isOut) return;
    const { reporter, output } = this.#options;
    await reporter.onEnd?.(check);
    if (!this.#isOut) await output.finish();
  }

  /** One after the other, as fast as it takes them. */
  async #handOver(): Promise<void> {
    try {
      for (let event = this.#waiting.shift(); event; event = this.#waiting.shift()) {
        await this.#options.reporter.onEvent?.(event);
      }
    } catch (error) {
      this.leaveOut(error);
    }
    this.#handing = undefined;
  }

  #tell(message: string): void {
    this.#options.tell(`reporter ${this.#options.name}: ${message}`);
  }
}
