import type { LeftOut } from '../../journal/left-out.js';
import { repairValue } from '../../journal/repair.js';
import type { TokenUsage } from '../../journal/usage.js';
import { countsOf, withoutContradiction } from '../own-task-run.js';
import type { AssertionRecord, TaskRunRecord } from '../task-run-record.js';
import { callsOf, countOf } from './calls.js';
import type { FreeRunNumbers } from './free-run-numbers.js';
import { LostMembers } from './lost-members.js';
import { phasesOf } from './phases.js';
import {
  type McpcheckerTaskRun,
  type McpcheckerTokens,
  mcpcheckerTaskRunSchema,
  withKnownSpelling,
} from './task-run-schema.js';
import { assertionsHeld, verdictOf } from './verdict.js';

/** A task run of mcpchecker, as far as it can be read. Undefined: it does not tell its task. */
export function readMcpcheckerTaskRun(
  value: unknown,
  place: string,
  numbers: FreeRunNumbers,
  onLeftOut: (part: LeftOut) => void,
): TaskRunRecord | undefined {
  const lost = new LostMembers();
  withKnownSpelling(mcpcheckerTaskRunSchema, value);
  const isFit = repairValue(mcpcheckerTaskRunSchema, value, {
    place,
    onLeftOut: (part, path) => {
      lost.add(part, path);
      onLeftOut(part);
    },
  });
  if (!isFit) return undefined;
  const record = recordFromMcpchecker(value, numbers, lost);
  return withoutContradiction(record, `${place}.taskPassed`, onLeftOut);
}

/** A task run of mcpchecker in our own shape. */
export function recordFromMcpchecker(
  result: McpcheckerTaskRun,
  numbers: FreeRunNumbers,
  lost = new LostMembers(),
): TaskRunRecord {
  const run = numbers.take(result.taskName, countOf(result.runIndex) + 1);
  const calls = callsOf(result);
  const assertions = assertionsOf(result);
  const verdict = verdictOf(result, lost);
  const hasAssertions =
    assertions.length > 0 ||
    lost.reasonOfAssertions() !== undefined ||
    verdict.failure?.category === 'assertion-failed';
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
    verified: verifiedOf(result, verdict),
    assertionsHeld: hasAssertions ? (assertionsHeld(result, lost) ?? null) : null,
    startedAt: null,
    durationMs: null,
    output: result.taskOutput ?? '',
    phases: phasesOf(result, lost),
    assertions,
    calls,
    callCounts: countsOf(calls),
    usage: usageOf(result.tokenEstimate?.actual),
    cost: null,
    ...estimateOf(result),
    judge: result.judgeTokenUsage ? { usage: usageOf(result.judgeTokenUsage), cost: null } : null,
    permissionDenials: [],
    cleanupFailed: result.cleanupOutput?.Success === false,
    warnings: [],
    ...(lost.hasEvidence && { incomplete: true }),
  };
}

function verifiedOf(
  { taskPassed }: McpcheckerTaskRun,
  { outcome, failure }: ReturnType<typeof verdictOf>,
): boolean | null {
  if (failure?.category === 'unknown') return null;
  return taskPassed || (outcome === 'failed' ? false : null);
}

function assertionsOf({ assertionResults }: McpcheckerTaskRun): AssertionRecord[] {
  return Object.entries(assertionResults ?? {}).flatMap(([name, verdict]) => {
    if (!verdict) return [];
    const { passed, reason } = verdict;
    return [{ name, passed, reason: reason ?? '', details: [], at: null, calls: [] }];
  });
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
