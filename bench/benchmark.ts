/**
 * One figure and the baseline it is held against. Both are measured in turn in the same run, so
 * that a slow machine slows down both and the ratio stays.
 */
export interface Benchmark {
  /** For the command line: `npm run bench -- NAME`. */
  name: string;
  measures: string;
  against: string;
  unit: string;
  /**
   * Bounds of the ratio. `atMost` is for what should be small, `atLeast` for what should be big, and both
   * for what should be as it is.
   */
  budget: { atMost?: number; atLeast?: number };
  rounds: number;
  /** Sets up both sides. The folder is empty, and removed at the end. */
  prepare(folder: string): Promise<Contest>;
}

export interface Contest {
  measure(): number | Promise<number>;
  measureBaseline(): number | Promise<number>;
  /** Ends what `prepare` started. */
  close?(): void | Promise<void>;
}
