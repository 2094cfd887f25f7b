import { parseDuration } from '../base/duration.js';

/** What a timer can wait, in milliseconds: it would fire at once if it were told more. */
const longestWait = 2 ** 31 - 1;

/** A signal that is aborted when the time is over, and when the extension ends. */
export class TimeLimit {
  readonly signal: AbortSignal;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(timeout: string | undefined, ending: AbortSignal) {
    const over = new AbortController();
    const duration = parseDuration(timeout ?? '');
    if (duration.ok) {
      this.#timer = setTimeout(
        () => over.abort(new Error(`the step's time limit of ${timeout} was reached`)),
        Math.min(duration.milliseconds, longestWait),
      );
    }
    this.signal = AbortSignal.any([over.signal, ending]);
  }

  release(): void {
    clearTimeout(this.#timer);
  }
}
