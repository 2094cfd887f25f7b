/** What dealing runs to two sides can come to, if so many of all of them passed. */
export interface Deals {
  /** Passes of the first side in the first of the deals; each has one more than the one before. */
  fewest: number;
  chances: Float64Array;
}

/** The hypergeometric distribution: how many of `passed` fall on the first of the two sides. */
export function dealsOf(firstJudged: number, secondJudged: number, passed: number): Deals {
  const fewest = Math.max(0, passed - secondJudged);
  const most = Math.min(passed, firstJudged);
  const chances = new Float64Array(most - fewest + 1);
  const ratioUp = (at: number) => {
    const count = fewest + at;
    const up = (passed - count) * (firstJudged - count);
    return up / ((count + 1) * (secondJudged - passed + count + 1));
  };
  // Outward from the most likely one, by the ratio of neighbours: nothing can overflow.
  const mode = ((passed + 1) * (firstJudged + 1)) / (firstJudged + secondJudged + 2);
  const start = Math.min(most, Math.max(fewest, Math.floor(mode))) - fewest;
  chances[start] = 1;
  for (let at = start; at < chances.length - 1; at++) {
    chances[at + 1] = (chances[at] ?? 0) * ratioUp(at);
  }
  for (let at = start; at > 0; at--) chances[at - 1] = (chances[at] ?? 0) / ratioUp(at - 1);
  const whole = chances.reduce((sum, chance) => sum + chance, 0);
  return { fewest, chances: chances.map((chance) => chance / whole) };
}
