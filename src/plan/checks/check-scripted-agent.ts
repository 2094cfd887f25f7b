import { didYouMean } from '../../base/nearest.js';
import type { Problems } from '../../config/problems/problem.js';
import type { Suite } from '../suite.js';
import { reportUnknownServer } from './unknown-server.js';

/** What a scripted agent is to do, and to call, must be there: it could not find out by itself. */
export function checkScriptedAgent(suite: Suite, problems: Problems): void {
  const { agentFile, mcp, mcpUnknown } = suite;
  if (!agentFile) return;
  checkRuleTasks(agentFile, suite.tasks, problems);
  if (mcpUnknown) return;
  const { source, data } = agentFile;
  const known = new Set(mcp?.servers.map(({ name }) => name));
  for (const [rule, { do: actions }] of (data.scripted ?? []).entries()) {
    for (const [index, action] of actions.entries()) {
      for (const kind of ['call', 'read', 'getPrompt'] as const) {
        const server = action[kind]?.server;
        const path = ['scripted', rule, 'do', index, kind, 'server'];
        if (server === undefined || known.has(server) || source.isFaulty(path)) continue;
        reportUnknownServer(source, path, server, mcp, problems);
      }
    }
  }
}

/** A rule for a task that there is not is never played. */
function checkRuleTasks(
  { source, data }: NonNullable<Suite['agentFile']>,
  tasks: Suite['tasks'],
  problems: Problems,
): void {
  const names = tasks.map(({ task }) => task.name);
  // Then something else is wrong, and says so.
  if (names.length === 0) return;
  for (const [rule, { task }] of (data.scripted ?? []).entries()) {
    if (task === undefined || names.includes(task)) continue;
    const message = `the eval has no task ${task}: this rule is never played`;
    problems.atValue(
      source,
      ['scripted', rule, 'task'],
      'unknown-task',
      message,
      didYouMean(task, names),
    );
  }
}
