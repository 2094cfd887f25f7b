import { plural } from '../../base/text.js';
import type { TokenUsage } from '../../journal/usage.js';
import type { GroupSummary, Summary } from '../summary/summary.js';
import { atMost } from './limit.js';
import type { ThresholdCheck } from './thresholds.js';

export function costCheck({ totals: { amounts } }: Summary, limit: number): ThresholdCheck {
  const { cost, judge, untold } = amounts;
  const known = sumOf([cost, judge.cost]);
  return spendingCheck(
    { option: '--max-cost', measure: 'cost', unit: 'dollars', limit },
    known,
    untold.cost,
  );
}

export function tokensCheck({ totals: { amounts } }: Summary, limit: number): ThresholdCheck {
  const { usage, judge, untold } = amounts;
  const known = sumOf([tokensOf(usage), tokensOf(judge.usage)]);
  return spendingCheck(
    { option: '--max-tokens', measure: 'tokens', unit: 'tokens', limit },
    known,
    untold.usage,
  );
}

export function errorsCheck(
  { taskRuns, outcomes }: Pick<GroupSummary, 'taskRuns' | 'outcomes'>,
  limit: number,
  option: string,
): ThresholdCheck {
  const found = outcomes.error + outcomes.cancelled;
  const measure = 'task runs not judged';
  return atMost({ option, measure, unit: 'task runs', limit }, found, `of ${taskRuns}`);
}

/** What is not known of some may be anything: then it is only known that a limit is passed. */
function spendingCheck(
  limit: Pick<ThresholdCheck, 'option' | 'measure' | 'unit' | 'limit'>,
  known: number | null,
  untold: number,
): ThresholdCheck {
  const { measure } = limit;
  if (known === null) return atMost(limit, null, `nobody told the ${measure}`);
  if (untold === 0) return atMost(limit, known, 'agents and judge');
  const note = `${plural(untold, 'task run')} did not tell the ${measure}`;
  return atMost(limit, known > limit.limit ? known : null, note);
}

function tokensOf(usage: TokenUsage | null): number | null {
  return usage && usage.inputTokens + usage.outputTokens;
}

function sumOf(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0);
}
