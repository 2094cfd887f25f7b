import { stepTimeoutMs } from '../config/step-timeout.js';
import type { Task } from '../config/task-file.js';
import { locateKey, type SourceLine } from '../plan/origin.js';
import { type JudgeSettings, judgeSettingsOf } from '../steps/judge-settings.js';
import { placeFrom } from './eval-place.js';

/** A step of today's task that asks a judge. */
export interface JudgeStep extends JudgeSettings {
  /** Place in `verify`, from 1. */
  step: number;
  id: string | undefined;
  timeoutMs: number;
  at: SourceLine;
}

export function judgeStepsOf({ steps, source }: Task, evalFolder: string): JudgeStep[] {
  const verify = steps.filter(({ phase }) => phase === 'verify');
  return verify.flatMap((each, index) =>
    each.type === 'llmJudge'
      ? {
          ...judgeSettingsOf(each.data),
          step: index + 1,
          id: each.id,
          timeoutMs: stepTimeoutMs(each),
          at: placeFrom(evalFolder, locateKey(source, each.path)),
        }
      : [],
  );
}
