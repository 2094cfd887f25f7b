import { parseDuration } from '../base/duration.js';
import type { CheckOptions } from '../run/session/check-options.js';
import type { CommandRun } from './command.js';
import { UsageError } from './exit-codes.js';
import { dollarsOf, tokensOf } from './option-amounts.js';

/** What a whole check may spend. Throws UsageError. */
export function budgetOf({ options }: CommandRun): CheckOptions['budget'] {
  const { maxCost, maxTokens, maxDuration } = options;
  return {
    ...(typeof maxCost === 'string' && { cost: positive('--max-cost', dollarsOf, maxCost) }),
    ...(typeof maxTokens === 'string' && { tokens: positive('--max-tokens', tokensOf, maxTokens) }),
    ...(typeof maxDuration === 'string' && { duration: millisecondsOf(maxDuration) }),
  };
}

/** With a budget of nothing, nothing would run. */
function positive(
  option: string,
  amountOf: (option: string, text: string) => number,
  text: string,
): number {
  const amount = amountOf(option, text);
  if (amount > 0) return amount;
  throw new UsageError(`${option}: a budget is more than zero, found ${JSON.stringify(text)}`);
}

function millisecondsOf(text: string): number {
  const result = parseDuration(text);
  if (result.ok && result.nanoseconds > 0n) return result.milliseconds;
  const reason = result.ok ? 'a budget is more than zero' : result.reason;
  const message = `--max-duration: invalid duration ${JSON.stringify(text)}: ${reason}`;
  throw new UsageError(message, 'write it like 30s, 5m or 1h30m');
}
