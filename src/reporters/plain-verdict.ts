import { truncateWithCount } from '../base/text.js';
import { taskInWords } from '../events/task-run-key.js';
import { isControl } from '../results/read/pooled-results.js';
import type { ResultsHeader } from '../results/results-header.js';
import type { StepPhaseRecord, StepRecord, TaskRunRecord } from '../results/task-run-record.js';

/** A task run in the words of test programs: it is good, it failed, or it could not be judged. */
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
  // Without an agent, a task that fails is one that notices.
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
  const name = taskInWords(taskRun);
  return runs > 1 ? `${name} (run ${run} of ${runs})` : name;
}

/** Something that did not hold, and where it is written. */
export interface FailedCheck {
  what: string;
  message: string;
  /** Of a script: what was run, and what it wrote. */
  details?: string[];
  at: { file: string; line: number } | null;
}

/** What did not pass in setup, verification and assertions of a task run. */
export function listFailedChecks({ phases, assertions }: TaskRunRecord): FailedCheck[] {
  return [
    ...listFailedSteps('setup', phases.setup),
    ...listFailedSteps('verify', phases.verify),
    ...assertions.flatMap(({ name, passed, reason, details, at }) =>
      passed ? [] : [{ what: name, message: [reason, ...details].join('\n'), at }],
    ),
  ];
}

function listFailedSteps(phase: string, recorded: StepPhaseRecord | null): FailedCheck[] {
  return (recorded?.steps ?? []).flatMap((each) => {
    const { step, kind, passed, message, outcome, at } = each;
    if (passed) return [];
    const what = `${phase} step ${step} (${kind})`;
    return [{ what, message: message ?? outcome, details: listScriptDetails(each), at }];
  });
}

/** In characters: of a script and of each of its outputs. */
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

/** One line for each. */
export function formatFailedChecks(taskRun: TaskRunRecord): string[] {
  return listFailedChecks(taskRun).map(({ what, message, details = [], at }) => {
    const place = at ? ` (${at.file}:${at.line})` : '';
    return [`${what}${place}: ${message}`, ...details.map(indent)].join('\n');
  });
}
