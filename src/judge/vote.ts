import { truncate } from '../base/text.js';
import type { Vote } from '../journal/step-events.js';
import { type Attempt, attempt, type JudgeMeans } from './attempt.js';
import type { Spending } from './spending.js';

/** In characters. */
const maxReason = 8 * 1024;

interface VoteOptions {
  means: JudgeMeans;
  /** At most. */
  attempts: number;
  prompt: string;
  signal: AbortSignal;
  spending: Spending;
}

/** Asks until there is a verdict, or no hope for one. */
export async function askForVote(options: VoteOptions): Promise<Vote> {
  const { means, attempts, prompt, signal, spending } = options;
  let made = 0;
  let error = 'it was stopped before it was asked';
  while (made < attempts && !signal.aborted) {
    const { outcome, isHopeless, result }: Attempt = await attempt(means, prompt, signal);
    made += 1;
    if (result) spending.add(result);
    if ('verdict' in outcome) {
      const { passed, reason, failureCategory } = outcome.verdict;
      return { passed, reason: truncate(reason, maxReason), failureCategory, attempts: made };
    }
    error = truncate(outcome.error, maxReason);
    if (isHopeless) break;
  }
  return { passed: null, error, attempts: made };
}
