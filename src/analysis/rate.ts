/**
 * How many of the task runs that could be judged passed. Judged are those that passed, failed or ran
 * into their time limit: one that ended in an error says nothing about the server, and one that was
 * cancelled says nothing at all.
 */
export interface Rate {
  passed: number;
  judged: number;
  /** Null: nothing was judged. */
  rate: number | null;
  /** 95 % interval. */
  low: number | null;
  high: number | null;
}
