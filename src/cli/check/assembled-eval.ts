import type { Agent } from '../../agents/agent.js';
import { makeRunMarkVariables } from '../../base/processes/process-identity.js';
import type { Problems } from '../../config/problems/problem.js';
import { Prices } from '../../prices/prices.js';
import { type Verification, verificationFor } from '../../run/preflight/verification.js';
import { pricedAgent } from '../../run/priced-agent.js';
import type { PreparedCheck } from './prepared-check.js';
import { unmeasuredBudgets } from './unmeasured-budgets.js';
import { type VariantToPrepare, variantsToPrepare } from './variant-setups.js';

/** Who takes part in the task runs of an eval. Nobody has been asked or started yet. */
export interface AssembledEval {
  variants: readonly VariantToPrepare[];
  verification: Verification;
  /** The agent that judges, if some step needs one. */
  judge?: Agent;
  /** Budgets that may never be reached. */
  unmeasured: Problems;
}

/** What is wrong with the judge's settings is a problem. */
export async function assembleEval(
  prepared: PreparedCheck,
  {
    id,
    environment,
    onProgress,
  }: { id: string; environment: NodeJS.ProcessEnv; onProgress(message: string): void },
  problems: Problems,
): Promise<AssembledEval> {
  const { suite, plan, redactor, options } = prepared;
  const prices = new Prices(suite.prices?.models);
  const variants = await variantsToPrepare(prepared, { control: options.control, prices });
  const verification = await verificationFor(
    suite,
    plan.tasks.map((task) => task.definition),
    {
      environment: { ...environment, ...makeRunMarkVariables(id) },
      redact: (text) => redactor.text(text),
      onProgress,
    },
    problems,
  );
  const judge = verification.judge && pricedAgent(verification.judge, prices);
  const unmeasured = unmeasuredBudgets(options.budget, { variants, judge }, prices, environment);
  return { variants, verification, ...(judge && { judge }), unmeasured };
}
