import type { Summary } from '../../analysis/summary/summary.js';

/**
 * What a step of a GitHub workflow puts out, in mcpchecker's names and formats: task runs count as
 * tasks, those that were verified as passed, and what nobody told as 0.
 */
export function githubOutput({ sources, totals }: Summary): string {
  const { taskRuns, verified, assertions, amounts } = totals;
  const { usage, judge } = amounts;
  const outputs = {
    'results-file': sources.map(({ path }) => oneLine(path)).join(','),
    'tasks-total': taskRuns,
    'tasks-passed': verified,
    'task-pass-rate': rate(verified, taskRuns),
    'assertions-total': assertions.total,
    'assertions-passed': assertions.passed,
    'assertion-pass-rate': rate(assertions.passed, assertions.total),
    'tokens-estimated': totals.estimatedTokens,
    'mcp-schema-tokens': totals.schemaTokensOfRuns ?? 0,
    'agent-input-tokens': usage?.inputTokens ?? 0,
    'agent-output-tokens': usage?.outputTokens ?? 0,
    'judge-input-tokens': judge.usage?.inputTokens ?? 0,
    'judge-output-tokens': judge.usage?.outputTokens ?? 0,
  };
  return Object.entries(outputs)
    .map(([key, value]) => `${key}=${value}\n`)
    .join('');
}

function rate(passed: number, total: number): string {
  return (total === 0 ? 0 : passed / total).toFixed(4);
}

/** A file's name must not become an output of its own. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '\ufffd');
}
