import type { AgentRecord, ResultsHeader } from './results-header.js';

/** Who did the task runs of a variant. Null: this kind of results does not tell, or has no such one. */
export function agentOfVariant(
  { agent, variants }: Pick<ResultsHeader, 'agent' | 'variants'>,
  variant: string | null,
): AgentRecord {
  if (variant === null) return agent;
  return variants.find(({ name }) => name === variant)?.agent ?? null;
}
