import type { RecordedTaskRun } from './recorded-task-run.js';
import type { TaskRunResult } from './task-run-schema.js';

/** A task run out of results of our own. */
export function recordedFromOwn(result: TaskRunResult): RecordedTaskRun {
  const { task, run, outcome, assertions, calls, phases } = result;
  const steps = phases.agent?.steps ?? [];
  return {
    task,
    run,
    outcome,
    unfinished: unfinishedReason(result),
    assertions,
    calls: calls.map(({ call, kind, server, name, args, isError, blocked }) => ({
      call,
      kind,
      server,
      name,
      args: args ?? undefined,
      isError,
      blocked,
    })),
    toolSteps: steps.flatMap(({ kind, tool, args }) =>
      kind === 'tool-call' && tool !== undefined ? [{ tool, args }] : [],
    ),
  };
}

function unfinishedReason({ phases, outcome, failure }: TaskRunResult): string | undefined {
  if (phases.agent?.outcome === 'passed') return undefined;
  const what = phases.agent ? 'the agent did not come to its end' : 'the agent did not run';
  const why = failure?.message ?? phases.agent?.message ?? `the outcome was ${outcome}`;
  return `${what}: ${why}`;
}
