import { holmCorrection } from '../../base/statistics/exact-tests.js';
import type { Passes } from '../../base/statistics/pass-at-k.js';
import { plural } from '../../base/text.js';
import { type Sides, significanceLevel, testTasks } from '../diff/task-verdicts.js';
import { decideTotalVerdict } from '../diff/total-verdict.js';
import type { ComparedPair, PairVerdict } from './variant-comparison.js';

/** A variant with its runs of the tasks that are compared, which all have in the same order. */
export interface VariantPasses {
  name: string;
  tasks: readonly Passes[];
}

/**
 * Tests of whole suites may raise one half of the false alarms, and tests of single tasks the other half:
 * together they stay within the significance level.
 */
const families = 2;

/**
 * Compares every two variants as `diff` compares two files, as a whole and task by task. The probability of any
 * false alarm stays within the significance level, however many variants there are.
 */
export function comparePairs(
  tasks: readonly string[],
  ranked: readonly VariantPasses[],
): ComparedPair[] {
  const pairs = ranked.flatMap((first, place) =>
    ranked.slice(place + 1).map((second) => ({ first, second, sides: pairSides(first, second) })),
  );
  const wholes = pairs.map(({ sides }) => decideTotalVerdict(sides));
  const adjusted = holmCorrection(wholes.map(({ pValue }) => pValue ?? 1));
  const ofTasks = testTasks(
    pairs.flatMap(({ sides }) => sides),
    significanceLevel / families,
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
    const differing = sides.flatMap(({ base, current }, task) => {
      const isSignificant = families * (tests[task]?.adjusted ?? 1) <= significanceLevel;
      const isHigher = current.passed * base.judged > base.passed * current.judged;
      return isSignificant ? [{ task: tasks[task] ?? '', isHigher }] : [];
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
        verdict: decidePairVerdict(corrected, verdict !== 'no change'),
        firstBetterIn: differing.filter(({ isHigher }) => isHigher).map(({ task }) => task),
        secondBetterIn: differing.filter(({ isHigher }) => !isHigher).map(({ task }) => task),
      },
    ];
  });
}

/** Pairs the runs of two variants: the difference is the rate of the first minus that of the second. */
function pairSides(first: VariantPasses, second: VariantPasses): Sides[] {
  return first.tasks.flatMap((current, task) => {
    const base = second.tasks[task];
    return base ? [{ base, current }] : [];
  });
}

/** `not enough data` if the difference would be significant for a single pair: more tasks can settle it. */
function decidePairVerdict(adjusted: number, seemsOpen: boolean): PairVerdict {
  if (adjusted <= significanceLevel) return 'different';
  return seemsOpen ? 'not enough data' : 'no difference';
}

/** Whether two variants differ in anything by more than chance. */
export function isDistinguishable({
  verdict,
  firstBetterIn,
  secondBetterIn,
}: ComparedPair): boolean {
  return verdict === 'different' || firstBetterIn.length + secondBetterIn.length > 0;
}

/** Whether the first is better than the second, and worse in nothing. */
export function isBetter(pair: ComparedPair): boolean {
  if (!isDistinguishable(pair) || pair.secondBetterIn.length > 0) return false;
  return pair.verdict !== 'different' || pair.difference > 0;
}

/** `different`, or `not enough data, but better in 2 tasks`. */
export function formatPairVerdict({
  verdict,
  firstBetterIn,
  secondBetterIn,
}: ComparedPair): string {
  const parts = [
    ...(firstBetterIn.length > 0 ? [`better in ${plural(firstBetterIn.length, 'task')}`] : []),
    ...(secondBetterIn.length > 0 ? [`worse in ${plural(secondBetterIn.length, 'task')}`] : []),
  ];
  if (parts.length === 0) return verdict;
  return `${verdict}${verdict === 'different' ? '' : ' overall'}, ${parts.join(', ')}`;
}

/**
 * The largest sets of names of which no two are different. A name can be in several sets: if A does not differ
 * from B, nor B from C, A and C may still differ. Each pair that differs splits the sets that hold both
 * (Piepho 2004).
 */
export function groupIndistinguishable(
  names: readonly string[],
  different: readonly (readonly [string, string])[],
): string[][] {
  let groups: ReadonlySet<string>[] = names.length > 0 ? [new Set(names)] : [];
  for (const [one, other] of different) {
    const split = groups.flatMap((group) =>
      group.has(one) && group.has(other)
        ? [removeName(group, one), removeName(group, other)]
        : [group],
    );
    groups = split.filter(
      (group, index) => !split.some((rival, at) => absorbs(rival, group, at < index)),
    );
  }
  return groups
    .map((group) => names.filter((name) => group.has(name)))
    .sort((a, b) => findPlaceOfFirst(a, names) - findPlaceOfFirst(b, names) || b.length - a.length);
}

function removeName(group: ReadonlySet<string>, name: string): Set<string> {
  return new Set([...group].filter((member) => member !== name));
}

/** Whether a set is contained in another one; of two equal sets the first stays. */
function absorbs(
  rival: ReadonlySet<string>,
  group: ReadonlySet<string>,
  comesBefore: boolean,
): boolean {
  if (rival === group || rival.size < group.size) return false;
  if (rival.size === group.size && !comesBefore) return false;
  return [...group].every((name) => rival.has(name));
}

function findPlaceOfFirst([first = '']: readonly string[], names: readonly string[]): number {
  return names.indexOf(first);
}
