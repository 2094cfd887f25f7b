import type { Task } from '../../config/files/task-file.js';
import { parseStepTimeout } from '../../config/schemas/step-schemas.js';
import type { Judgement } from '../../journal/step-events.js';
import type { SourceLine } from '../../plan/origin.js';
import { locateKey } from '../../plan/origin.js';
import { type JudgeSettings, readJudgeSettings } from '../../steps/judge-step.js';
import type { AssertionResult } from '../schema/task-run-schema.js';
import { makePlaceFromEval, type RecordedStep } from './recorded-task-run.js';

interface JudgeVerdict {
  /** Null: the judge gave no verdict. */
  passed: boolean | null;
  reason: string;
}

/** A new judgement of a recorded answer. */
export interface Rejudgement extends Judgement {
  /** Place of the step in `verify`, from 1. */
  step: number;
  id?: string;
  at: AssertionResult['at'];
  /** How the judged text may differ from what the agent was asked and answered. */
  notes: string[];
  /** The recorded verdict. Undefined: the step is new, or the record does not have it. */
  before?: JudgeVerdict;
}

export type JudgementChangeKind = 'now-fails' | 'now-passes' | 'no-verdict' | 'new';

/** Says how a judgement differs from the recorded one; undefined if it does not. */
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
 * Finds the recorded step of each current judge step: by its id, or without an id by its place among the judge
 * steps, if the record has the same number of them.
 */
export function matchRecordedSteps(
  current: readonly JudgeStep[],
  recorded: readonly RecordedStep[],
): (RecordedStep | undefined)[] {
  const judged = recorded.filter(({ verdict }) => verdict !== undefined);
  const hasSameNumber = judged.length === current.length;
  return current.map(({ id }, index) => {
    if (id !== undefined) return judged.find((step) => step.id === id);
    const inPlace = hasSameNumber ? judged[index] : undefined;
    return inPlace?.id === undefined ? inPlace : undefined;
  });
}

/** A step of the current task that asks a judge. */
export interface JudgeStep extends JudgeSettings {
  /** Place of the step in `verify`, from 1. */
  step: number;
  id: string | undefined;
  timeoutMs: number;
  at: SourceLine;
}

/** Lists the steps of a task that ask a judge. */
export function listJudgeSteps({ steps, source }: Task, evalFolder: string): JudgeStep[] {
  const verify = steps.filter(({ phase }) => phase === 'verify');
  return verify.flatMap((step, index) =>
    step.type === 'llmJudge'
      ? {
          ...readJudgeSettings(step.data),
          step: index + 1,
          id: step.id,
          timeoutMs: parseStepTimeout(step),
          at: makePlaceFromEval(evalFolder, locateKey(source, step.path)),
        }
      : [],
  );
}
