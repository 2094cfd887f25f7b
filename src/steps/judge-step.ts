import type { Judgement } from '../journal/step-events.js';
import { judgeSettingsOf, resolvedReference } from './judge-settings.js';
import type { StepContext, StepResult } from './step.js';

/** Lets the judge say whether the agent's answer is what was asked for. */
export async function runJudge(data: unknown, context: StepContext): Promise<StepResult> {
  const { mode, reference, votes } = judgeSettingsOf(data);
  const { prompt = '', output = '' } = context.agent;
  const resolved = resolvedReference(reference, (text) => context.resolve(text));
  const judgement = await context.services.judge(
    { mode, reference: resolved, prompt, answer: output, votes },
    context.signal,
  );
  return { ...judged(judgement, context.signal), outputs: {}, account: { judgement } };
}

function judged(
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
