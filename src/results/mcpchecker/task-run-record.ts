import type { TokenUsage } from '../../events/agent-step.js';
import type { AssertionRecord, CallRecord, TaskRunRecord } from '../task-run-record.js';
import { callsOf, countOf } from './calls.js';
import type { FreeRunNumbers } from './free-run-numbers.js';
import { phasesOf } from './phases.js';
import type { McpcheckerTaskRun, McpcheckerTokens } from './task-run-schema.js';
import { assertionsHeld, verdictOf } from './verdict.js';

/** A task run of mcpchecker in our own shape. */
export function recordFromMcpchecker(
  result: McpcheckerTaskRun,
  numbers: FreeRunNumbers,
): TaskRunRecord {
  const run = numbers.take(result.taskName, countOf(result.runIndex) + 1);
  const calls = callsOf(result);
  const assertions = assertionsOf(result);
  const verdict = verdictOf(result);
  return {
    id: `${result.taskName}-${run}`,
    task: result.taskName,
    path: result.taskPath ?? '',
    difficulty: result.difficulty || null,
    labels: {},
    variant: null,
    run,
    runs: Math.max(run, countOf(result.totalRuns)),
    attempt: 1,
    prompt: null,
    ...verdict,
    verified: result.taskPassed || (verdict.outcome === 'failed' ? false : null),
    assertionsHeld: assertions.length > 0 ? assertionsHeld(result) : null,
    startedAt: null,
    durationMs: null,
    output: result.taskOutput ?? '',
    phases: phasesOf(result),
    assertions,
    calls,
    callCounts: callCountsOf(calls),
    usage: usageOf(result.tokenEstimate?.actual),
    cost: null,
    ...estimateOf(result),
    judge: result.judgeTokenUsage ? { usage: usageOf(result.judgeTokenUsage), cost: null } : null,
    permissionDenials: [],
    cleanupFailed: result.cleanupOutput?.Success === false,
    warnings: [],
  };
}

function assertionsOf({ assertionResults }: McpcheckerTaskRun): AssertionRecord[] {
  return Object.entries(assertionResults ?? {}).flatMap(([name, verdict]) => {
    if (!verdict) return [];
    const { passed, reason } = verdict;
    return [{ name, passed, reason: reason ?? '', details: [], at: null, calls: [] }];
  });
}

function callCountsOf(calls: readonly CallRecord[]): TaskRunRecord['callCounts'] {
  const counts = { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };
  for (const { kind, isError, tokens } of calls) {
    counts[kind] += 1;
    if (isError) counts.errors += 1;
    counts.tokens += (tokens?.args ?? 0) + (tokens?.result ?? 0);
  }
  return counts;
}

/** Null also where what is told cannot be: then nobody knows. */
function usageOf(tokens: McpcheckerTokens): TokenUsage | null {
  const { inputTokens, outputTokens, thoughtTokens, cachedReadTokens } = tokens ?? {};
  const told = [inputTokens, outputTokens].filter((each) => typeof each === 'number');
  if (told.length === 0 || told.some((each) => countOf(each) !== each)) return null;
  return {
    inputTokens: countOf(inputTokens),
    outputTokens: countOf(outputTokens),
    ...(cachedReadTokens ? { cachedInputTokens: countOf(cachedReadTokens) } : {}),
    ...(thoughtTokens ? { reasoningTokens: countOf(thoughtTokens) } : {}),
  };
}

function estimateOf({ tokenEstimate }: McpcheckerTaskRun): Pick<TaskRunRecord, 'estimate'> {
  if (!tokenEstimate) return {};
  const { totalTokens, mcpSchemaTokens } = tokenEstimate;
  return { estimate: { tokens: countOf(totalTokens), schemaTokens: countOf(mcpSchemaTokens) } };
}
