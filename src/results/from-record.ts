import { quoteInexactNumbers } from '../base/json-text.js';
import type { RecordedStep, RecordedTaskRun } from './recorded-task-run.js';
import type { CallRecord, TaskRunRecord, TaskRunSoFar } from './task-run-record.js';

/** A task run out of results of our own, with the text that it was parsed from. */
export function recordedFromOwn(
  record: TaskRunSoFar,
  text: string,
  random?: RecordedTaskRun['random'],
): RecordedTaskRun {
  // Parsed once more only where that makes a difference.
  const exact = quoteInexactNumbers(text);
  const isAsRead = exact === text || record.incomplete === true;
  const exactCalls = isAsRead ? [] : (JSON.parse(exact) as TaskRunRecord).calls;
  return { ...recordedFrom(record, exactCalls), random };
}

/**
 * Its steps tell neither their ids nor, of a judge, what was asked. An empty answer may be one that
 * was not recorded: it is not to be judged.
 */
export function recordedFromMcpchecker(record: TaskRunRecord): RecordedTaskRun {
  const output = record.output || undefined;
  return { ...recordedFrom(record, []), output, toolSteps: undefined, steps: [] };
}

function recordedFrom(result: TaskRunSoFar, exactCalls: readonly CallRecord[]): RecordedTaskRun {
  const { task, variant, run, outcome, assertions, calls, phases } = result;
  const steps = phases.agent?.steps ?? [];
  const failed = new Set(
    steps.flatMap(({ kind, id, isError }) => (kind === 'tool-result' && isError ? [id] : [])),
  );
  return {
    task,
    variant,
    run,
    outcome,
    unfinished: unfinishedReason(result),
    assertions,
    calls: calls.map(({ call, kind, server, name, args, isError, blocked }, index) => ({
      call,
      kind,
      server,
      name,
      args: args ?? undefined,
      exactArgs: exactCalls[index]?.args ?? undefined,
      isError,
      blocked,
    })),
    toolSteps: steps.flatMap(({ kind, tool, args, id }) =>
      kind === 'tool-call' && tool !== undefined
        ? [{ tool, args, failed: id !== undefined && failed.has(id) }]
        : [],
    ),
    judging: result.judging,
    prompt: result.prompt ?? undefined,
    output: result.output,
    steps: [...stepsOf('setup', phases.setup), ...stepsOf('verify', phases.verify)],
    random: undefined,
  };
}

function stepsOf(
  phase: RecordedStep['phase'],
  recorded: TaskRunRecord['phases']['verify'],
): RecordedStep[] {
  return (recorded?.steps ?? []).map((each) => {
    const { step, kind, id, outputs, truncated = [], outcome, message, judgement } = each;
    const silent = { passed: null, reason: message ?? outcome };
    const verdict = kind === 'llmJudge' ? (judgement ?? silent) : undefined;
    return {
      phase,
      step,
      type: kind,
      id,
      outputs,
      truncated,
      verdict: verdict && { passed: verdict.passed, reason: verdict.reason },
    };
  });
}

function unfinishedReason(record: TaskRunSoFar): string | undefined {
  const { phases, outcome, failure } = record;
  // What is missing may be just what would not hold.
  if (record.incomplete) return 'a part of its record was left out';
  // Of a session of a recording nobody knows what else was to come.
  if (outcome === null) return undefined;
  if (phases.agent?.outcome === 'passed') return undefined;
  const what = phases.agent ? 'the agent did not come to its end' : 'the agent did not run';
  const why = failure?.message ?? phases.agent?.message ?? `the outcome was ${outcome}`;
  return `${what}: ${why}`;
}
