import { truncate } from '../../base/text.js';
import type {
  AgentPhaseRecord,
  AgentStepRecord,
  StepPhaseRecord,
  StepRecord,
  TaskRunRecord,
} from '../task-run-record.js';
import { numberOfEntry } from './event-numbers.js';
import type { LostMembers } from './lost-members.js';
import type { McpcheckerTaskRun } from './task-run-schema.js';

type Phase = McpcheckerTaskRun['setupOutput'];
type Step = NonNullable<NonNullable<Phase>['Steps']>[number];
type OutputStep = NonNullable<
  NonNullable<NonNullable<McpcheckerTaskRun['agentOutput']>['agentDetails']>['outputSteps']
>[number];

/** Of what a tool answered the calls have the whole. */
const maxResultLength = 10_000;

export function phasesOf(result: McpcheckerTaskRun, lost: LostMembers): TaskRunRecord['phases'] {
  return {
    setup: stepPhase(result, 'setupOutput', lost),
    agent: agentPhase(result),
    verify: stepPhase(result, 'verifyOutput', lost),
    cleanup: stepPhase(result, 'cleanupOutput', lost),
  };
}

function stepPhase(
  result: McpcheckerTaskRun,
  key: 'setupOutput' | 'verifyOutput' | 'cleanupOutput',
  lost: LostMembers,
): StepPhaseRecord | null {
  const phase = result[key];
  if (!phase) return null;
  const { Success, Error: error, Steps } = phase;
  const isKnown = lost.reason(`${key}.Success`) === undefined;
  return {
    outcome: isKnown ? (Success === false ? 'failed' : 'passed') : null,
    durationMs: null,
    ...(error ? { message: error } : {}),
    steps: (Steps ?? []).map((step, index) => stepRecord(step, index + 1)),
  };
}

function stepRecord(recorded: Step, step: number): StepRecord {
  const { type, success, message, error, outputs } = recorded ?? unknownStep;
  const passed = success === true;
  // Of a judge it is the reason, also if it let the answer pass.
  const text = (passed ? message : error) || message || error;
  return {
    seq: numberOfEntry(step - 1),
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

/** What is written of a step whose script could not be run: null. */
const unknownStep: NonNullable<Step> = { message: 'the results have nothing about this step' };

/** Null if setup failed. The oldest results do not have the phase, though the agent ran. */
function agentPhase(result: McpcheckerTaskRun): AgentPhaseRecord | null {
  const { agentOutput, agentExecutionError, setupOutput, timedOut } = result;
  if (setupOutput?.Success === false) return null;
  const failed = agentExecutionError || agentOutput?.Success === false;
  return {
    outcome: timedOut ? 'timeout' : failed ? 'failed' : 'passed',
    durationMs: null,
    ...(agentOutput?.Error ? { message: agentOutput.Error } : {}),
    steps: agentSteps(agentOutput).map((step, index) => ({ ...step, seq: numberOfEntry(index) })),
  };
}

type UnnumberedStep = Omit<AgentStepRecord, 'seq'>;

function agentSteps(output: McpcheckerTaskRun['agentOutput']): UnnumberedStep[] {
  const detailed = output?.agentDetails?.outputSteps;
  if (detailed) return detailed.flatMap(outputSteps);
  return (output?.Steps ?? []).map(({ type, message }) =>
    type === 'tool_call'
      ? { kind: 'tool-call', tool: message ?? '' }
      : { kind: saidKind(type), text: message ?? '' },
  );
}

function outputSteps({ type, content, toolCall }: OutputStep, index: number): UnnumberedStep[] {
  if (!toolCall) return [{ kind: saidKind(type), text: content ?? '' }];
  const { title, status, rawInput, rawOutput } = toolCall;
  const id = String(index + 1);
  const call: UnnumberedStep = { kind: 'tool-call', tool: title ?? '', id };
  if (rawInput !== undefined && rawInput !== null) call.args = rawInput;
  if (typeof rawOutput !== 'string') return [call];
  const text = truncate(rawOutput, maxResultLength);
  return [call, { kind: 'tool-result', id, isError: status === 'failed', text }];
}

function saidKind(type: string | null | undefined): 'thinking' | 'message' {
  return type === 'thinking' || type === 'thought' ? 'thinking' : 'message';
}
