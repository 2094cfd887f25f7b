import { truncateWithCount } from '../base/text.js';
import type { StepPhaseRecord, StepRecord, TaskRunRecord } from '../results/task-run-record.js';

/** Something that did not hold, and where it is written. */
export interface FailedCheck {
  what: string;
  message: string;
  /** Of a script: what was run, and what it wrote. */
  details?: string[];
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
  return (recorded?.steps ?? []).flatMap((each) => {
    const { step, kind, passed, message, outcome, at } = each;
    if (passed) return [];
    const what = `${phase} step ${step} (${kind})`;
    return [{ what, message: message ?? outcome, details: scriptDetails(each), at }];
  });
}

/** In characters: of a script and of each of its outputs. */
const longestDetail = 2000;

function scriptDetails({ script, outputs }: StepRecord): string[] {
  if (!script) return [];
  const title = script.file === undefined ? 'script' : `script ${script.file}`;
  return [[title, script.text], ...['stdout', 'stderr'].map((name) => [name, outputs[name] ?? ''])]
    .filter(([, text = '']) => text.trim() !== '')
    .map(
      ([name, text = '']) =>
        `${name}:\n${indented(truncateWithCount(text.trimEnd(), longestDetail))}`,
    );
}

function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}

/** One line for each. */
export function failedCheckLines(taskRun: TaskRunRecord): string[] {
  return failedChecks(taskRun).map(({ what, message, details = [], at }) => {
    const place = at ? ` (${at.file}:${at.line})` : '';
    return [`${what}${place}: ${message}`, ...details.map(indented)].join('\n');
  });
}
