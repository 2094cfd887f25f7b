import { findBuiltin } from '../config/schemas/agent-schema.js';
import type { AgentReference } from '../config/schemas/eval-schema.js';

/** A built-in agent by its name, with or without `builtin.`, or an Agent file. */
export function agentReferenceOf(text: string, pathOf: (text: string) => string): AgentReference {
  const builtin = findBuiltin(text);
  return builtin ? { type: builtin } : { type: 'file', path: pathOf(text) };
}
