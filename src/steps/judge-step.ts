import type { StepValue } from '../config/schemas/step-schemas.js';
import { type JudgeMode, type Judgement, judgeModes } from '../journal/step-events.js';
import { UnresolvedPlaceholderError } from './placeholder-values.js';
import type { StepContext, StepResult } from './step.js';

/** Asks the judge whether the agent's answer is what was asked for. */
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

export interface JudgeSettings {
  mode: JudgeMode;
  /** The reference as it is written, with placeholders. */
  reference: string;
  votes: number;
}

/** Reads the settings. Throws if there is no reference, which validation has refused. */
export function readJudgeSettings(data: unknown): JudgeSettings {
  const { votes = 1, ...references } = data as StepValue<'llmJudge'>;
  const mode = judgeModes.find((candidate) => references[candidate] !== undefined);
  const reference = mode && references[mode];
  if (mode === undefined || reference === undefined) {
    throw new Error('there is nothing to judge by');
  }
  return { mode, reference, votes };
}

/** Replaces placeholders. An empty reference throws, as every answer would pass. */
export function resolveReference(reference: string, resolve: (text: string) => string): string {
  const resolved = resolve(reference);
  if (resolved.trim() !== '') return resolved;
  throw new UnresolvedPlaceholderError(reference.trim(), 'it leaves nothing to judge by');
}
