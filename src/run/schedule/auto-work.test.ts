import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunsDecided } from '../../journal/run-events.js';
import type { Outcome } from '../../journal/task-run-events.js';
import { defaultRunsRule, fewestRuns, type RunsRule } from '../../plan/enough-runs.js';
import type { PlannedTask, TaskRun } from '../../plan/plan.js';
import { AutoWork } from './auto-work.js';

function first(name: string, parallel = true): TaskRun {
  const task = { name, parallel, runs: { count: fewestRuns, upTo: 20 } } as PlannedTask;
  return { task, run: 1, parallel };
}

const nameOf = ({ task, run }: TaskRun) => `${task.name} ${run}`;

/** Begins as many as it can. */
function begin(work: AutoWork, slots: number, isParallel = true): TaskRun[] {
  const begun: TaskRun[] = [];
  while (begun.length < slots) {
    const next = work.peek(isParallel);
    if (!next) break;
    work.begin(next);
    begun.push(next);
  }
  return begun;
}

/** What becomes of a task, one run after the other. */
function runOut(work: AutoWork, outcomeOf: (run: number) => Outcome, isParallel = true) {
  const decisions: RunsDecided[] = [];
  let runs = 0;
  for (let next = work.peek(isParallel); next; next = work.peek(isParallel)) {
    work.begin(next);
    runs += 1;
    const decision = work.ended(next, outcomeOf(next.run));
    if (decision) decisions.push(decision);
  }
  return { runs, decisions };
}

describe('work with --runs auto', () => {
  it('spreads over the tasks, those first of which least is known', () => {
    const work = new AutoWork([first('a'), first('b'), first('c')], defaultRunsRule);
    const begun = begin(work, 5);
    expect(begun.map(nameOf)).toEqual(['a 1', 'b 1', 'c 1', 'a 2', 'b 2']);
    for (const each of begun) work.ended(each, each.task.name === 'a' ? 'failed' : 'passed');
    // One of c is known, two of the others.
    expect(begin(work, 1).map(nameOf)).toEqual(['c 2']);
  });

  it('begins no more runs of a task than it needs whatever they say', () => {
    const work = new AutoWork([first('a')], defaultRunsRule);
    const begun = begin(work, 100);
    expect(begun).toHaveLength(6);
    for (const each of begun.slice(0, 5)) expect(work.ended(each, 'passed')).toBeUndefined();
    expect(work.peek(true)).toBeUndefined();
    expect(work.ended(begun[5] ?? first(''), 'passed')).toMatchObject({
      type: 'runs-decided',
      task: 'a',
      runs: 6,
      more: 0,
      passed: 6,
      judged: 6,
      settled: 'width',
      interval: { low: expect.closeTo(0.61, 2), high: 1 },
    });
    expect(work.peek(true)).toBeUndefined();
    expect(work.remaining).toBe(0);
  });

  it('tells when more are needed than it knew, and counts on', () => {
    const work = new AutoWork([first('a')], defaultRunsRule);
    expect(work.remaining).toBe(6);
    const { runs, decisions } = runOut(work, (run) => (run === 2 ? 'failed' : 'passed'));
    expect(decisions[0]).toMatchObject({ runs: 10, more: 4 });
    expect(decisions[0]).not.toHaveProperty('settled');
    expect(decisions.at(-1)).toMatchObject({ runs, settled: 'width', passed: runs - 1 });
    expect(6 + decisions.reduce((sum, { more }) => sum + more, 0)).toBe(runs);
  });

  it('takes a sequential task to its end before it begins the next', () => {
    const work = new AutoWork([first('a', false), first('b', false)], { width: 0.9, most: 20 });
    const order: string[] = [];
    for (let next = work.peek(false); next; next = work.peek(false)) {
      work.begin(next);
      order.push(nameOf(next));
      work.ended(next, 'passed');
    }
    expect(order).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'b 3']);
    expect(work.peek(true)).toBeUndefined();
  });

  it('gives up at the most runs, which also count what could not be judged', () => {
    const work = new AutoWork([first('a')], { width: 0.1, most: 5 });
    const { runs, decisions } = runOut(work, () => 'error');
    expect(runs).toBe(5);
    expect(decisions).toMatchObject([
      { runs: 5, settled: 'max', judged: 0, passed: 0, interval: null },
    ]);
  });

  it('does a run again that was cancelled, under its number', () => {
    const work = new AutoWork([first('a')], defaultRunsRule);
    const [one, two] = begin(work, 2);
    work.ended(one ?? first(''), 'cancelled');
    work.ended(two ?? first(''), 'passed');
    expect(begin(work, 2).map(nameOf)).toEqual(['a 1', 'a 3']);
  });

  it('decides the same when it is resumed, wherever that is', () => {
    const rules: fc.Arbitrary<RunsRule> = fc.record({
      width: fc.double({ min: 0.2, max: 0.9, noNaN: true }),
      most: fc.integer({ min: 3, max: 20 }),
    });
    const outcome = fc.constantFrom<Outcome>('passed', 'passed', 'failed', 'timeout', 'error');
    const outcomes = fc.array(outcome, { minLength: 20, maxLength: 20 });
    const picks = fc.array(fc.nat(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(rules, outcomes, picks, fc.nat(30), (rule, verdicts, choices, killedAfter) => {
        const verdictOf = (run: number) => verdicts[run - 1] ?? 'error';
        const alone = runOut(new AutoWork([first('a')], rule), verdictOf);

        const killed = new AutoWork([first('a')], rule);
        const finished = new Map<number, Outcome>();
        const running: TaskRun[] = [];
        for (const choice of choices.slice(0, killedAfter)) {
          running.push(...begin(killed, 4 - running.length));
          const [ended] = running.splice(choice % Math.max(running.length, 1), 1);
          if (!ended) break;
          finished.set(ended.run, verdictOf(ended.run));
          killed.ended(ended, verdictOf(ended.run));
        }
        const resumed = new AutoWork([first('a')], rule, ({ run }) => finished.get(run));
        const before = resumed.decided;
        expect(before).toHaveLength(finished.size > 0 ? 1 : 0);
        const { runs, decisions } = runOut(resumed, verdictOf);
        expect(finished.size + runs).toBe(alone.runs);
        const last = [...before, ...decisions].at(-1);
        expect(last).toEqual({ ...alone.decisions.at(-1), more: last?.more });
      }),
    );
  });

  it('knows what there will be in any case', () => {
    const work = new AutoWork([first('a'), first('b')], { width: 0.9, most: 20 });
    expect(work.sure.map(nameOf)).toEqual(['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'b 3']);
    expect(work.peek(true)?.task.runs.count).toBe(3);
  });

  it('goes on where there were more runs than it would have made', () => {
    const work = new AutoWork([first('a')], { width: 0.05, most: 5 }, ({ run }) =>
      run <= 9 ? 'passed' : undefined,
    );
    expect(work.remaining).toBe(0);
    expect(work.decided).toMatchObject([{ runs: 9, settled: 'max' }]);
  });
});
