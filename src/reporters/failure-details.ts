import type { StepPhaseRecord, TaskRunRecord } from '../results/task-run-record.js';

/** Something that did not hold, and where it is written. */
export interface FailedCheck {
  what: string;
  message: string;
  at: { file: string; line: number } | null;
}

/** What did not pass in setup, verification and assertions of a task run. */
export function failedChecks({ phases, assertions }: TaskRunRecord): FailedCheck[] {
  return [
    ...failedSteps('setup', phases.setup),
    ...failedSteps('verify', phases.verify),
    ...assertions.flatMap(({ name, passed, reason, details, at }) =>
      passed ? [] : [{ what: name, message: [reason, ...details].join('\n'), at }],
    ),
  ];
}

function failedSteps(phase: string, recorded: StepPhaseRecord | null): FailedCheck[] {
  return (recorded?.steps ?? []).flatMap(({ step, kind, passed, message, outcome, at }) =>
    passed ? [] : [{ what: `${phase} step ${step} (${kind})`, message: message ?? outcome, at }],
  );
}

/** One line for each. */
export function failedCheckLines(taskRun: TaskRunRecord): string[] {
  return failedChecks(taskRun).map(({ what, message, at }) => {
    const place = at ? ` (${at.file}:${at.line})` : '';
    return `${what}${place}: ${message}`;
  });
}
