import type { AgentSlots } from './agent-slots.js';
import type { Rate } from './allowance.js';
import type { RateLimiter } from './rate-limiter.js';

/** Limits that hold over a whole check, as plain data. */
export interface LimitSettings {
  /** None: as many as there are task runs at once. */
  concurrentAgents?: number;
  /** Those of the command line, then those of the eval: the first list that says something counts. */
  rates: readonly (readonly Rate[])[];
}

/** What keeps them. All task runs of a check share one. */
export interface Limits {
  agents: AgentSlots;
  rates: RateLimiter;
  close(): Promise<void>;
}
