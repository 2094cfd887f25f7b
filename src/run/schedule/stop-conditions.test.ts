import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { JournalEvent } from '../../journal/event.js';
import type { Outcome, TaskRunEnded } from '../../journal/task-run-events.js';
import { Bail, Budget } from './stop-conditions.js';

const ended = (told: Partial<TaskRunEnded>) =>
  ({ type: 'task-run-ended', ...told }) as unknown as JournalEvent;
const tokens = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

describe('a budget', () => {
  it('of money is what agent and judge cost', () => {
    const budget = new Budget({ cost: 1 });
    budget.see(ended({ cost: 0.5, judge: { cost: 0.25 } }));
    expect(budget.isSpent()).toBe(false);
    budget.see(ended({ judge: { cost: 0.25 } }));
    expect(budget.isSpent()).toBe(true);
    expect(budget.reached).toEqual({ kind: 'cost', limit: 1, spent: 1 });
  });

  it('of tokens is input and output of both', () => {
    const budget = new Budget({ tokens: 100 });
    const usage = { ...tokens(40, 9), cachedInputTokens: 30, reasoningTokens: 5 };
    budget.see(ended({ usage, judge: { usage: tokens(40, 10) } }));
    expect(budget.isSpent()).toBe(false);
    budget.see(ended({ usage: tokens(1, 0) }));
    expect(budget.isSpent()).toBe(true);
  });

  it('of time goes by while it is started, and what went by before counts', () => {
    let now = 1000;
    const before = { cost: 0, tokens: 0, durationMs: 40 };
    const budget = new Budget({ duration: 100 }, before, () => now);
    now = 5000;
    expect(budget.isSpent()).toBe(false);
    budget.start();
    now += 59;
    expect(budget.isSpent()).toBe(false);
    now += 1;
    expect(budget.isSpent()).toBe(true);
    now += 30;
    expect(budget.reached).toEqual({ kind: 'duration', limit: 100, spent: 130 });
  });

  it('counts what was spent before', () => {
    const budget = new Budget({ cost: 1, tokens: 50 }, { cost: 0.1, tokens: 50, durationMs: 0 });
    expect(budget.isSpent()).toBe(true);
    expect(budget.reached).toMatchObject({ kind: 'tokens' });
  });

  it('was reached by nobody who did not ask for more', () => {
    const budget = new Budget({ cost: 1 });
    budget.see(ended({ cost: 2 }));
    expect(budget.reached).toBeUndefined();
  });

  it('is not given back, whatever agents report', () => {
    const amount = fc.oneof(fc.double(), fc.constant(undefined));
    fc.assert(
      fc.property(fc.array(fc.tuple(amount, amount)), (costs) => {
        const budget = new Budget({ cost: 1, tokens: 1 });
        let last = budget.state;
        for (const [cost, count] of costs) {
          const usage = count === undefined ? {} : { usage: tokens(count, count) };
          budget.see(ended({ ...(cost !== undefined && { cost }), ...usage }));
          const next = budget.state;
          for (const [index, { spent }] of next.entries()) {
            expect(spent).toBeGreaterThanOrEqual(last[index]?.spent ?? 0);
          }
          last = next;
        }
      }),
    );
  });

  it('that nobody set is never spent', () => {
    const budget = new Budget({});
    budget.see(ended({ cost: 1e9, usage: tokens(1e12, 1e12) }));
    expect(budget.isSpent()).toBe(false);
    expect(budget.state).toEqual([]);
  });
});

const endedWith = (outcome: Outcome) => ({ type: 'task-run-ended', outcome }) as JournalEvent;

test('--bail is due after so many task runs that did not pass', () => {
  const bail = new Bail(3);

  for (const outcome of ['failed', 'passed', 'timeout'] as const) bail.see(endedWith(outcome));
  expect(bail).toMatchObject({ remaining: 1, isDue: false });
  bail.see(endedWith('error'));
  expect(bail).toMatchObject({ remaining: 0, isDue: true });
});

test('--bail does not count cancelled task runs, which are done again', () => {
  const bail = new Bail(1);

  bail.see(endedWith('cancelled'));

  expect(bail.isDue).toBe(false);
});

test('--bail without a number is never due', () => {
  const bail = new Bail();

  bail.see(endedWith('failed'));

  expect(bail.isDue).toBe(false);
});
