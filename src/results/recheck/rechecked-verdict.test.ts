import { describe, expect, it } from 'vitest';
import { generatedTaskRun } from '../../../testing/report-samples.js';
import type { TaskRunRecord } from '../task-run-record.js';
import type { RecheckedTaskRun } from './recheck.js';
import { decideRecheckedVerdict } from './rechecked-verdict.js';

const base = generatedTaskRun({ task: 0, run: 1, runs: 1, calls: 2, passing: 100 });
const agent = { outcome: 'passed' as const, durationMs: 1, steps: [] };

type Failure = NonNullable<TaskRunRecord['failure']>;
const failure = (category: Failure['category']): Failure => ({
  category,
  message: 'm',
  evidence: 7,
});

function recorded(change: Partial<TaskRunRecord>): TaskRunRecord {
  const phases = { setup: null, agent, verify: null, cleanup: null };
  return { ...base, phases, verified: true, assertionsHeld: true, failure: null, ...change };
}

const at = { file: 'eval.yaml', line: 1 };
const assertion = (passed: boolean): RecheckedTaskRun['assertions'][number] => ({
  ...{ name: 'toolsUsed', passed, reason: 'why', details: [], at, calls: [] },
});

const current = (...held: boolean[]) => ({ assertions: held.map(assertion) });

const judgement = (passed: boolean | null) => ({
  ...{ step: 1, at, notes: [], mode: 'contains' as const, reference: 'r', passed, reason: 'so' },
  ...{ failureCategory: 'n/a' as const, votes: [] },
});

describe('recheckedVerdict', () => {
  it.each<[string, Partial<TaskRunRecord>, boolean[], string, string | null]>([
    [
      'assertions that now hold',
      { outcome: 'failed', failure: failure('assertion-failed') },
      [true],
      'passed',
      null,
    ],
    [
      'an assertion that now fails',
      { outcome: 'passed' },
      [true, false],
      'failed',
      'assertion-failed',
    ],
    [
      'failed verification',
      { outcome: 'failed', verified: false, failure: failure('verification-failed') },
      [true],
      'failed',
      'verification-failed',
    ],
    [
      'failed verification, of which a part is lost',
      { outcome: 'failed', verified: null, failure: failure('verification-failed') },
      [true],
      'failed',
      'verification-failed',
    ],
    [
      'a failure for a reason that is not known',
      { outcome: 'failed', failure: failure('unknown') },
      [true],
      'failed',
      'unknown',
    ],
    ['a failure without a reason', { outcome: 'failed' }, [true], 'failed', null],
    [
      'an error',
      { outcome: 'error', verified: null, failure: failure('step-error') },
      [true],
      'error',
      'step-error',
    ],
    [
      'a timeout',
      { outcome: 'timeout', verified: null, failure: failure('timeout') },
      [true],
      'timeout',
      'timeout',
    ],
    ['nothing left to check', { outcome: 'passed', verified: null }, [], 'error', 'internal-error'],
    [
      'assertions gone, and verification passed',
      { outcome: 'failed', failure: failure('assertion-failed') },
      [],
      'passed',
      null,
    ],
  ])('of %s', (_, change, held, outcome, category) => {
    const found = decideRecheckedVerdict(recorded(change), current(...held));
    expect([found.outcome, found.failure?.category ?? null]).toEqual([outcome, category]);
    expect(found.assertions).toHaveLength(held.length);
    expect(found.assertionsHeld).toBe(held.length === 0 ? null : !held.includes(false));
  });

  it('leaves one alone whose agent did not come to its end', () => {
    const phases = { setup: null, agent: null, verify: null, cleanup: null };
    const broken = recorded({ outcome: 'error', failure: failure('agent-failed'), phases });
    expect(decideRecheckedVerdict(broken, current(true))).toMatchObject({
      outcome: 'error',
      failure: failure('agent-failed'),
      assertions: broken.assertions,
    });
  });

  const verifyOf = (...steps: [kind: string, passed: boolean][]) => {
    const made = steps.map(([kind, passed], index) => ({
      ...{ seq: index + 1, step: index + 1, kind, at: null, passed, outputs: {}, durationMs: 1 },
      outcome: passed ? ('passed' as const) : ('failed' as const),
    }));
    const verify = { outcome: null, durationMs: 1, steps: made };
    return { setup: null, agent, verify, cleanup: null };
  };
  const refused: Partial<TaskRunRecord> = {
    outcome: 'failed',
    verified: false,
    failure: failure('verification-failed'),
  };

  it.each<[string, TaskRunRecord['phases'], boolean | null, string, boolean]>([
    ['the judge now says yes', verifyOf(['llmJudge', false]), true, 'passed', true],
    ['the judge still says no', verifyOf(['llmJudge', false]), false, 'failed', false],
    ['the judge says nothing', verifyOf(['llmJudge', false]), null, 'error', false],
    [
      'a script failed besides',
      verifyOf(['script', false], ['llmJudge', false]),
      true,
      'failed',
      false,
    ],
    ['nobody knows what failed', verifyOf(), true, 'failed', false],
    ['the step that failed is lost', verifyOf(['llmJudge', true]), true, 'failed', false],
  ])('where %s', (_, phases, passed, outcome, verified) => {
    const judged = { ...current(true), judgements: [judgement(passed)] };
    const found = decideRecheckedVerdict(recorded({ ...refused, phases }), judged);
    expect(found).toMatchObject({ outcome, verified });
  });
});
