import type { LeftOut } from '../../journal/left-out.js';
import { repairValue } from '../../journal/repair.js';
import type { TokenUsage } from '../../journal/usage.js';
import { countCalls, rejectContradiction } from '../read/task-run-parser.js';
import type { AssertionRecord, TaskRunRecord } from '../task-run-record.js';
import { readCalls, readPhases, toCount } from './history.js';
import {
  type McpcheckerTaskRun,
  type McpcheckerTokens,
  mcpcheckerTaskRunSchema,
  normalizeKeySpelling,
} from './schema.js';
import { decideMcpcheckerVerdict, haveAssertionsHeld, LostMembers } from './verdict.js';

/** Reads a task run of mcpchecker as far as possible. Undefined: it does not name its task. */
export function readMcpcheckerTaskRun(
  value: unknown,
  place: string,
  numbers: FreeRunNumbers,
  onLeftOut: (part: LeftOut) => void,
): TaskRunRecord | undefined {
  const lost = new LostMembers();
  normalizeKeySpelling(mcpcheckerTaskRunSchema, value);
  const isFit = repairValue(mcpcheckerTaskRunSchema, value, {
    place,
    onLeftOut: (part, path) => {
      lost.add(part, path);
      onLeftOut(part);
    },
  });
  if (!isFit) return undefined;
  const record = convertMcpcheckerTaskRun(value, numbers, lost);
  return rejectContradiction(record, `${place}.taskPassed`, onLeftOut);
}

/** Converts a task run of mcpchecker to a record of Proctor. */
export function convertMcpcheckerTaskRun(
  result: McpcheckerTaskRun,
  numbers: FreeRunNumbers,
  lost = new LostMembers(),
): TaskRunRecord {
  const run = numbers.take(result.taskName, toCount(result.runIndex) + 1);
  const calls = readCalls(result);
  const assertions = readAssertions(result);
  const verdict = decideMcpcheckerVerdict(result, lost);
  const hasAssertions =
    assertions.length > 0 ||
    lost.findAssertionsReason() !== undefined ||
    verdict.failure?.category === 'assertion-failed';
  return {
    id: `${result.taskName}-${run}`,
    task: result.taskName,
    path: result.taskPath ?? '',
    difficulty: result.difficulty || null,
    labels: {},
    variant: null,
    run,
    runs: Math.max(run, toCount(result.totalRuns)),
    attempt: 1,
    prompt: null,
    ...verdict,
    verified: decideVerified(result, verdict),
    assertionsHeld: hasAssertions ? (haveAssertionsHeld(result, lost) ?? null) : null,
    startedAt: null,
    durationMs: null,
    output: result.taskOutput ?? '',
    phases: readPhases(result, lost),
    assertions,
    calls,
    callCounts: countCalls(calls),
    usage: readUsage(result.tokenEstimate?.actual),
    cost: null,
    ...readEstimate(result),
    judge: result.judgeTokenUsage ? { usage: readUsage(result.judgeTokenUsage), cost: null } : null,
    permissionDenials: [],
    cleanupFailed: result.cleanupOutput?.Success === false,
    warnings: [],
    ...(lost.hasEvidence && { incomplete: true }),
  };
}

function decideVerified(
  { taskPassed }: McpcheckerTaskRun,
  { outcome, failure }: ReturnType<typeof decideMcpcheckerVerdict>,
): boolean | null {
  if (failure?.category === 'unknown') return null;
  return taskPassed || (outcome === 'failed' ? false : null);
}

function readAssertions({ assertionResults }: McpcheckerTaskRun): AssertionRecord[] {
  return Object.entries(assertionResults ?? {}).flatMap(([name, verdict]) => {
    if (!verdict) return [];
    const { passed, reason } = verdict;
    return [{ name, passed, reason: reason ?? '', details: [], at: null, calls: [] }];
  });
}

/** Token usage; null if it is missing or impossible, such as a negative number. */
function readUsage(tokens: McpcheckerTokens): TokenUsage | null {
  const { inputTokens, outputTokens, thoughtTokens, cachedReadTokens } = tokens ?? {};
  const amounts = [inputTokens, outputTokens].filter((amount) => typeof amount === 'number');
  if (amounts.length === 0 || amounts.some((amount) => toCount(amount) !== amount)) return null;
  return {
    inputTokens: toCount(inputTokens),
    outputTokens: toCount(outputTokens),
    ...(cachedReadTokens ? { cachedInputTokens: toCount(cachedReadTokens) } : {}),
    ...(thoughtTokens ? { reasoningTokens: toCount(thoughtTokens) } : {}),
  };
}

function readEstimate({ tokenEstimate }: McpcheckerTaskRun): Pick<TaskRunRecord, 'estimate'> {
  if (!tokenEstimate) return {};
  const { totalTokens, mcpSchemaTokens } = tokenEstimate;
  return { estimate: { tokens: toCount(totalTokens), schemaTokens: toCount(mcpSchemaTokens) } };
}

interface Taken {
  runs: Set<number>;
  highest: number;
}

/** Numbers the runs of a task whose results do not say which run they are. */
export class FreeRunNumbers {
  readonly #taken = new Map<string, Taken>();

  /** Takes a number for a run: the given one, or the next if it is taken. */
  take(task: string, run: number): number {
    const taken = this.#taken.get(task) ?? { runs: new Set(), highest: 0 };
    this.#taken.set(task, taken);
    const free = taken.runs.has(run) ? taken.highest + 1 : run;
    taken.runs.add(free);
    taken.highest = Math.max(taken.highest, free);
    return free;
  }
}
