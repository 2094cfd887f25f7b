import * as z from 'zod/mini';
import type { TokenUsage } from '../events/agent-step.js';
import type { TaskRunEnded } from '../events/event.js';
import { costSchema, usageSchema } from './usage-schema.js';

type Amounts = Pick<TaskRunEnded, 'usage' | 'cost' | 'judge'>;

const schema = { usage: usageSchema(), cost: costSchema() };

/**
 * What agents say of tokens and costs is their word. What cannot be, such as a negative cost, is as
 * good as not told: it must neither make up for what others cost nor spoil the results of a run.
 */
export function toldAmounts(ended: Amounts): Amounts {
  return { ...told(ended), ...(ended.judge && { judge: told(ended.judge) }) };
}

function told({ usage, cost }: Pick<Amounts, 'usage' | 'cost'>) {
  return {
    ...(isUsage(usage) && { usage }),
    ...(z.safeParse(schema.cost, cost).success && { cost: Number(cost) }),
  };
}

function isUsage(usage: TokenUsage | undefined): usage is TokenUsage {
  return z.safeParse(schema.usage, usage).success;
}
