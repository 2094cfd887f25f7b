import { describe, expect, it } from 'vitest';
import type { RecordedStep } from './recorded-task-run.js';
import {
  classifyJudgementChange,
  type JudgeStep,
  matchRecordedSteps,
  type Rejudgement,
} from './rejudgement.js';

const current = (id?: string): JudgeStep => ({
  step: 1,
  id,
  mode: 'contains',
  reference: 'web',
  votes: 1,
  timeoutMs: 1000,
  at: { file: 'tasks/a.yaml', line: 7 },
});

const then = (step: number, id?: string): RecordedStep => ({
  phase: 'verify',
  step,
  type: 'llmJudge',
  id,
  outputs: {},
  truncated: [],
  verdict: { passed: true, reason: `said at ${step}` },
});

const script: RecordedStep = { ...then(9), type: 'script', verdict: undefined };

describe('recordedSteps', () => {
  it('knows a step by its id, wherever it has moved', () => {
    const [a, b] = [then(1, 'a'), then(2, 'b')];
    expect(matchRecordedSteps([current('b'), current('a')], [a, script, b])).toEqual([b, a]);
  });

  it('knows steps without an id by their place among those of the judge', () => {
    const [first, second] = [then(2), then(4)];
    expect(matchRecordedSteps([current(), current()], [script, first, script, second])).toEqual([
      first,
      second,
    ]);
  });

  it('takes no place for another where there are more or fewer than there were', () => {
    expect(matchRecordedSteps([current(), current()], [then(1)])).toEqual([undefined, undefined]);
    expect(matchRecordedSteps([current()], [then(1), then(2)])).toEqual([undefined]);
  });

  it('does not mix those with an id and those without', () => {
    expect(matchRecordedSteps([current('a')], [then(1)])).toEqual([undefined]);
    expect(matchRecordedSteps([current()], [then(1, 'a')])).toEqual([undefined]);
  });
});

describe('judgementChange', () => {
  const judgement = (passed: boolean | null, before?: boolean | null): Rejudgement => ({
    step: 1,
    at: { file: 'tasks/a.yaml', line: 7 },
    mode: 'contains',
    reference: 'web',
    passed,
    reason: 'so it is',
    failureCategory: 'n/a',
    votes: [],
    notes: [],
    ...(before !== undefined && { before: { passed: before, reason: 'so it was' } }),
  });

  it.each([
    [true, true, undefined],
    [false, false, undefined],
    [null, null, undefined],
    [true, false, 'now-passes'],
    [true, null, 'now-passes'],
    [false, true, 'now-fails'],
    [false, null, 'now-fails'],
    [null, true, 'no-verdict'],
    [null, false, 'no-verdict'],
    [true, undefined, 'new'],
    [null, undefined, 'new'],
  ])('of %s after %s is %s', (passed, before, change) => {
    expect(classifyJudgementChange(judgement(passed, before))).toBe(change);
  });
});
