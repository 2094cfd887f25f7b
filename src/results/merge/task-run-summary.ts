import type { TokenUsage } from '../../journal/usage.js';
import type { TaskRunRecord } from '../task-run-record.js';
import type { TaskRunSummary } from '../totals.js';

/** What the totals need of a recorded task run. */
export function summaryOfRecord(record: TaskRunRecord): TaskRunSummary {
  const { task, variant, difficulty, labels, outcome, callCounts } = record;
  const { cost, costSource, judge } = record;
  return {
    task,
    variant,
    difficulty: difficulty ?? undefined,
    labels,
    outcome,
    calls: callCounts,
    usage: usageOf(record.usage),
    cost: cost ?? undefined,
    costSource,
    judge: judge ? judgeOf(judge) : undefined,
  };
}

function judgeOf({ usage, cost, costSource }: NonNullable<TaskRunRecord['judge']>) {
  const tokens = usageOf(usage);
  return {
    ...(tokens && { usage: tokens }),
    ...(cost !== null && { cost }),
    ...(costSource !== undefined && { costSource }),
  };
}

function usageOf(usage: TaskRunRecord['usage']): TokenUsage | undefined {
  if (!usage) return undefined;
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}
