import { addIfKnown, addUsage, type TokenUsage } from '../../journal/usage.js';
import { computeWorkingTime, type TaskRunRecord } from '../../results/task-run-record.js';
import { type Amounts, computeSpread } from './summary.js';

const countKeys = ['tool', 'resource', 'prompt', 'errors', 'suspected', 'tokens'] as const;

interface Spending {
  usage: TokenUsage | undefined;
  cost: number | undefined;
}

/** Adds up durations, calls, tokens and costs of task runs. */
export class AmountsFold {
  readonly #durations: number[] = [];
  readonly #calls = { tool: 0, resource: 0, prompt: 0, errors: 0, suspected: 0, tokens: 0 };
  readonly #agent: Spending = { usage: undefined, cost: undefined };
  readonly #judge: Spending = { usage: undefined, cost: undefined };
  readonly #unknown = { usage: 0, cost: 0 };

  add(taskRun: TaskRunRecord): void {
    const { callCounts, usage, cost, judge, phases } = taskRun;
    const durationMs = computeWorkingTime(taskRun);
    if (durationMs !== null) this.#durations.push(durationMs);
    for (const key of countKeys) this.#calls[key] += callCounts[key] ?? 0;
    addSpending(this.#agent, usage, cost);
    addSpending(this.#judge, judge?.usage, judge?.cost);
    const isUnknown = (key: 'usage' | 'cost') =>
      (phases.agent !== null && (key === 'usage' ? usage : cost) === null) ||
      (judge !== null && judge[key] === null);
    if (isUnknown('usage')) this.#unknown.usage += 1;
    if (isUnknown('cost')) this.#unknown.cost += 1;
  }

  get amounts(): Amounts {
    return {
      durationMs: computeSpread(this.#durations),
      calls: { ...this.#calls },
      usage: this.#agent.usage ?? null,
      cost: this.#agent.cost ?? null,
      judge: { usage: this.#judge.usage ?? null, cost: this.#judge.cost ?? null },
      untold: { ...this.#unknown },
    };
  }
}

function addSpending(
  sum: Spending,
  usage: TaskRunRecord['usage'] | undefined,
  cost: number | null | undefined,
): void {
  sum.usage = addUsage(sum.usage, usage ? pickTokenUsage(usage) : undefined);
  sum.cost = addIfKnown(sum.cost, cost ?? undefined);
}

function pickTokenUsage(recorded: NonNullable<TaskRunRecord['usage']>): TokenUsage {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens, reasoningTokens } =
    recorded;
  return {
    inputTokens,
    outputTokens,
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}
