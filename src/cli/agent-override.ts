import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean } from '../config/nearest.js';
import { builtinAgents, inEval } from '../config/schemas/builtin-agents.js';
import type { AgentReference } from '../config/schemas/eval-schema.js';
import { UsageError } from './exit-codes.js';

/** What an option names: a builtin type, with or without `builtin.`, or an Agent file. */
export function agentOverride(
  text: string,
  model: string | undefined,
  option = '--agent',
): AgentReference {
  const builtin = builtinAgents.find((name) => text === name || text === inEval(name));
  const given = model === undefined ? {} : { model };
  if (builtin) return { type: inEval(builtin), ...given };
  const path = resolve(text);
  if (existsSync(path)) return { type: 'file', path, ...given };
  const types = builtinAgents.join(', ');
  const hint = didYouMean(text, builtinAgents) ?? `builtin agents: ${types}`;
  throw new UsageError(`${option}: ${text} is neither a builtin agent nor a file`, hint);
}
