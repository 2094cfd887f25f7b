import { formatDollars, formatShortNumber } from '../../analysis/figure-text.js';
import { describeKappa } from '../../base/statistics/cohens-kappa.js';
import { plural } from '../../base/text.js';
import type { Agreement } from '../../judge/agreement.js';
import type { Style } from '../terminal/output.js';
import { terminalLine } from '../terminal/text.js';
import {
  type JudgedCase,
  type JudgeMeasurement,
  type MissedThreshold,
  measureAgreementByMode,
  measureCaseAgreement,
  sumSpending,
} from './measure-judge.js';

/** How far a judge can be trusted: in numbers, then the answers on which it was wrong. */
export function renderJudgeEval(measurement: JudgeMeasurement, style: Style): string {
  const { cases, file } = measurement;
  const agreement = measureCaseAgreement(cases);
  const wrong = (passed: boolean) =>
    cases.filter(({ case: { expected }, judgement }) => {
      return judgement.passed === passed && expected !== passed;
    });
  const silent = cases.filter(({ judgement }) => judgement.passed === null);
  const blocks = [
    renderHeading(measurement, style),
    renderMatrix(agreement, style),
    renderSummary(agreement, cases),
    renderCases('false passes: wrong answers that the judge let through', wrong(true), file, style),
    renderCases('false fails: right answers that it rejected', wrong(false), file, style),
    renderCases('no verdict: counted neither as right nor as wrong', silent, file, style),
    renderEnding(measurement, agreement, style),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map(asText)
    .join('\n')}`;
}

const asText = (lines: readonly string[]) => `${lines.join('\n')}\n`;

function renderHeading({ judge, cases, planned, votes }: JudgeMeasurement, style: Style): string[] {
  const { name, type, model, version } = judge;
  const details = [type, model, version].flatMap((part) => (part === undefined ? [] : [part]));
  const who = `${style('bold', terminalLine(name))} (${terminalLine(details.join(', '))})`;
  const asked =
    cases.length < planned
      ? `${cases.length} of ${plural(planned, 'case')}`
      : plural(planned, 'case');
  return [`${who} judged ${asked}, ${plural(votes, 'vote')} each`];
}

const columnWidth = 'should pass'.length;
const labelWidth = "Cohen's kappa".length;

function renderMatrix(agreement: Agreement, style: Style): string[] {
  const { truePasses, trueFails, falsePasses, falseFails } = agreement;
  const cell = (count: number, isWrong: boolean) => {
    const text = String(count).padStart(columnWidth);
    return isWrong && count > 0 ? style('red', text) : text;
  };
  const label = (text: string) => text.padEnd(labelWidth);
  return [
    `${label('')}  ${style('bold', 'should pass')}  ${style('bold', 'should fail')}`,
    `${label('judge passed')}  ${cell(truePasses, false)}  ${cell(falsePasses, true)}`,
    `${label('judge failed')}  ${cell(falseFails, true)}  ${cell(trueFails, false)}`,
  ];
}

function renderSummary(agreement: Agreement, cases: readonly JudgedCase[]): string[] {
  const { falsePasses, falseFails, trueFails, truePasses } = agreement;
  const byMode = measureAgreementByMode(cases);
  const line = (label: string, text: string) => `${label.padEnd(labelWidth)}  ${text}`;
  return [
    line('agreement', formatAgreement(agreement)),
    ...(byMode.length > 1
      ? byMode.map(([mode, part]) => line(`  ${mode}`, formatAgreement(part)))
      : []),
    line("Cohen's kappa", formatKappa(agreement)),
    line('false passes', `${falsePasses} of ${plural(falsePasses + trueFails, 'wrong answer')}`),
    line('false fails', `${falseFails} of ${plural(falseFails + truePasses, 'right answer')}`),
  ];
}

function formatAgreement({ agreed, cases, errors, agreement, interval }: Agreement): string {
  if (agreement === null || interval === null) return 'n/a: no answer has a verdict';
  const { low, high } = interval;
  const range = `95% interval ${formatPercent(low)} to ${formatPercent(high)}`;
  return `${agreed} of ${cases - errors} (${formatPercent(agreement)}, ${range})`;
}

function formatKappa({ kappa, agreement }: Agreement): string {
  if (kappa !== null) return `${kappa.toFixed(2)} (${describeKappa(kappa)})`;
  if (agreement === null) return 'n/a: no answer has a verdict';
  return 'n/a: judge and labels say the same one thing of every answer';
}

function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)}%`;
}

function renderCases(
  title: string,
  cases: readonly JudgedCase[],
  file: string,
  style: Style,
): string[] {
  if (cases.length === 0) return [];
  return [
    style('yellow', title),
    ...cases.flatMap(({ case: { name, line, mode }, judgement }) => [
      `  ${style('bold', terminalLine(name))}  ${style('dim', `${terminalLine(file)}:${line}`)}  ${mode}`,
      `      ${terminalLine(judgement.reason)}`,
    ]),
  ];
}

function renderEnding(
  { cases, missed, planned }: JudgeMeasurement,
  { errors }: Agreement,
  style: Style,
): string[] {
  const { usage, cost } = sumSpending(cases);
  const spent = [
    ...(usage ? [`${formatShortNumber(usage.inputTokens + usage.outputTokens)} tokens`] : []),
    ...(cost === undefined ? [] : [formatDollars(cost)]),
  ];
  const left = planned - cases.length;
  return [
    ...(spent.length > 0 ? [spent.join(', ')] : []),
    ...(left > 0 ? [style('yellow', `stopped: ${plural(left, 'case')} not judged`)] : []),
    ...(errors > 0 ? [style('red', `${plural(errors, 'case')} without a verdict`)] : []),
    ...missed.map((each) => style('red', formatMissed(each))),
  ];
}

function formatMissed({ option, limit, found }: MissedThreshold): string {
  const shown = found === null ? 'it could not be measured' : `it is ${roundDown(found)}`;
  return `missed: ${option} ${limit}, ${shown}`;
}

/** Down, so that what is missed by a hair is not shown as reached. */
function roundDown(value: number): string {
  return String(Math.floor(value * 10_000) / 10_000);
}
