import type { Summary } from '../../analysis/summary/summary.js';

/**
 * What a step of a GitHub workflow puts out. First the numbers of the summary, by names of their own;
 * then mcpchecker's names with its meaning, which is another one: task runs count as tasks, those that
 * were verified as passed, and schema tokens once for every task run. What nobody reported is 0.
 */
export function formatGithubOutput({ sources, totals }: Summary): string {
  const { taskRuns, verified, assertions, amounts } = totals;
  const { usage, judge } = amounts;
  const outputs = {
    'results-file': sources.map(({ path }) => oneLine(path)).join(','),
    'pass-rate': formatShare(totals.rate.rate),
    'pass-rate-low': formatShare(totals.rate.low),
    'pass-rate-high': formatShare(totals.rate.high),
    'task-runs': taskRuns,
    'task-runs-judged': totals.rate.judged,
    'task-runs-passed': totals.rate.passed,
    tasks: totals.tasks,
    'tasks-passed-every-run': totals.tasksPassed,
    'tool-definition-tokens': totals.schemaTokens ?? 0,
    'tasks-total': taskRuns,
    'tasks-passed': verified,
    'task-pass-rate': formatShare(verified / taskRuns),
    'assertions-total': assertions.total,
    'assertions-passed': assertions.passed,
    'assertion-pass-rate': formatShare(assertions.passed / assertions.total),
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

/** From 0 to 1; 0 where there was nothing to take a share of, so that no gate lets it pass. */
function formatShare(value: number | null): string {
  return (value === null || Number.isNaN(value) ? 0 : value).toFixed(4);
}

/** A file's name must not become an output of its own. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '\ufffd');
}
