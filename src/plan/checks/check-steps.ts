import { isObject } from '../../base/json.js';
import { didYouMean } from '../../base/nearest.js';
import type { Task } from '../../config/files/task-file.js';
import type { TaskStep } from '../../config/files/task-steps.js';
import type { Problems } from '../../config/problems/problem.js';
import { checkShape } from '../../config/problems/shape-check.js';
import { mcpToolStepSchema } from '../../config/schemas/step-schemas.js';
import { findStepTarget } from '../step-target.js';
import type { Suite } from '../suite.js';
import { reportUnknownServer } from './check-server-names.js';

/** Steps that act on a server or an extension must name one that is there. */
export function checkSteps(suite: Suite, problems: Problems): void {
  const servers = (suite.mcp?.servers ?? []).map((server) => server.name);
  checkMappedServers(suite, servers, problems);
  for (const { definition: task } of suite.tasks) {
    checkRequires(suite, task, servers, problems);
    for (const step of task.steps) {
      if (step.type.includes('.')) checkDotted(suite, task, step, servers, problems);
      if (step.type === 'llmJudge') checkVotes(task, step, problems);
    }
  }
}

function checkMappedServers(suite: Suite, servers: readonly string[], problems: Problems) {
  if (suite.mcpUnknown) return;
  const { source, data } = suite.eval;
  for (const [name, { serverMapping }] of Object.entries(data.config.sources ?? {})) {
    for (const [fetched, mapped] of Object.entries(serverMapping ?? {})) {
      if (servers.includes(mapped)) continue;
      const at = ['config', 'sources', name, 'serverMapping', fetched];
      reportUnknownServer(source, at, mapped, suite.mcp, problems);
    }
  }
}

function checkRequires(suite: Suite, task: Task, servers: readonly string[], problems: Problems) {
  const { source, data } = suite.eval;
  const extensions = Object.keys(data.config.extensions ?? {});
  for (const { kind, target, alias, path, isMapped } of task.requires) {
    if (isMapped) continue;
    const at = [...path, kind];
    // Extensions are often called like the server they help with: only `as` is a choice.
    if (alias !== target && servers.includes(alias)) {
      const message = `${alias} is an MCP server too, and no step of this task reaches it`;
      problems.atValue(task.source, [...path, 'as'], 'shadowed-server', message);
    }
    if (kind === 'mcpServer') {
      if (servers.includes(target) || suite.mcpUnknown) continue;
      reportUnknownServer(task.source, at, target, suite.mcp, problems);
    } else if (!extensions.includes(target) && !source.isFaulty(['config', 'extensions'])) {
      const message = `the eval has no extension ${target}`;
      const hint = didYouMean(target, extensions);
      problems.atValue(task.source, at, 'unknown-extension', message, hint);
    }
  }
}

function checkDotted(
  suite: Suite,
  task: Task,
  step: TaskStep,
  servers: readonly string[],
  problems: Problems,
) {
  const { type, path, data } = step;
  const target = findStepTarget(type, task.requires, servers);
  if (target?.kind === 'mcpServer') {
    const value = data ?? {};
    checkShape({ file: task.source, schema: mcpToolStepSchema, value, base: path, problems });
    warnOfOwnSession(suite, task, step, target.target, problems);
    return;
  }
  if (target) {
    if (data === null || isObject(data)) return;
    const message = 'the arguments of an operation are a map';
    problems.atValue(task.source, path, 'wrong-type', message);
    return;
  }
  // With the MCP config unread, the prefix may well be one of its servers.
  if (suite.mcpUnknown || task.source.isFaulty(['spec', 'requires'])) return;
  const prefix = type.slice(0, type.lastIndexOf('.'));
  const known = [...task.requires.map(({ alias }) => alias), ...servers];
  const isExtension = Object.hasOwn(suite.eval.data.config.extensions ?? {}, prefix);
  const hint = isExtension
    ? `add "- extension: ${prefix}" to spec.requires`
    : (didYouMean(prefix, known) ?? `known here: ${known.join(', ') || 'none'}`);
  const message = `${prefix} is neither required by this task nor an MCP server`;
  problems.atKey(task.source, path, 'unknown-alias', message, hint);
}

/** HTTP servers seldom keep state in their sessions; a process of its own knows nothing for sure. */
function warnOfOwnSession(
  { mcp }: Suite,
  { source }: Task,
  { path }: TaskStep,
  server: string,
  problems: Problems,
) {
  const { transport, data } = mcp?.servers.find(({ name }) => name === server) ?? {};
  if (transport !== 'stdio' || data?.scope !== 'session') return;
  const message = `${server} has scope session: this step does not see what the agent did there`;
  problems.atKey(source, path, 'step-has-own-session', message, 'use scope: task');
}

function checkVotes({ source }: Task, { data, path }: TaskStep, problems: Problems) {
  const { votes = 1 } = data as { votes?: number };
  if (votes % 2 === 1) return;
  const message = `${votes} votes may be equal, and then there is no verdict`;
  const hint = `ask ${votes + 1} times`;
  problems.atValue(source, [...path, 'votes'], 'even-votes', message, hint);
}
