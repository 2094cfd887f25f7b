import type { Judgement } from '../journal/step-events.js';
import type { JudgeStep } from './judge-steps.js';
import type { RecordedStep } from './recorded-task-run.js';
import type { AssertionResult } from './task-run-schema.js';

interface JudgeVerdict {
  /** Null: there was none. */
  passed: boolean | null;
  reason: string;
}

/** What a judge says today of an answer that was recorded. */
export interface Rejudgement extends Judgement {
  /** Place in `verify`, from 1. */
  step: number;
  id?: string;
  at: AssertionResult['at'];
  /** How what was judged may differ from what the agent was asked and answered. */
  notes: string[];
  /** What was recorded. None: the step is new, or the record does not tell. */
  before?: JudgeVerdict;
}

export type JudgementChangeKind = 'now-fails' | 'now-passes' | 'no-verdict' | 'new';

/** Undefined: it is what it was. */
export function judgementChange({ passed, before }: Rejudgement): JudgementChangeKind | undefined {
  if (!before) return 'new';
  if (before.passed === passed) return undefined;
  if (passed === null) return 'no-verdict';
  return passed ? 'now-passes' : 'now-fails';
}

/**
 * The recorded steps that today's judge steps were. A step is known by its id; without ids by its
 * place among the judge's steps, if there are as many as there were.
 */
export function recordedSteps(
  today: readonly JudgeStep[],
  recorded: readonly RecordedStep[],
): (RecordedStep | undefined)[] {
  const judged = recorded.filter(({ verdict }) => verdict !== undefined);
  const isSameNumber = judged.length === today.length;
  return today.map(({ id }, index) => {
    if (id !== undefined) return judged.find((each) => each.id === id);
    const inPlace = isSameNumber ? judged[index] : undefined;
    return inPlace?.id === undefined ? inPlace : undefined;
  });
}
