import { addCost, addUsage, type TokenUsage } from '../../journal/usage.js';
import type { TaskRunRecord } from '../../results/task-run-record.js';
import { workingTime } from '../../results/working-time.js';
import { spreadOf } from './spread.js';
import type { Amounts } from './summary.js';

const countKeys = ['tool', 'resource', 'prompt', 'errors', 'suspected', 'tokens'] as const;

interface Spending {
  usage: TokenUsage | undefined;
  cost: number | undefined;
}

/** Adds up what task runs took. */
export class AmountsFold {
  readonly #durations: number[] = [];
  readonly #calls = { tool: 0, resource: 0, prompt: 0, errors: 0, suspected: 0, tokens: 0 };
  readonly #agent: Spending = { usage: undefined, cost: undefined };
  readonly #judge: Spending = { usage: undefined, cost: undefined };
  readonly #untold = { usage: 0, cost: 0 };

  add(taskRun: TaskRunRecord): void {
    const { callCounts, usage, cost, judge, phases } = taskRun;
    const durationMs = workingTime(taskRun);
    if (durationMs !== null) this.#durations.push(durationMs);
    for (const key of countKeys) this.#calls[key] += callCounts[key] ?? 0;
    spend(this.#agent, usage, cost);
    spend(this.#judge, judge?.usage, judge?.cost);
    const isUntold = (key: 'usage' | 'cost') =>
      (phases.agent !== null && (key === 'usage' ? usage : cost) === null) ||
      (judge !== null && judge[key] === null);
    if (isUntold('usage')) this.#untold.usage += 1;
    if (isUntold('cost')) this.#untold.cost += 1;
  }

  get amounts(): Amounts {
    return {
      durationMs: spreadOf(this.#durations),
      calls: { ...this.#calls },
      usage: this.#agent.usage ?? null,
      cost: this.#agent.cost ?? null,
      judge: { usage: this.#judge.usage ?? null, cost: this.#judge.cost ?? null },
      untold: { ...this.#untold },
    };
  }
}

function spend(
  sum: Spending,
  usage: TaskRunRecord['usage'] | undefined,
  cost: number | null | undefined,
): void {
  sum.usage = addUsage(sum.usage, usage ? tokenUsage(usage) : undefined);
  sum.cost = addCost(sum.cost, cost ?? undefined);
}

function tokenUsage(recorded: NonNullable<TaskRunRecord['usage']>): TokenUsage {
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
