import { describe, expect, it } from 'vitest';
import type {
  DiffSide,
  DiffVerdict,
  Headline,
  MeanAmounts,
  ResultsDiff,
  TaskDiff,
  TotalDiff,
} from '../../analysis/diff/results-diff.js';
import { compareAmounts, formatHeadline, formatPoints } from './comparison-text.js';

const side: DiffSide = {
  passed: 5,
  judged: 10,
  rate: 0.5,
  low: 0.2,
  high: 0.8,
  taskRuns: 10,
  errors: 0,
  cancelled: 0,
  amounts: {
    durationMs: null,
    calls: null,
    callErrors: null,
    inputTokens: null,
    outputTokens: null,
    cost: null,
  },
};

function task(name: string, verdict: DiffVerdict): TaskDiff {
  return {
    task: name,
    variant: null,
    renamedFrom: null,
    base: side,
    current: side,
    difference: 0,
    pValue: null,
    adjusted: null,
    verdict,
    judging: [],
    failures: { base: [], current: [] },
    notes: [],
    moreRuns: null,
  };
}

function diff(
  total: Partial<TotalDiff>,
  verdicts: DiffVerdict[] = ['no change'],
  headline: Headline = { tone: 'same', text: 'no difference' },
): ResultsDiff {
  return {
    headline,
    base: [],
    current: [],
    total: {
      base: side,
      current: side,
      tasks: 3,
      difference: -0.125,
      low: -0.2,
      high: 0.05,
      pValue: 0.2,
      method: 'exact sign-flip',
      verdict: 'no change',
      moreTasks: null,
      ...total,
    },
    tasks: verdicts.map((verdict, place) => task(`task-${place}`, verdict)),
    added: [],
    removed: [],
    tools: [],
    caveats: [],
  };
}

const answer = (...changes: Parameters<typeof diff>) => {
  const { tone, title } = formatHeadline(diff(...changes));
  return `${tone}: ${title}`;
};

describe('formatHeadline', () => {
  it('the headline is the answer of the diff', () => {
    const worse: Headline = { tone: 'worse', text: 'worse in 1 task' };
    expect(answer({}, ['regression'], worse)).toBe('worse: Worse in 1 task');
    const better: Headline = { tone: 'better', text: 'better in 1 task' };
    expect(answer({}, ['improvement'], better)).toBe('better: Better in 1 task');
    const open: Headline = { tone: 'open', text: '1 task is judged differently' };
    expect(answer({}, ['judged differently'], open)).toBe('unknown: 1 task is judged differently');
  });

  it('the headline stays worse if the total is, whatever single tasks show', () => {
    const mixed: Headline = { tone: 'mixed', text: 'worse overall, better in 1 task' };
    expect(answer({ verdict: 'regression' }, ['improvement'], mixed)).toBe(
      'worse: Worse overall, better in 1 task',
    );
    expect(answer({ verdict: 'improvement' }, ['regression'], mixed)).toMatch(/^mixed: /);
  });

  it('the headline distinguishes no difference from not enough data', () => {
    expect(answer({})).toBe('same: No difference');
    expect(answer({ verdict: 'not enough data' }, ['not enough data'])).toBe(
      'unknown: Not enough data to tell',
    );
  });

  it('the headline says how much changed, with the interval', () => {
    expect(formatHeadline(diff({})).because).toBe(
      'Over 3 tasks the pass rate fell by 12.5 points; the 95% interval goes from −20 to +5. ' +
        'No task changed by more than chance would explain.',
    );
  });

  it('the headline says what the total shows where only single tasks changed', () => {
    expect(formatHeadline(diff({}, ['improvement'])).because).toMatch(
      / to \+5\. Overall, there is no detectable difference\.$/,
    );
    expect(formatHeadline(diff({ verdict: 'regression' }, ['regression'])).because).toMatch(
      / to \+5\.$/,
    );
  });

  it('the headline says so when there is nothing to compare', () => {
    const nothing = { difference: null, low: null, high: null, tasks: 0 } as const;
    const { because } = formatHeadline(diff({ ...nothing, verdict: 'not enough data' }, []));
    expect(because).toBe('No task was judged on both sides. They have no tasks in common.');
  });
});

describe('formatPoints', () => {
  it('percentage points have a sign, except for zero', () => {
    expect([0.1234, -0.1, 0, -0.00001].map(formatPoints)).toEqual(['+12.3', '−10', '0', '0']);
  });
});

function amounts(changes: Partial<MeanAmounts>): MeanAmounts {
  return {
    durationMs: null,
    calls: null,
    callErrors: null,
    inputTokens: null,
    outputTokens: null,
    cost: null,
    ...changes,
  };
}

function changes(base: Partial<MeanAmounts>, current: Partial<MeanAmounts>): string[] {
  return compareAmounts(amounts(base), amounts(current)).map(
    ({ name, base, current, change }) => `${name}: ${base} > ${current} ${change}`,
  );
}

it('compares amounts with the relative change', () => {
  expect(changes({ durationMs: 2000, cost: 0.5 }, { durationMs: 3000, cost: 0.25 })).toEqual([
    'Duration: 2.00 s > 3.00 s +50.0%',
    'Cost: $0.5000 > $0.2500 −50.0%',
  ]);
  expect(changes({ cost: 1 }, { cost: 3.5 })).toEqual(['Cost: $1.00 > $3.50 +250.0%']);
  expect(changes({ calls: 2 }, { calls: 2 })).toEqual(['Calls: 2.0 > 2.0 the same']);
  expect(changes({ calls: 0 }, { calls: 0 })).toEqual(['Calls: 0.0 > 0.0 the same']);
});

it('an amount has no relative change where one side is unknown or zero', () => {
  expect(changes({ calls: 0 }, { calls: 3, inputTokens: 10 })).toEqual([
    'Calls: 0.0 > 3.0 ',
    'Tokens in: – > 10 ',
  ]);
});
