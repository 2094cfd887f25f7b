import type { JournalEvent } from './event.js';

/** How long a run took that may have been killed and resumed: without the time it lay still. */
export class RunClock {
  #before = 0;
  /** Of the process that wrote the latest events. */
  #first: string | undefined;
  #latest = '';
  #measured: number | undefined;

  add(event: JournalEvent): void {
    if (event.type === 'run-resumed') {
      this.#before = this.durationMs;
      this.#first = undefined;
      this.#measured = undefined;
    }
    if (!Number.isNaN(Date.parse(event.at))) {
      this.#first ??= event.at;
      this.#latest = event.at;
    }
    // Better than wall time, where there is one.
    if (event.type === 'run-ended') this.#measured = event.durationMs;
  }

  get durationMs(): number {
    if (this.#first === undefined) return this.#before;
    const elapsed = Date.parse(this.#latest) - Date.parse(this.#first);
    return this.#before + (this.#measured ?? elapsed);
  }
}
