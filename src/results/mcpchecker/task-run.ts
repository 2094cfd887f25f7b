import type { TokenUsage } from '../../events/agent-step.js';
import type { LeftOut } from '../../events/left-out.js';
import { mend } from '../../events/mend.js';
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

/** A task run of mcpchecker, as far as it can be read. Undefined: it does not tell its task. */
export function readMcpcheckerTaskRun(
  value: unknown,
  place: string,
  numbers: FreeRunNumbers,
  onLeftOut: (part: LeftOut) => void,
): TaskRunRecord | undefined {
  const lost = new LostMembers();
  normalizeKeySpelling(mcpcheckerTaskRunSchema, value);
  const isFit = mend(mcpcheckerTaskRunSchema, value, {
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

/** A task run of mcpchecker in our own shape. */
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

/** Null also where what is told cannot be: then nobody knows. */
function readUsage(tokens: McpcheckerTokens): TokenUsage | null {
  const { inputTokens, outputTokens, thoughtTokens, cachedReadTokens } = tokens ?? {};
  const told = [inputTokens, outputTokens].filter((each) => typeof each === 'number');
  if (told.length === 0 || told.some((each) => toCount(each) !== each)) return null;
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

/** Task runs of one name that do not tell which run they are are counted on. */
export class FreeRunNumbers {
  readonly #taken = new Map<string, Taken>();

  /** The number itself, unless it is taken. */
  take(task: string, run: number): number {
    const taken = this.#taken.get(task) ?? { runs: new Set(), highest: 0 };
    this.#taken.set(task, taken);
    const free = taken.runs.has(run) ? taken.highest + 1 : run;
    taken.runs.add(free);
    taken.highest = Math.max(taken.highest, free);
    return free;
  }
}
