import { formatTaskName } from '../../journal/task-run-events.js';
import type { AssertionRecord, CallRecord, TaskRunRecord } from '../../results/task-run-record.js';
import { callHistory, tokenCounts } from './call-history.js';
import { phaseOutputs } from './phase-outputs.js';

/** A task run as mcpchecker would have written it. It has no variants: each is a task of its own. */
export function evalResult(taskRun: TaskRunRecord): object {
  const { path, difficulty, run, runs, output, assertions, calls } = taskRun;
  return {
    taskName: formatTaskName(taskRun),
    taskPath: path,
    ...verdict(taskRun),
    taskOutput: output,
    ...judgeReason(taskRun),
    difficulty: difficulty ?? '',
    ...(run > 1 && { runIndex: run - 1 }),
    totalRuns: runs,
    assertionResults: assertions.length > 0 ? assertionResults(assertions) : null,
    callHistory: callHistory(calls),
    ...tokens(taskRun),
    ...phaseOutputs(taskRun),
  };
}

/**
 * `taskPassed` is about verification alone. It has no word for what could not be judged, or was
 * cancelled: that is an error of the agent, which its own programs do not take for a verdict either.
 */
function verdict(taskRun: TaskRunRecord): object {
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

/** Of the first judge, as it does. Results that are its own have the reason as the step's message. */
function judgeReason({ phases }: TaskRunRecord): object {
  const judged = phases.verify?.steps.find(
    ({ judgement, kind, outcome }) => judgement || (kind === 'llmJudge' && outcome !== 'error'),
  );
  const reason = judged?.judgement?.reason ?? judged?.message;
  return reason === undefined ? {} : { taskJudgeReason: reason };
}

/** One for each key: of several, all have to hold. */
function assertionResults(assertions: readonly AssertionRecord[]): object {
  const byName = new Map<string, AssertionRecord[]>();
  for (const assertion of assertions) {
    byName.set(assertion.name, [...(byName.get(assertion.name) ?? []), assertion]);
  }
  const merged = [...byName].map(([name, all]): [string, object] => {
    const failed = all.filter(({ passed }) => !passed);
    const telling = failed.length > 0 ? failed : all;
    const reason = telling.map((each) => each.reason).join('; ');
    const details = telling.flatMap((each) => each.details);
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

/** Only what was told: it takes 0 for a measurement. */
function tokens({ usage, estimate, judge, calls }: TaskRunRecord): object {
  const sum = (kind: CallRecord['kind'], side: 'args' | 'result') =>
    calls.reduce((total, call) => total + (call.kind === kind ? (call.tokens?.[side] ?? 0) : 0), 0);
  const actual = usage && tokenCounts(usage.inputTokens, usage.outputTokens);
  return {
    ...((usage || estimate) && {
      tokenEstimate: {
        ...(actual ?? tokenCounts(0, 0)),
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
      judgeTokenUsage: tokenCounts(judge.usage.inputTokens, judge.usage.outputTokens),
    }),
  };
}
