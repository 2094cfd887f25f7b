import { basename, extname } from 'node:path';
import type { AgentDefinition } from '../agents/agent.js';
import { findAgentKind } from '../config/agent-kinds.js';
import type { AgentFile } from '../config/files/agent-file.js';
import { type AgentData, findBuiltin } from '../config/schemas/agent-schema.js';
import type { AgentReference } from '../config/schemas/eval-schema.js';
import { resolveFrom } from '../config/yaml/data-file.js';
import type { Suite } from '../plan/suite.js';

/** The agent of a suite as an Agent file would define it; undefined if the suite has a problem there. */
function agentDefinition({ agent, agentFile }: Suite): AgentDefinition | undefined {
  return agent && definitionOf(agent, agentFile);
}

/** Of every variant; undefined if one has a problem there. */
export function agentDefinitions(
  suites: readonly Suite[],
): ReadonlyMap<Suite, AgentDefinition> | undefined {
  const definitions = new Map<Suite, AgentDefinition>();
  for (const suite of suites) {
    const definition = agentDefinition(suite);
    if (!definition) return undefined;
    definitions.set(suite, definition);
  }
  return definitions;
}

/** Whoever an eval refers to; undefined if the file that it names could not be read. */
export function definitionOf(
  { type, model, useResponsesAPI }: AgentReference,
  file: AgentFile | undefined,
): AgentDefinition | undefined {
  const settings = {
    ...(model !== undefined && { model }),
    ...(useResponsesAPI !== undefined && { useResponsesAPI }),
  };
  const builtinType = findBuiltin(type);
  if (builtinType !== undefined) {
    const builtin = { type: builtinType, ...settings };
    return { name: builtinType, data: { kind: 'Agent', builtin } };
  }
  if (!file) return undefined;
  const { source } = file;
  const data = withPlacedProgram(file);
  const name = data.metadata?.name ?? basename(source.path, extname(source.path));
  const definition = { name, data, file: source.name };
  if (!data.builtin) return definition;
  return { ...definition, data: { ...data, builtin: { ...data.builtin, ...settings } } };
}

/** A program that is given as a path lies where its file says, not where Proctor runs. */
function withPlacedProgram({ source, data }: AgentFile): AgentData {
  const { acp } = data;
  if (!acp?.cmd.includes('/')) return data;
  return { ...data, acp: { ...acp, cmd: resolveFrom(source, acp.cmd) } };
}

/** Whether an agent can be told which model to use. */
export function takesModel({ data }: AgentDefinition): boolean {
  return findAgentKind(data)?.takesModel ?? false;
}
