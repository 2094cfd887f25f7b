import { holmCorrection } from '../../base/statistics/exact-tests.js';
import type { Passes } from '../../base/statistics/pass-at-k.js';
import { level } from '../diff/level.js';
import { type Sides, testsOfTasks } from '../diff/task-verdicts.js';
import { totalVerdict } from '../diff/total-verdict.js';
import type { ComparedPair, PairVerdict } from './variant-comparison.js';

/** A variant with its runs of the tasks that are compared, which all have in the same order. */
export interface VariantPasses {
  name: string;
  tasks: readonly Passes[];
}

/**
 * Of false alarms, the wholes may raise one half and single tasks the other: together they are as
 * rare as the level says.
 */
const families = 2;

/**
 * Every two variants held against each other as `diff` does with two files, as a whole and task by
 * task. That anything at all is called different though nothing is stays as rare as the level says,
 * however many variants there are.
 */
export function comparedPairs(
  tasks: readonly string[],
  ranked: readonly VariantPasses[],
): ComparedPair[] {
  const pairs = ranked.flatMap((first, place) =>
    ranked.slice(place + 1).map((second) => ({ first, second, sides: sidesOf(first, second) })),
  );
  const wholes = pairs.map(({ sides }) => totalVerdict(sides));
  const adjusted = holmCorrection(wholes.map(({ pValue }) => pValue ?? 1));
  const ofTasks = testsOfTasks(
    pairs.flatMap(({ sides }) => sides),
    level / families,
  );
  return pairs.flatMap(({ first, second, sides }, index): ComparedPair[] => {
    const whole = wholes[index];
    if (!whole) return [];
    const { difference, low, high, pValue, method, verdict } = whole;
    if (difference === null || low === null || high === null || pValue === null || !method) {
      return [];
    }
    const corrected = Math.min(1, families * (adjusted[index] ?? 1));
    const tests = ofTasks.slice(index * tasks.length, (index + 1) * tasks.length);
    const told = sides.flatMap(({ base, current }, task) => {
      const isTold = families * (tests[task]?.adjusted ?? 1) <= level;
      const isHigher = current.passed * base.judged > base.passed * current.judged;
      return isTold ? [{ task: tasks[task] ?? '', isHigher }] : [];
    });
    return [
      {
        first: first.name,
        second: second.name,
        difference,
        low,
        high,
        pValue,
        adjusted: corrected,
        method,
        verdict: verdictOf(corrected, verdict !== 'no change'),
        firstBetterIn: told.filter(({ isHigher }) => isHigher).map(({ task }) => task),
        secondBetterIn: told.filter(({ isHigher }) => !isHigher).map(({ task }) => task),
      },
    ];
  });
}

/** A difference of rates is that of the first less that of the second. */
function sidesOf(first: VariantPasses, second: VariantPasses): Sides[] {
  return first.tasks.flatMap((current, task) => {
    const base = second.tasks[task];
    return base ? [{ base, current }] : [];
  });
}

/** What would be more than chance if it were the only pair, more tasks can settle. */
function verdictOf(adjusted: number, seemsOpen: boolean): PairVerdict {
  if (adjusted <= level) return 'different';
  return seemsOpen ? 'not enough data' : 'no difference';
}
