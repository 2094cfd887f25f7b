import { truncate } from '../../base/text.js';
import type {
  AgentPhaseRecord,
  AgentStepRecord,
  CallRecord,
  StepPhaseRecord,
  StepRecord,
  TaskRunRecord,
} from '../task-run-record.js';
import type { McpcheckerTaskRun, McpcheckerTokens } from './schema.js';
import { type LostMembers, makeEntrySeq } from './verdict.js';

type CallHistory = NonNullable<McpcheckerTaskRun['callHistory']>;
type ToolCall = NonNullable<CallHistory['ToolCalls']>[number];
type ResourceRead = NonNullable<CallHistory['ResourceReads']>[number];
type AnyCall = Omit<ToolCall, 'name'> | Omit<ResourceRead, 'uri'>;

/** Merges the three lists of calls into one, ordered by the start of the calls. */
export function readCalls({ callHistory }: McpcheckerTaskRun): CallRecord[] {
  const { ToolCalls, ResourceReads, PromptGets } = callHistory ?? {};
  const calls = [
    ...(ToolCalls ?? []).map(({ name, ...call }) => readCall('tool', name, call)),
    ...(ResourceReads ?? []).map(({ uri, ...call }) => readCall('resource', uri, call)),
    ...(PromptGets ?? []).map(({ name, ...call }) => readCall('prompt', name, call)),
  ];
  return sortByTime(calls).map((call, index) => ({
    ...call,
    seq: makeEntrySeq(index),
    call: index + 1,
  }));
}

function readCall(kind: CallRecord['kind'], name: string, call: AnyCall): CallRecord {
  const { serverName, timestamp, success, error, tokens, result } = call;
  return {
    seq: 1,
    call: 1,
    kind,
    server: serverName,
    name,
    args: ('request' in call ? call.request?.Params?.arguments : undefined) ?? null,
    result: result ?? null,
    error: error ? { message: error } : null,
    isError: success === false || (kind === 'tool' && isErrorResult(result)),
    // mcpchecker has no policy that could block a call.
    blocked: false,
    startedAt: timestamp ?? null,
    durationMs: null,
    tokens: readCallTokens(tokens),
  };
}

function isErrorResult(result: unknown): boolean {
  const isObject = typeof result === 'object' && result !== null;
  return isObject && 'isError' in result && result.isError === true;
}

function readCallTokens(tokens: McpcheckerTokens): CallRecord['tokens'] {
  if (!tokens) return null;
  return { args: toCount(tokens.inputTokens), result: toCount(tokens.outputTokens) };
}

/** A count as records have it: a whole number from 0. */
export function toCount(number: number | null | undefined): number {
  return Number.isSafeInteger(number) ? Math.max(0, number ?? 0) : 0;
}

/** Sorts calls by time; the order stays if the time of a call cannot be read. */
function sortByTime(calls: CallRecord[]): CallRecord[] {
  const placed = calls.flatMap((call) => {
    const time = parseNanoseconds(call.startedAt ?? '');
    return time === undefined ? [] : [{ call, time }];
  });
  if (placed.length < calls.length) return calls;
  return placed
    .sort((left, right) => (left.time < right.time ? -1 : left.time > right.time ? 1 : 0))
    .map(({ call }) => call);
}

