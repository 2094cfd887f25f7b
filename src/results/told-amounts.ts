import * as z from 'zod/mini';
import type { TaskRunEnded } from '../journal/task-run-events.js';
import type { TokenUsage } from '../journal/usage.js';
import { costSchema, costSourceSchema, usageSchema } from './usage-schema.js';

type Amounts = Pick<TaskRunEnded, 'usage' | 'cost' | 'costSource' | 'judge'>;

const schema = { usage: usageSchema(), cost: costSchema(), costSource: costSourceSchema() };

/**
 * What agents say of tokens and costs is their word. What cannot be, such as a negative cost, is as
 * good as not told: it must neither make up for what others cost nor spoil the results of a run.
 */
export function toldAmounts(ended: Amounts): Amounts {
  return { ...told(ended), ...(ended.judge && { judge: told(ended.judge) }) };
}

function told({ usage, cost, costSource }: Omit<Amounts, 'judge'>): Omit<Amounts, 'judge'> {
  const isCost = z.safeParse(schema.cost, cost).success;
  const isSource = costSource !== undefined && z.safeParse(schema.costSource, costSource).success;
  return {
    ...(isUsage(usage) && { usage }),
    ...(isCost && { cost: Number(cost), ...(isSource && { costSource }) }),
  };
}

function isUsage(usage: TokenUsage | undefined): usage is TokenUsage {
  return z.safeParse(schema.usage, usage).success;
}
