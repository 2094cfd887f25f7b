import { isObject } from '../../base/json.js';
import { didYouMean } from '../../base/nearest.js';
import { findStrings } from '../../config/placeholders/environment-variables.js';
import { findPlaceholders } from '../../config/placeholders/placeholders.js';
import type { Problems } from '../../config/problems/problem.js';
import { stepTarget } from '../step-target.js';
import type { Suite } from '../suite.js';

/** What is wrong with the arguments of an operation, in sentences. */
type FlawsOf = (
  extension: string,
  operation: string,
  args: Readonly<Record<string, unknown>>,
) => readonly string[];

/** Steps of extensions, held against what their manifests say; `operationsOf` knows those that are ready. */
export function checkOperations(
  { mcp, tasks }: Suite,
  flawsOf: FlawsOf,
  operationsOf: (extension: string) => readonly string[] | undefined,
  problems: Problems,
): void {
  const servers = (mcp?.servers ?? []).map(({ name }) => name);
  for (const { task } of tasks) {
    for (const { type, path, data } of task.steps) {
      const target = stepTarget(type, task.requires, servers);
      if (target?.kind !== 'extension') continue;
      const { target: extension, name: operation } = target;
      const operations = operationsOf(extension);
      if (!operations) continue;
      if (!operations.includes(operation)) {
        const message = `the extension ${extension} has no operation ${operation}`;
        const hint =
          didYouMean(operation, operations) ?? `it has ${operations.join(', ') || 'none'}`;
        problems.atKey(task.source, path, 'not-offered', message, hint);
        continue;
      }
      const args = isObject(data) ? data : {};
      // What a placeholder will be is only known when the step runs: it is checked again there.
      if (hasPlaceholder(args)) continue;
      for (const flaw of flawsOf(extension, operation, args)) {
        problems.atKey(task.source, path, 'invalid-arguments', flaw);
      }
    }
  }
}

function hasPlaceholder(args: Record<string, unknown>): boolean {
  return findStrings('{', args, []).some(({ text }) => findPlaceholders(text).length > 0);
}
