import type { Agent, AgentReadiness } from '../../agents/agent.js';
import type { AgentIdentity } from '../../journal/run-events.js';

/** With the version that its program told. */
export function identityOf({ identity }: Agent, { version }: AgentReadiness): AgentIdentity {
  return { ...identity, ...(version !== undefined && { version }) };
}
