/** How many of a number of judged runs passed. */
export interface Passes {
  passed: number;
  judged: number;
}
