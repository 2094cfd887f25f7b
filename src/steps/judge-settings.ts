import { type JudgeMode, judgeModes } from '../journal/step-events.js';
import { UnresolvedPlaceholder } from './unresolved-placeholder.js';

/** What stands under `llmJudge`, and in `verify` of the older task format. */
type JudgeData = Partial<Record<JudgeMode, string>> & { votes?: number };

export interface JudgeSettings {
  mode: JudgeMode;
  /** As it is written: with its placeholders. */
  reference: string;
  votes: number;
}

/** Throws where there is nothing to judge by, which validation does not let through. */
export function judgeSettingsOf(data: unknown): JudgeSettings {
  const { votes = 1, ...references } = data as JudgeData;
  const mode = judgeModes.find((each) => references[each] !== undefined);
  const reference = mode && references[mode];
  if (mode === undefined || reference === undefined) {
    throw new Error('there is nothing to judge by');
  }
  return { mode, reference, votes };
}

/** With its placeholders replaced. Held against nothing, every answer would pass. */
export function resolvedReference(reference: string, resolve: (text: string) => string): string {
  const resolved = resolve(reference);
  if (resolved.trim() !== '') return resolved;
  throw new UnresolvedPlaceholder(reference.trim(), 'it leaves nothing to judge by');
}
