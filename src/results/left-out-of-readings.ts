import { joinLeftOut, LeftOutList, type LeftOutParts } from '../journal/left-out.js';

/**
 * What was left out of a file that is read more than once. Every reading comes by the same parts, and may end
 * before the last one: the longest counts.
 */
export class LeftOutOfReadings {
  #header = new LeftOutList();
  readonly #readings: LeftOutList[] = [];

  /** For what stands beside the task runs. */
  header(): LeftOutList {
    this.#header = new LeftOutList();
    return this.#header;
  }

  /** For a reading of the task runs that begins now. */
  reading(): LeftOutList {
    const list = new LeftOutList();
    this.#readings.push(list);
    return list;
  }

  /** With what was known before. */
  besides(known: LeftOutParts): LeftOutParts {
    const longest = this.#readings.reduce(
      (most, each) => (each.count > most.count ? each : most),
      new LeftOutList(),
    );
    return joinLeftOut([known, this.#header, longest]);
  }
}
