import * as z from 'zod/mini';
import type { AgentCall } from '../assertions/check.js';
import type { Outcome } from '../events/event.js';
import type { RecordedTaskRun } from './recorded-task-run.js';

const ofEveryCall = {
  serverName: z.string(),
  timestamp: z.nullish(z.string()),
  success: z.nullish(z.boolean()),
};

const request = z.nullish(
  z.object({ Params: z.nullish(z.object({ arguments: z.nullish(z.unknown()) })) }),
);

const phase = z.nullish(
  z.object({ Success: z.nullish(z.boolean()), Error: z.nullish(z.string()) }),
);

/** As much of a task run of mcpchecker as there is to judge. Any of its lists may be null. */
export const mcpcheckerTaskRunSchema = z.object({
  taskName: z.string(),
  /** From 0, and left out if it is 0. */
  runIndex: z.nullish(z.number()),
  taskPassed: z.nullish(z.boolean()),
  taskOutput: z.nullish(z.string()),
  allAssertionsPassed: z.nullish(z.boolean()),
  taskError: z.nullish(z.string()),
  timedOut: z.nullish(z.boolean()),
  agentExecutionError: z.nullish(z.boolean()),
  setupOutput: phase,
  agentOutput: phase,
  assertionResults: z.nullish(
    z.record(
      z.string(),
      z.nullish(z.object({ passed: z.boolean(), reason: z.nullish(z.string()) })),
    ),
  ),
  callHistory: z.nullish(
    z.object({
      ToolCalls: z.nullish(
        z.array(
          z.object({
            ...ofEveryCall,
            name: z.string(),
            request,
            result: z.nullish(z.object({ isError: z.nullish(z.boolean()) })),
          }),
        ),
      ),
      ResourceReads: z.nullish(z.array(z.object({ ...ofEveryCall, uri: z.string() }))),
      PromptGets: z.nullish(z.array(z.object({ ...ofEveryCall, name: z.string(), request }))),
    }),
  ),
});

type McpcheckerTaskRun = z.infer<typeof mcpcheckerTaskRunSchema>;

export function recordedFromMcpchecker(result: McpcheckerTaskRun): RecordedTaskRun {
  return {
    task: result.taskName,
    run: (result.runIndex ?? 0) + 1,
    outcome: outcomeOf(result),
    unfinished: unfinishedReason(result),
    assertions: Object.entries(result.assertionResults ?? {}).flatMap(([name, verdict]) =>
      verdict
        ? [{ name, passed: verdict.passed, reason: verdict.reason ?? '', at: undefined }]
        : [],
    ),
    calls: callsOf(result),
    toolSteps: undefined,
    prompt: undefined,
    output: result.taskOutput ?? undefined,
    // Its steps tell neither their ids nor, of a judge, what was asked.
    steps: [],
    random: undefined,
  };
}

/** In our words: it only tells whether the task and its assertions passed. */
function outcomeOf(result: McpcheckerTaskRun): Outcome {
  if (result.taskPassed && result.allAssertionsPassed !== false) return 'passed';
  if (result.timedOut) return 'timeout';
  return unfinishedReason(result) === undefined ? 'failed' : 'error';
}

function unfinishedReason(result: McpcheckerTaskRun): string | undefined {
  const { taskError, setupOutput, agentOutput } = result;
  const because = (why: string | null | undefined) => (why ? `: ${why}` : '');
  if (setupOutput?.Success === false) return `setup failed${because(setupOutput.Error)}`;
  if (result.timedOut) return `the time limit was reached${because(taskError)}`;
  if (result.agentExecutionError || agentOutput?.Success === false) {
    return `the agent did not come to its end${because(agentOutput?.Error ?? taskError)}`;
  }
  return undefined;
}

interface TimedCall {
  timestamp: string | null | undefined;
  call: Omit<AgentCall, 'call'>;
}

/** The three lists are made one, by the time at which the calls began. */
function callsOf({ callHistory }: McpcheckerTaskRun): AgentCall[] {
  const { ToolCalls, ResourceReads, PromptGets } = callHistory ?? {};
  const calls: TimedCall[] = [
    ...(ToolCalls ?? []).map(({ name, timestamp, request, result, ...each }) => {
      const args = request?.Params?.arguments ?? undefined;
      const isError = each.success === false || result?.isError === true;
      return timed('tool', name, each.serverName, timestamp, isError, args);
    }),
    ...(ResourceReads ?? []).map(({ uri, timestamp, ...each }) =>
      timed('resource', uri, each.serverName, timestamp, each.success === false),
    ),
    ...(PromptGets ?? []).map(({ name, timestamp, request, ...each }) => {
      const args = request?.Params?.arguments ?? undefined;
      return timed('prompt', name, each.serverName, timestamp, each.success === false, args);
    }),
  ];
  return inOrder(calls).map(({ call }, index) => ({ ...call, call: index + 1 }));
}

function timed(
  kind: 'tool' | 'resource' | 'prompt',
  name: string,
  server: string,
  timestamp: TimedCall['timestamp'],
  isError: boolean,
  args?: unknown,
): TimedCall {
  // It has no policy that could have blocked a call.
  return { timestamp, call: { kind, server, name, args, isError, blocked: false } };
}

/** Left as they are where the time of one cannot be read. */
function inOrder(calls: TimedCall[]): TimedCall[] {
  const placed = calls.flatMap((call) => {
    const time = nanosecondsOf(call.timestamp ?? '');
    return time === undefined ? [] : [{ call, time }];
  });
  if (placed.length < calls.length) return calls;
  return placed
    .sort((left, right) => (left.time < right.time ? -1 : left.time > right.time ? 1 : 0))
    .map(({ call }) => call);
}

/** Go writes nanoseconds, of which a Date keeps only the milliseconds. */
function nanosecondsOf(timestamp: string): bigint | undefined {
  const milliseconds = Date.parse(timestamp);
  if (Number.isNaN(milliseconds)) return undefined;
  const [, fraction = ''] = /\.(\d+)/.exec(timestamp) ?? [];
  const seconds = BigInt(Math.floor(milliseconds / 1000));
  return seconds * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}
