import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wilsonInterval } from '../base/statistics/intervals.js';
import {
  countRunsAtLeast,
  defaultRunsRule,
  fewestRuns,
  findSettledReason,
  measureUncertainty,
  needsAnother,
  type RunsRule,
  type RunTally,
} from './enough-runs.js';

const nothing: RunTally = { passed: 0, judged: 0, unjudged: 0, running: 0 };
const tally = (passed: number, judged: number, running = 0): RunTally => ({
  ...nothing,
  passed,
  judged,
  running,
});

const rules: fc.Arbitrary<RunsRule> = fc.record({
  width: fc.double({ min: 0.05, max: 1, noNaN: true }),
  most: fc.integer({ min: fewestRuns, max: 40 }),
});
const tallies = fc
  .tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 0, max: 12 })))
  .map(([passed = 0, others = 0, unjudged = 0, running = 0]) => ({
    passed,
    judged: passed + others,
    unjudged,
    running,
  }));

function widthOf(passed: number, judged: number): number {
  const { low, high } = wilsonInterval(passed, judged) ?? { low: 0, high: 1 };
  return high - low;
}

/** Every way in which the runs under way can end. */
function outcomesOf({ passed, judged, unjudged, running }: RunTally): RunTally[] {
  const outcomes: RunTally[] = [];
  for (let verdicts = 0; verdicts <= running; verdicts++) {
    for (let passes = 0; passes <= verdicts; passes++) {
      outcomes.push({
        passed: passed + passes,
        judged: judged + verdicts,
        unjudged: unjudged + running - verdicts,
        running: 0,
      });
    }
  }
  return outcomes;
}

type Verdict = 'passed' | 'failed' | 'error';

function ended(before: RunTally, verdict: Verdict): RunTally {
  return {
    passed: before.passed + Number(verdict === 'passed'),
    judged: before.judged + Number(verdict !== 'error'),
    unjudged: before.unjudged + Number(verdict === 'error'),
    running: before.running - 1,
  };
}

/** One after the other: the plain meaning of the rule. */
function runsOneByOne(rule: RunsRule, verdicts: readonly Verdict[]): number {
  let state = nothing;
  for (const [index, verdict] of verdicts.entries()) {
    if (findSettledReason(rule, state)) return index;
    state = ended({ ...state, running: 1 }, verdict);
  }
  return verdicts.length;
}

describe('a task with --runs auto', () => {
  it('is settled after six runs that agree, by the usual rule', () => {
    expect(findSettledReason(defaultRunsRule, tally(5, 5))).toBeUndefined();
    expect(findSettledReason(defaultRunsRule, tally(6, 6))).toBe('width');
    expect(findSettledReason(defaultRunsRule, tally(0, 6))).toBe('width');
    expect(findSettledReason(defaultRunsRule, tally(3, 6))).toBeUndefined();
    expect(findSettledReason(defaultRunsRule, tally(10, 20))).toBe('max');
    expect(countRunsAtLeast(defaultRunsRule, nothing)).toBe(6);
  });

  it('is never settled on fewer than three judged runs, unless there may be no more runs', () => {
    fc.assert(
      fc.property(rules, tallies, (rule, state) => {
        const why = findSettledReason(rule, state);
        if (why === 'width') expect(state.judged).toBeGreaterThanOrEqual(fewestRuns);
        if (why === 'max') expect(state.judged + state.unjudged).toBeGreaterThanOrEqual(rule.most);
      }),
    );
    expect(findSettledReason({ width: 1, most: 20 }, tally(2, 2))).toBeUndefined();
    expect(findSettledReason({ width: 1, most: 20 }, tally(3, 3))).toBe('width');
  });

  it('stops exactly when its interval is narrow enough, or when there may be no more runs', () => {
    fc.assert(
      fc.property(rules, tallies, (rule, state) => {
        const still = { ...state, running: 0 };
        const isNarrow = still.judged >= 3 && widthOf(still.passed, still.judged) <= rule.width;
        const isFull = still.judged + still.unjudged >= rule.most;
        expect(findSettledReason(rule, still) !== undefined).toBe(isNarrow || isFull);
        expect(needsAnother(rule, still)).toBe(!isNarrow && !isFull);
      }),
    );
  });

  it('begins another run only if that is needed however those under way end', () => {
    fc.assert(
      fc.property(rules, tallies, (rule, state) => {
        const begun = state.judged + state.unjudged + state.running;
        const canBeEnough = outcomesOf(state).some((outcome) => findSettledReason(rule, outcome));
        expect(needsAnother(rule, state)).toBe(begun < rule.most && !canBeEnough);
      }),
    );
  });

  it('has as many runs side by side as one after the other, whatever the order they end in', () => {
    const verdict = fc.constantFrom<Verdict>('passed', 'passed', 'failed', 'error');
    const runs = fc.array(verdict, { minLength: 40, maxLength: 40 });
    const slots = fc.integer({ min: 1, max: 10 });
    const picks = fc.array(fc.nat(), { minLength: 100, maxLength: 100 });
    fc.assert(
      fc.property(rules, runs, slots, picks, (rule, verdicts, atOnce, choices) => {
        let state = nothing;
        let begun = 0;
        const running: number[] = [];
        for (const choice of choices) {
          while (running.length < atOnce && needsAnother(rule, state)) {
            running.push(begun++);
            state = { ...state, running: state.running + 1 };
          }
          const [run] = running.splice(choice % Math.max(running.length, 1), 1);
          if (run === undefined) break;
          state = ended(state, verdicts[run] ?? 'error');
        }
        expect(running).toEqual([]);
        expect(begun).toBe(runsOneByOne(rule, verdicts));
        expect(begun).toBeLessThanOrEqual(rule.most);
        expect(begun).toBeGreaterThanOrEqual(fewestRuns);
        expect(findSettledReason(rule, state)).toBeDefined();
      }),
    );
  });

  it('has at least as many runs as it says before, and says it exactly when it is settled', () => {
    const verdict = fc.constantFrom<Verdict>('passed', 'failed', 'error');
    const runs = fc.array(verdict, { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(rules, runs, (rule, verdicts) => {
        const inTheEnd = runsOneByOne(rule, verdicts);
        let state = nothing;
        let before = 0;
        for (const each of verdicts.slice(0, inTheEnd)) {
          const least = countRunsAtLeast(rule, state);
          expect(countRunsAtLeast(rule, state, before)).toBe(least);
          expect(least).toBeGreaterThanOrEqual(before);
          expect(least).toBeLessThanOrEqual(inTheEnd);
          before = least;
          state = ended({ ...state, running: 1 }, each);
        }
        expect(countRunsAtLeast(rule, state)).toBe(inTheEnd);
      }),
    );
  });

  it('is as uncertain as its interval is wide, and less so with every run under way', () => {
    fc.assert(
      fc.property(tallies, (state) => {
        const still = { ...state, running: 0 };
        expect(measureUncertainty(still)).toBeCloseTo(widthOf(state.passed, state.judged), 12);
        const more = { ...state, running: state.running + 1 };
        expect(measureUncertainty(more)).toBeLessThan(measureUncertainty(state));
      }),
    );
    expect(measureUncertainty(nothing)).toBe(1);
    expect(measureUncertainty(tally(1, 2))).toBeGreaterThan(measureUncertainty(tally(2, 2)));
  });
});
