import { stringifyDeep } from '../base/json.js';
import { escapeTerminalCharacters } from '../base/json-text.js';
import { currentBuiltins } from '../config/agent-kinds.js';
import { formatTaskName } from '../journal/task-run-events.js';
import type { PooledResults } from '../results/read/pooled-results.js';
import type { AgentRecord, ResultsHeader } from '../results/results-header.js';
import type {
  AgentPhaseRecord,
  AgentStepRecord,
  AssertionRecord,
  CallRecord,
  StepPhaseRecord,
  TaskRunRecord,
} from '../results/task-run-record.js';

/** Writes results in the format of mcpchecker, piece by piece, so that tools made for it keep working. */
export async function* writeMcpchecker(source: PooledResults): AsyncGenerator<string> {
  yield `{"summary":${escapeTerminalCharacters(stringifyDeep(await makeSummary(source)))},\n"results":[`;
  let separator = '\n';
  for await (const { taskRun } of source.taskRuns()) {
    yield `${separator}${escapeTerminalCharacters(stringifyDeep(makeEvalResult(taskRun)))}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}

async function makeSummary(source: PooledResults): Promise<object> {
  const names = new Set<string>();
  const paths = new Set<string>();
  let runs = 1;
  for await (const { taskRun } of source.taskRuns({ withoutCallResults: true })) {
    names.add(formatTaskName(taskRun));
    if (taskRun.path !== '') paths.add(taskRun.path);
    runs = Math.max(runs, taskRun.runs);
  }
  const headers = source.files.map(({ header }) => header);
  const agent = headers.find((header) => header.agent)?.agent ?? null;
  const judge = headers.find((header) => header.judge)?.judge ?? null;
  return {
    agent: agent ? makeAgent(agent) : { type: '' },
    ...(judge && { judge: makeAgent(judge) }),
    mcpServers: listServers(headers),
    evals: { names: [...names], taskSets: [...paths].map((path) => ({ path })) },
    parallelWorkers: 1,
    runs,
  };
}

function makeAgent({ name, type, model }: NonNullable<AgentRecord>): object {
  return {
    type: currentBuiltins.some((name) => name === type) ? `builtin.${type}` : type,
    name,
    ...(model !== undefined && { model }),
  };
}

function listServers(headers: readonly ResultsHeader[]): object[] {
  const servers = new Map(
    headers.flatMap(({ mcpServers }) =>
      mcpServers.map(({ name, transport }) => [name, { name, type: transport }] as const),
    ),
  );
  return [...servers.values()];
}

/** A task run in the format of mcpchecker, which has no variants: each becomes a task of its own. */
function makeEvalResult(taskRun: TaskRunRecord): object {
  const { path, difficulty, run, runs, output, assertions, calls } = taskRun;
  return {
    taskName: formatTaskName(taskRun),
    taskPath: path,
    ...makeVerdict(taskRun),
    taskOutput: output,
    ...findJudgeReason(taskRun),
    difficulty: difficulty ?? '',
    ...(run > 1 && { runIndex: run - 1 }),
    totalRuns: runs,
    assertionResults: assertions.length > 0 ? mergeAssertions(assertions) : null,
    callHistory: makeCallHistory(calls),
    ...makeTokens(taskRun),
    ...makePhaseOutputs(taskRun),
  };
}

/**
 * `taskPassed` is about verification only. mcpchecker has no outcome for what could not be judged or was cancelled:
 * that is written as an error of the agent, which its own programs do not take for a verdict either.
 */
function makeVerdict(taskRun: TaskRunRecord): object {
  const { outcome, failure, verified, assertionsHeld } = taskRun;
  const isPassed = outcome === 'passed';
  const byAssertion = outcome === 'failed' && verified !== false && assertionsHeld === false;
  const isError = outcome === 'error' || outcome === 'cancelled';
  return {
    taskPassed: isPassed || byAssertion,
    ...(!isPassed && !byAssertion && { taskError: failure?.message ?? outcome }),
    ...(outcome === 'timeout' && { timedOut: true }),
    ...(isError && failure?.category !== 'setup-failed' && { agentExecutionError: true }),
    allAssertionsPassed: isPassed || assertionsHeld !== false,
  };
}

/** The reason of the first judge; results of mcpchecker have it as the message of the step. */
function findJudgeReason({ phases }: TaskRunRecord): object {
  const judged = phases.verify?.steps.find(
    ({ judgement, kind, outcome }) => judgement || (kind === 'llmJudge' && outcome !== 'error'),
  );
  const reason = judged?.judgement?.reason ?? judged?.message;
  return reason === undefined ? {} : { taskJudgeReason: reason };
}

/** Merges assertions with the same key: all of them have to hold. */
function mergeAssertions(assertions: readonly AssertionRecord[]): object {
  const byName = new Map<string, AssertionRecord[]>();
  for (const assertion of assertions) {
    byName.set(assertion.name, [...(byName.get(assertion.name) ?? []), assertion]);
  }
  const merged = [...byName].map(([name, all]): [string, object] => {
    const failed = all.filter(({ passed }) => !passed);
    const shown = failed.length > 0 ? failed : all;
    const reason = shown.map((assertion) => assertion.reason).join('; ');
    const details = shown.flatMap((assertion) => assertion.details);
    return [
      name,
      {
        passed: failed.length === 0,
        ...(reason !== '' && { reason }),
        ...(details.length > 0 && { details }),
      },
    ];
  });
  return Object.fromEntries(merged);
}

/** Known token counts only: mcpchecker takes 0 for a measurement. */
function makeTokens({ usage, estimate, judge, calls }: TaskRunRecord): object {
  const sum = (kind: CallRecord['kind'], side: 'args' | 'result') =>
    calls.reduce((total, call) => total + (call.kind === kind ? (call.tokens?.[side] ?? 0) : 0), 0);
  const actual = usage && makeTokenCounts(usage.inputTokens, usage.outputTokens);
  return {
    ...((usage || estimate) && {
      tokenEstimate: {
        ...(actual ?? makeTokenCounts(0, 0)),
        ...(estimate && { totalTokens: estimate.tokens }),
        toolInputTokens: sum('tool', 'args'),
        toolOutputTokens: sum('tool', 'result'),
        promptGetInputTokens: sum('prompt', 'args'),
        promptGetOutputTokens: sum('prompt', 'result'),
        resourceInputTokens: sum('resource', 'args'),
        resourceOutputTokens: sum('resource', 'result'),
        mcpSchemaTokens: estimate?.schemaTokens ?? 0,
        source: actual ? 'actual' : 'estimated',
        ...(actual && { actual }),
      },
    }),
    ...(judge?.usage && {
      judgeTokenUsage: makeTokenCounts(judge.usage.inputTokens, judge.usage.outputTokens),
    }),
  };
}

/** The calls in the three lists of mcpchecker. */
function makeCallHistory(calls: readonly CallRecord[]): object {
  const timestamps = makeTimestamps(calls);
  const listCalls = (kind: CallRecord['kind']) =>
    calls.flatMap((call, index) =>
      call.kind === kind ? [makeCallRecord(call, timestamps[index])] : [],
    );
  return {
    ToolCalls: listCalls('tool'),
    ResourceReads: listCalls('resource'),
    PromptGets: listCalls('prompt'),
  };
}

function makeCallRecord(call: CallRecord, timestamp: string | undefined): object {
  const { kind, server, name, args, result, error, isError, tokens } = call;
  const isMarked = kind === 'tool' && hasErrorMark(result);
  const failed = error === null ? undefined : formatError(error);
  const params =
    kind === 'resource' ? { uri: name } : { name, ...(args !== null && { arguments: args }) };
  return {
    serverName: server,
    ...(timestamp !== undefined && { timestamp }),
    success: failed === undefined && (!isError || isMarked),
    ...(failed !== undefined && { error: failed }),
    ...(kind === 'resource' ? { uri: name } : { name }),
    request: { Params: params },
    ...(result !== null && { result }),
    ...(tokens && { tokens: makeTokenCounts(tokens.args, tokens.result) }),
  };
}

function makeTokenCounts(inputTokens: number, outputTokens: number) {
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

function hasErrorMark(result: unknown): boolean {
  const isObject = typeof result === 'object' && result !== null;
  return isObject && 'isError' in result && result.isError === true;
}

/** An error as text, as mcpchecker has it. */
function formatError(error: unknown): string {
  const isObject = typeof error === 'object' && error !== null;
  const message = isObject && 'message' in error ? error.message : undefined;
  return typeof message === 'string' && message !== '' ? message : stringifyDeep(error);
}

/**
 * Timestamps that keep the order of calls, which are written to three lists: below the milliseconds that records
 * have, calls are numbered, and no call is before its predecessor.
 */
function makeTimestamps(calls: readonly CallRecord[]): (string | undefined)[] {
  const times = calls.map(({ startedAt }) => Date.parse(startedAt ?? ''));
  if (times.some((time) => !isWritable(time)))
    return calls.map((call) => call.startedAt ?? undefined);
  let latest = Number.NEGATIVE_INFINITY;
  return times.map((time, index) => {
    latest = Math.max(latest, time);
    const below = String(index).padStart(6, '0').slice(-6);
    return new Date(latest).toISOString().replace('Z', `${below}Z`);
  });
}

/** Whether a time has a year of four digits, which Go can read. */
function isWritable(time: number): boolean {
  return time >= Date.UTC(2000, 0) && time < Date.UTC(10_000, 0);
}

/** The phases of a task run in the format of mcpchecker. */
function makePhaseOutputs({ phases, outcome, failure }: TaskRunRecord): object {
  const { setup, agent, verify, cleanup } = phases;
  // If there is a verdict, setup and agent have finished.
  const isJudged = outcome === 'passed' || outcome === 'failed';
  const setupFailed = failure?.category === 'setup-failed';
  return {
    ...(setup || setupFailed
      ? { setupOutput: makeStepOutput(setup, isJudged || !setupFailed) }
      : {}),
    ...(agent && { agentOutput: makeAgentOutput(agent, isJudged || agent.outcome === 'passed') }),
    ...(verify && { verifyOutput: makeStepOutput(verify, verify.outcome === 'passed') }),
    ...(cleanup && { cleanupOutput: makeStepOutput(cleanup, cleanup.outcome === 'passed') }),
  };
}

function makeStepOutput(phase: StepPhaseRecord | null, isSuccess: boolean): object {
  const steps = (phase?.steps ?? []).map(({ kind, passed, message, outputs, judgement }) => {
    const text = judgement?.reason ?? (passed ? message : undefined);
    return {
      type: kind,
      success: passed,
      ...(text !== undefined && { message: text }),
      ...(!passed && { error: message ?? 'it failed' }),
      ...(Object.keys(outputs).length > 0 && { outputs }),
    };
  });
  return { Steps: steps, Success: isSuccess, Error: isSuccess ? '' : (phase?.message ?? '') };
}

function makeAgentOutput({ steps, message }: AgentPhaseRecord, isSuccess: boolean): object {
  const outputSteps = makeOutputSteps(steps);
  return {
    Steps: outputSteps.map(({ type, content, toolCall }) => ({
      type,
      success: toolCall?.status !== 'failed',
      message: toolCall?.title ?? content ?? '',
    })),
    Success: isSuccess,
    Error: isSuccess ? '' : (message ?? ''),
    agentDetails: {
      toolCalls: outputSteps.flatMap(({ toolCall }) => (toolCall ? [toolCall] : [])),
      outputSteps,
    },
  };
}

interface OutputStep {
  type: 'message' | 'thinking' | 'tool_call';
  content?: string;
  toolCall?: ToolCall;
}

interface ToolCall {
  title: string;
  status: 'completed' | 'failed';
  rawInput?: unknown;
  rawOutput?: string;
}

/** Steps of the agent in the format of mcpchecker: results belong to their calls, and logs are dropped. */
function makeOutputSteps(steps: readonly AgentStepRecord[]): OutputStep[] {
  const calls = new Map<string, ToolCall>();
  return steps.flatMap((step): OutputStep[] => {
    const { kind, text = '', tool = '', id, args, isError } = step;
    if (kind === 'message' || kind === 'thinking') return [{ type: kind, content: text }];
    if (kind === 'tool-call') {
      const toolCall: ToolCall = { title: tool, status: 'completed' };
      if (args !== undefined) toolCall.rawInput = args;
      if (id !== undefined) calls.set(id, toolCall);
      return [{ type: 'tool_call', toolCall }];
    }
    const call = kind === 'tool-result' && id !== undefined ? calls.get(id) : undefined;
    if (call) {
      call.rawOutput = text;
      if (isError) call.status = 'failed';
    }
    return [];
  });
}
