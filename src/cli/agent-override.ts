import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean } from '../base/nearest.js';
import { builtinAgents } from '../config/agent-kinds.js';
import type { AgentReference } from '../config/schemas/eval-schema.js';
import { parseAgentReference } from '../plan/matrix.js';
import { UsageError } from './exit-codes.js';

/** What an option names: a builtin type, with or without `builtin.`, or an Agent file. */
export function agentOverride(
  text: string,
  option = '--agent',
  names: readonly string[] = builtinAgents,
): AgentReference {
  const reference = parseAgentReference(text, (path) => resolve(path));
  if (reference.path === undefined || existsSync(reference.path)) return reference;
  const hint = didYouMean(text, names) ?? `builtin agents: ${names.join(', ')}`;
  throw new UsageError(`${option}: ${text} is neither a builtin agent nor a file`, hint);
}
