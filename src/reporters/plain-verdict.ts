import { truncateWithCount } from '../base/text.js';
import { formatTaskName } from '../journal/task-run-events.js';
import { isControl } from '../results/read/pooled-results.js';
import type { ResultsHeader } from '../results/results-header.js';
import type { StepPhaseRecord, StepRecord, TaskRunRecord } from '../results/task-run-record.js';

/** A verdict in the terms of test runners: good, failure, or error if it could not be judged. */
export interface PlainVerdict {
  is: 'good' | 'failure' | 'error';
  /** Kind of failure. */
  type: string;
  message: string;
}

const good: PlainVerdict = { is: 'good', type: 'passed', message: '' };

export function decidePlainVerdict(
  { outcome, failure }: TaskRunRecord,
  header: Pick<ResultsHeader, 'agent'>,
): PlainVerdict {
  // In a control run, a task that fails is good: it does not pass if nothing is done.
  if (isControl(header)) {
    if (outcome === 'failed') return good;
    if (outcome === 'passed') {
      const message = 'it passes without an agent: it checks nothing';
      return { is: 'failure', type: 'passed-without-agent', message };
    }
  } else if (outcome === 'passed') return good;
  return {
    is: outcome === 'error' || outcome === 'cancelled' ? 'error' : 'failure',
    type: failure?.category ?? outcome,
    message: failure?.message ?? outcome,
  };
}

/** `create-pod`, or `create-pod [gpt-5] (run 2 of 3)` where there are variants and several runs. */
export function formatTaskRunName(taskRun: TaskRunRecord): string {
  const { run, runs } = taskRun;
  const name = formatTaskName(taskRun);
  return runs > 1 ? `${name} (run ${run} of ${runs})` : name;
}

/** A failed step or assertion, and where it is written. */
export interface FailedCheck {
  title: string;
  message: string;
  /** Text and outputs of a script. */
  details?: string[];
  at: { file: string; line: number } | null;
}

/** Lists the failed steps and assertions of a task run. */
export function listFailedChecks({ phases, assertions }: TaskRunRecord): FailedCheck[] {
  return [
    ...listFailedSteps('setup', phases.setup),
    ...listFailedSteps('verify', phases.verify),
    ...assertions.flatMap(({ name, passed, reason, details, at }) =>
      passed ? [] : [{ title: name, message: [reason, ...details].join('\n'), at }],
    ),
  ];
}

function listFailedSteps(phase: string, recorded: StepPhaseRecord | null): FailedCheck[] {
  return (recorded?.steps ?? []).flatMap((entry) => {
    const { step, kind, passed, message, outcome, at } = entry;
    if (passed) return [];
    const title = `${phase} step ${step} (${kind})`;
    return [{ title, message: message ?? outcome, details: listScriptDetails(entry), at }];
  });
}

/** Characters that are shown of a script, and of each of its outputs. */
const longestDetail = 2000;

function listScriptDetails({ script, outputs }: StepRecord): string[] {
  if (!script) return [];
  const title = script.file === undefined ? 'script' : `script ${script.file}`;
  return [[title, script.text], ...['stdout', 'stderr'].map((name) => [name, outputs[name] ?? ''])]
    .filter(([, text = '']) => text.trim() !== '')
    .map(
      ([name, text = '']) =>
        `${name}:\n${indent(truncateWithCount(text.trimEnd(), longestDetail))}`,
    );
}

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}

/** Formats each failed check as a line, followed by its details. */
export function formatFailedChecks(taskRun: TaskRunRecord): string[] {
  return listFailedChecks(taskRun).map(({ title, message, details = [], at }) => {
    const place = at ? ` (${at.file}:${at.line})` : '';
    return [`${title}${place}: ${message}`, ...details.map(indent)].join('\n');
  });
}
