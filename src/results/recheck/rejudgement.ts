import { stepTimeoutMs } from '../../config/step-timeout.js';
import type { Task } from '../../config/task-file.js';
import type { Judgement } from '../../events/judgement.js';
import { type FileLine, lineOf } from '../../plan/origin.js';
import { type JudgeSettings, judgeSettingsOf } from '../../steps/judge-settings.js';
import type { AssertionResult } from '../schema/task-run-schema.js';
import { makePlaceFromEval, type RecordedStep } from './recorded-task-run.js';

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
export function classifyJudgementChange({
  passed,
  before,
}: Rejudgement): JudgementChangeKind | undefined {
  if (!before) return 'new';
  if (before.passed === passed) return undefined;
  if (passed === null) return 'no-verdict';
  return passed ? 'now-passes' : 'now-fails';
}

/**
 * The recorded steps that today's judge steps were. A step is known by its id; without ids by its
 * place among the judge's steps, if there are as many as there were.
 */
export function matchRecordedSteps(
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

/** A step of today's task that asks a judge. */
export interface JudgeStep extends JudgeSettings {
  /** Place in `verify`, from 1. */
  step: number;
  id: string | undefined;
  timeoutMs: number;
  at: FileLine;
}

export function listJudgeSteps({ steps, source }: Task, evalFolder: string): JudgeStep[] {
  const verify = steps.filter(({ phase }) => phase === 'verify');
  return verify.flatMap((each, index) =>
    each.type === 'llmJudge'
      ? {
          ...judgeSettingsOf(each.data),
          step: index + 1,
          id: each.id,
          timeoutMs: stepTimeoutMs(each),
          at: makePlaceFromEval(evalFolder, lineOf(source, each.path)),
        }
      : [],
  );
}
