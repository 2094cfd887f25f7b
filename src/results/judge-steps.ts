import { stepTimeoutMs } from '../config/step-timeout.js';
import type { Task } from '../config/task-file.js';
import { type FileLine, lineOf } from '../plan/origin.js';
import { type JudgeSettings, readJudgeSettings } from '../steps/judge-step.js';
import { placeFrom } from './eval-place.js';

/** A step of today's task that asks a judge. */
export interface JudgeStep extends JudgeSettings {
  /** Place in `verify`, from 1. */
  step: number;
  id: string | undefined;
  timeoutMs: number;
  at: FileLine;
}

export function judgeStepsOf({ steps, source }: Task, evalFolder: string): JudgeStep[] {
  const verify = steps.filter(({ phase }) => phase === 'verify');
  return verify.flatMap((each, index) =>
    each.type === 'llmJudge'
      ? {
          ...readJudgeSettings(each.data),
          step: index + 1,
          id: each.id,
          timeoutMs: stepTimeoutMs(each),
          at: placeFrom(evalFolder, lineOf(source, each.path)),
        }
      : [],
  );
}