/** Go writes nanoseconds, of which a Date keeps only the milliseconds. */
function parseNanoseconds(timestamp: string): bigint | undefined {
  const milliseconds = Date.parse(timestamp);
  if (Number.isNaN(milliseconds)) return undefined;
  const [, fraction = ''] = /\.(\d+)/.exec(timestamp) ?? [];
  const seconds = BigInt(Math.floor(milliseconds / 1000));
  return seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

type Phase = McpcheckerTaskRun['setupOutput'];
type Step = NonNullable<NonNullable<Phase>['Steps']>[number];
type OutputStep = NonNullable<
  NonNullable<NonNullable<McpcheckerTaskRun['agentOutput']>['agentDetails']>['outputSteps']
>[number];

/** Longer answers of tools are truncated here; the calls have them whole. */
const maxResultLength = 10_000;

export function readPhases(result: McpcheckerTaskRun, lost: LostMembers): TaskRunRecord['phases'] {
  return {
    setup: readStepPhase(result, 'setupOutput', lost),
    agent: readAgentPhase(result),
    verify: readStepPhase(result, 'verifyOutput', lost),
    cleanup: readStepPhase(result, 'cleanupOutput', lost),
  };
}

function readStepPhase(
  result: McpcheckerTaskRun,
  key: 'setupOutput' | 'verifyOutput' | 'cleanupOutput',
  lost: LostMembers,
): StepPhaseRecord | null {
  const phase = result[key];
  if (!phase) return null;
  const { Success, Error: error, Steps } = phase;
  const isKnown = lost.findReason(`${key}.Success`) === undefined;
  return {
    outcome: isKnown ? (Success === false ? 'failed' : 'passed') : null,
    durationMs: null,
    ...(error ? { message: error } : {}),
    steps: (Steps ?? []).map((step, index) => readStep(step, index + 1)),
  };
}

function readStep(recorded: Step, step: number): StepRecord {
  const { type, success, message, error, outputs } = recorded ?? unknownStep;
  const passed = success === true;
  // The message of a judge is its reason, also if the answer passed.
  const text = (passed ? message : error) || message || error;
  return {
    seq: makeEntrySeq(step - 1),
    step,
    kind: type || 'unknown',
    at: null,
    passed,
    outcome: passed ? 'passed' : recorded ? 'failed' : 'error',
    ...(text ? { message: text } : {}),
    outputs: outputs ?? {},
    durationMs: null,
  };
}

/** Stands for a step whose script could not be run, for which mcpchecker writes null. */
const unknownStep: NonNullable<Step> = { message: 'the results have nothing about this step' };

/** The agent's phase; null if setup failed. The oldest results do not have it, though the agent ran. */
function readAgentPhase(result: McpcheckerTaskRun): AgentPhaseRecord | null {
  const { agentOutput, agentExecutionError, setupOutput, timedOut } = result;
  if (setupOutput?.Success === false) return null;
  const failed = agentExecutionError || agentOutput?.Success === false;
  return {
    outcome: timedOut ? 'timeout' : failed ? 'failed' : 'passed',
    durationMs: null,
    ...(agentOutput?.Error ? { message: agentOutput.Error } : {}),
    steps: readAgentSteps(agentOutput).map((step, index) => ({
      ...step,
      seq: makeEntrySeq(index),
    })),
  };
}

type UnnumberedStep = Omit<AgentStepRecord, 'seq'>;

function readAgentSteps(output: McpcheckerTaskRun['agentOutput']): UnnumberedStep[] {
  const detailed = output?.agentDetails?.outputSteps;
  if (detailed) return detailed.flatMap(readOutputStep);
  return (output?.Steps ?? []).map(({ type, message }) =>
    type === 'tool_call'
      ? { kind: 'tool-call', tool: message ?? '' }
      : { kind: decideTextKind(type), text: message ?? '' },
  );
}

function readOutputStep({ type, content, toolCall }: OutputStep, index: number): UnnumberedStep[] {
  if (!toolCall) return [{ kind: decideTextKind(type), text: content ?? '' }];
  const { title, status, rawInput, rawOutput } = toolCall;
  const id = String(index + 1);
  const call: UnnumberedStep = { kind: 'tool-call', tool: title ?? '', id };
  if (rawInput !== undefined && rawInput !== null) call.args = rawInput;
  if (typeof rawOutput !== 'string') return [call];
  const text = truncate(rawOutput, maxResultLength);
  return [call, { kind: 'tool-result', id, isError: status === 'failed', text }];
}

function decideTextKind(type: string | null | undefined): 'thinking' | 'message' {
  return type === 'thinking' || type === 'thought' ? 'thinking' : 'message';
}
