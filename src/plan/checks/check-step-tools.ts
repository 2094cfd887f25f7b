import { didYouMean } from '../../config/nearest.js';
import type { Problems } from '../../config/problem.js';
import { stepTarget } from '../step-target.js';
import type { Suite } from '../suite.js';

/**
 * The tools that steps call, held against what the servers offer: a step that expects an error would
 * pass with every tool that does not exist.
 */
export function checkStepTools(
  { mcp, tasks }: Suite,
  offers: ReadonlyMap<string, { tools: readonly string[] }>,
  problems: Problems,
): void {
  const servers = (mcp?.servers ?? []).map(({ name }) => name);
  for (const { task } of tasks) {
    for (const { type, path } of task.steps) {
      const step = stepTarget(type, task.requires, servers);
      const offer = step?.kind === 'mcpServer' ? offers.get(step.target) : undefined;
      if (!step || !offer || offer.tools.includes(step.name)) continue;
      const message = `${step.target} offers no tool ${step.name}`;
      const hint = didYouMean(step.name, offer.tools);
      problems.atKey(task.source, path, 'not-offered', message, hint);
    }
  }
}
