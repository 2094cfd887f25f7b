import type { Task } from '../config/files/task-file.js';
import { parseStepTimeout } from '../config/schemas/step-schemas.js';
import { type FileLine, lineOf } from '../plan/origin.js';
import { type JudgeSettings, judgeSettingsOf } from '../steps/judge-settings.js';
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
          ...judgeSettingsOf(each.data),
          step: index + 1,
          id: each.id,
          timeoutMs: parseStepTimeout(each),
          at: placeFrom(evalFolder, lineOf(source, each.path)),
        }
      : [],
  );
}
