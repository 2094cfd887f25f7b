import { dirname, join } from 'node:path';
import { formatShortDuration } from '../../../analysis/figure-text.js';
import { plural } from '../../../base/text.js';
import { callColors } from '../../render-call.js';
import type { Style } from '../../terminal/output.js';
import { terminalLine } from '../../terminal/text.js';
import type { FinishedTaskRun } from '../live/finished-task-run.js';
import type {
  FailedAssertion,
  FailedStep,
  RecentCall,
  StepText,
} from '../live/task-run-evidence.js';
import {
  describeOutcome,
  formatStepName,
  formatTaskRunName,
  joinLines,
  type TextEnd,
} from '../wording.js';

/** Where more can be read about a failure. */
export interface EvidencePlace {
  journalPath: string;
}

/** Runs of one task that failed for the same reason. */
export type FailedRuns = [first: FinishedTaskRun, ...others: FinishedTaskRun[]];

/** Everything that is known about why a task run did not pass, and which others failed like it. */
export function renderFailure(runs: FailedRuns, place: EvidencePlace, style: Style): string[] {
  const [run, ...others] = runs;
  const { outcome, failure, evidence, answer, durationMs, worker } = run;
  const { word, format } = describeOutcome(outcome, false);
  const facts = [
    formatShortDuration(durationMs),
    ...(worker ? [`on ${terminalLine(worker)}`] : []),
  ];
  const head = `${style('bold', formatTaskRunName(run))}  ${style(format, word)}  ${style('dim', facts.join(', '))}`;
  const alike = others.map((other) => other.run).join(', ');
  const same = others.length === 1 ? `run ${alike} failed` : `runs ${alike} failed`;
  const lines = failure
    ? [`${style('red', failure.category)}: ${terminalLine(failure.message)}`]
    : [];
  if (evidence) {
    // What decided stands above: it is not repeated.
    const headline = failure?.message ?? '';
    // Failures of cleanup did not decide: they are among the notes.
    lines.push(
      ...evidence.steps.flatMap((step) => stepLines(step, headline, place, style)),
      ...moreSteps(evidence.stepsLeftOut),
      ...evidence.assertions.flatMap((assertion) => assertionLines(assertion, headline, style)),
      ...callLines(evidence.calls, run.calls, style),
    );
    const warning = evidence.warnings.get(failure?.evidence ?? 0);
    if (warning) lines.push(...quoted('details', warning, style));
    else if (evidence.details) lines.push(...quoted('details', evidence.details, style));
    else if (failure?.category.startsWith('agent-')) {
      const log = { lines: evidence.logs, leftOut: 0 };
      lines.push(...quoted("the end of the agent's log", log, style));
    }
    if (answer) lines.push(...quoted("the agent's answer", answer, style));
  }
  if (failure) {
    // An event is a line of the journal, and its number that of the line.
    lines.push(`evidence: ${terminalLine(place.journalPath)}:${failure.evidence}`);
  }
  if (run.workdir !== undefined) lines.push(`working directory: ${terminalLine(run.workdir)}`);
  if (others.length > 0) lines.push(style('dim', `${same} for the same reason`));
  return [head, ...lines.map((line) => `  ${line}`)];
}

function stepLines(
  step: FailedStep,
  headline: string,
  { journalPath }: EvidencePlace,
  style: Style,
): string[] {
  const { phase, source, outcome, message, script, details, outputs } = step;
  const what = `${phase} step ${step.step} (${terminalLine(formatStepName(step))})`;
  const isRepeated = message === '' || headline === formatHeadline(step);
  return [
    `${what} ${style('red', outcome)}  ${style('dim', placeText(source))}`,
    ...(isRepeated ? [] : [`  ${terminalLine(message)}`]),
    ...(script ? scriptLines(script, style) : []),
    ...details.map((detail) => `  - ${terminalLine(detail)}`),
    ...outputs.flatMap((text) => stepText(text, step, journalPath, style)),
  ];
}

