import { type JudgeMode, type Judgement, judgeModes } from '../events/judgement.js';
import { UnresolvedPlaceholderError } from './placeholder-values.js';
import type { StepContext, StepResult } from './step.js';

/** Lets the judge say whether the agent's answer is what was asked for. */
export async function runJudgeStep(data: unknown, context: StepContext): Promise<StepResult> {
  const { mode, reference, votes } = readJudgeSettings(data);
  const { prompt = '', output = '' } = context.agent;
  const resolved = resolveReference(reference, (text) => context.resolve(text));
  const judgement = await context.services.judge(
    { mode, reference: resolved, prompt, answer: output, votes },
    context.signal,
  );
  return { ...readOutcome(judgement, context.signal), outputs: {}, account: { judgement } };
}

function readOutcome(
  { passed, reason, failureCategory }: Judgement,
  signal: AbortSignal,
): Pick<StepResult, 'outcome' | 'message' | 'isUnjudged'> {
  if (passed === true) return { outcome: 'passed' };
  if (passed === false) {
    const category = failureCategory === 'n/a' ? '' : ` (${failureCategory})`;
    return { outcome: 'failed', message: `the judge says${category}: ${reason}` };
  }
  if (signal.aborted) return { outcome: 'stopped', isUnjudged: true };
  return { outcome: 'error', message: `the judge gave no verdict: ${reason}` };
}

/** What stands under `llmJudge`, and in `verify` of the older task format. */
type JudgeData = Partial<Record<JudgeMode, string>> & { votes?: number };

export interface JudgeSettings {
  mode: JudgeMode;
  /** As it is written: with its placeholders. */
  reference: string;
  votes: number;
}

/** Throws where there is nothing to judge by, which validation does not let through. */
export function readJudgeSettings(data: unknown): JudgeSettings {
  const { votes = 1, ...references } = data as JudgeData;
  const mode = judgeModes.find((each) => references[each] !== undefined);
  const reference = mode && references[mode];
  if (mode === undefined || reference === undefined) {
    throw new Error('there is nothing to judge by');
  }
  return { mode, reference, votes };
}

/** With its placeholders replaced. Held against nothing, every answer would pass. */
export function resolveReference(reference: string, resolve: (text: string) => string): string {
  const resolved = resolve(reference);
  if (resolved.trim() !== '') return resolved;
  throw new UnresolvedPlaceholderError(reference.trim(), 'it leaves nothing to judge by');
}
