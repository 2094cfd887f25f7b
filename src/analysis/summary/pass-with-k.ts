import { passAtK, passHatK } from '../../statistics/pass-at-k.js';
import type { Passes } from '../../statistics/passes.js';
import type { PassWithK } from './summary.js';

/** Those that people ask for. */
const numbersOfRuns = [2, 3, 4, 5, 10, 20, 50, 100];

export function passWithK({ passed, judged }: Passes): PassWithK[] {
  return numbersOfRuns
    .filter((k) => k <= judged)
    .map((k) => ({ k, any: passAtK(judged, passed, k), all: passHatK(judged, passed, k) }));
}

/** Means over the tasks that have k judged runs. */
export function meanPassWithK(tasks: readonly PassWithK[][]): (PassWithK & { tasks: number })[] {
  return numbersOfRuns.flatMap((k) => {
    const found = tasks.flatMap((task) => task.filter((each) => each.k === k));
    if (found.length === 0) return [];
    const mean = (of: (each: PassWithK) => number) =>
      found.reduce((sum, each) => sum + of(each), 0) / found.length;
    return [{ k, any: mean(({ any }) => any), all: mean(({ all }) => all), tasks: found.length }];
  });
}