/** The script that was run: its place stands above. */
function scriptLines({ title, beginning }: NonNullable<FailedStep['script']>, style: Style) {
  const { lines, leftOut } = beginning;
  if (lines.length === 0) return [`  ${terminalLine(title)}`];
  const more = leftOut > 0 ? [`${style('dim', '  |')} (${plural(leftOut, 'more line')})`] : [];
  return [
    `${terminalLine(title)}:`,
    ...lines.map((line) => `${style('dim', '  |')} ${terminalLine(line)}`),
    ...more,
  ].map((line) => `  ${line}`);
}

/** What the verdict says if this step decided. */
function formatHeadline({ phase, step, kind, id, message }: FailedStep): string {
  return joinLines(`${phase}, ${id ?? `step ${step}`} (${kind}): ${message}`);
}

function stepText(text: StepText, step: FailedStep, journalPath: string, style: Style): string[] {
  const { name, end, isCut, file } = text;
  const place =
    file === undefined ? `${journalPath}:${step.seq}` : join(dirname(journalPath), file);
  const isPart = isCut && file === undefined;
  const hasMore = end.leftOut > 0 || (isCut && !isPart);
  const where = hasMore ? `; ${isPart ? 'more' : 'all'} of it is in ${place}` : '';
  return quoted(name, end, style, { isCut, where }).map((line) => `  ${line}`);
}

function moreSteps(count: number): string[] {
  return count > 0 ? [`and ${plural(count, 'more step')} did not pass`] : [];
}

function assertionLines(assertion: FailedAssertion, headline: string, style: Style): string[] {
  const { name, reason, source, calls, details } = assertion;
  const shown = calls.length > 0 ? [`  see ${callNumbers(calls)}`] : [];
  return [
    `assertion ${terminalLine(name)} ${style('red', 'does not hold')}  ${style('dim', placeText(source))}`,
    ...(headline === `${name}: ${reason}` ? [] : [`  ${terminalLine(reason)}`]),
    ...(details ?? []).map((detail) => `  - ${terminalLine(detail)}`),
    ...shown,
  ];
}

function callNumbers(calls: readonly number[]): string {
  return `${calls.length === 1 ? 'call' : 'calls'} ${calls.join(', ')}`;
}

function callLines(calls: readonly RecentCall[], total: number, style: Style): string[] {
  if (calls.length === 0) return ['the agent made no calls'];
  const title =
    calls.length < total ? `the last ${calls.length} of ${plural(total, 'call')}` : 'calls';
  const width = Math.max(...calls.map(({ call }) => String(call).length));
  return [
    `${title}:`,
    ...calls.map(({ call, server, name, outcome, durationMs, args, reason }) => {
      const detail = reason === undefined ? args : `${args}  ${reason}`;
      return [
        `  ${String(call).padStart(width)}`,
        style(callColors[outcome], outcome.padEnd('ok   '.length)),
        style('bold', terminalLine(`${server}.${name}`)),
        terminalLine(detail),
        style('dim', formatShortDuration(durationMs)),
      ].join('  ');
    }),
  ];
}

/** Quotes lines of an agent, server or script, so that they cannot be taken for lines of Proctor. */
function quoted(
  title: string,
  { lines, leftOut }: TextEnd,
  style: Style,
  { isCut = false, where = '' } = {},
): string[] {
  if (lines.length === 0) return [];
  const total = isCut ? '' : ` of ${lines.length + leftOut}`;
  const count = leftOut > 0 ? `, the last ${lines.length}${total} lines` : '';
  return [
    `${title}${count}${terminalLine(where)}:`,
    ...lines.map((line) => `${style('dim', '  |')} ${terminalLine(line)}`),
  ];
}

function placeText({ file, line }: { file: string; line: number }): string {
  return terminalLine(`${file}:${line}`);
}
