import type { ToolUse } from '../../analysis/tools/tool-usage.js';

/** Which tools the runs of a task used. */
export interface TaskTools {
  task: string;
  tools: { name: string; calls: number }[];
}

/** The other way round: by task. The names say the server only where there are several. */
export function toolsByTask(tools: readonly ToolUse[]): TaskTools[] {
  const severalServers = new Set(tools.map(({ server }) => server)).size > 1;
  const byTask = new Map<string, TaskTools>();
  for (const { server, tool, tasks } of tools) {
    const name = severalServers ? `${server}.${tool}` : tool;
    for (const { task, calls } of tasks) {
      const entry = byTask.get(task) ?? { task, tools: [] };
      byTask.set(task, entry);
      entry.tools.push({ name, calls });
    }
  }
  return [...byTask.values()]
    .map(({ task, tools: used }) => ({
      task,
      tools: used.sort((left, right) => right.calls - left.calls),
    }))
    .sort((left, right) => (left.task < right.task ? -1 : 1));
}
