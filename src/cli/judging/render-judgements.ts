import { plural } from '../../config/plural.js';
import type { Recheck } from '../../results/recheck.js';
import {
  type JudgementChangeKind,
  judgementChange,
  type Rejudgement,
} from '../../results/rejudgement.js';
import { dollars, shortNumber } from '../check/amounts.js';
import { judgementTotals } from '../recheck-data.js';
import type { Style } from '../style.js';
import { terminalLine } from '../terminal-text.js';

const labels: Record<JudgementChangeKind, string> = {
  'now-fails': 'now fails',
  'now-passes': 'now passes',
  'no-verdict': 'no verdict',
  new: 'new',
};
const columnWidth = 'still passes'.length;

interface PlacedJudgement {
  task: string;
  run: number;
  judgement: Rejudgement;
  change: JudgementChangeKind | undefined;
}

/** What the judge says now and said then, step by step: what changed, then the rest. */
export function renderJudgements({ taskRuns }: Recheck, style: Style): string[] {
  const all: PlacedJudgement[] = taskRuns.flatMap(({ task, run, judgements = [] }) =>
    judgements.map((judgement) => ({ task, run, judgement, change: judgementChange(judgement) })),
  );
  const changed = all.filter(({ change }) => change !== undefined);
  const same = all.filter(({ change }) => change === undefined);
  return [...changed, ...same].map((each) => `${renderJudgement(each, style).join('\n')}\n`);
}

function renderJudgement(
  { task, run, judgement, change }: PlacedJudgement,
  style: Style,
): string[] {
  const { step, id, at, mode, passed, before, notes } = judgement;
  const label = (change === undefined ? stillLabel(passed) : labels[change]).padEnd(columnWidth);
  const color = passed === true ? 'green' : passed === false ? 'red' : 'yellow';
  const name = id === undefined ? `step ${step}` : `step ${step} (${terminalLine(id)})`;
  const place = style('dim', terminalLine(`${at.file}:${at.line}`));
  return [
    `${style(color, label)}  ${style('bold', terminalLine(task))}  run ${run}  ${name}  ${mode}  ${place}`,
    ...(before ? [`    then: ${verdictText(before)}`] : []),
    `    now: ${verdictText(judgement)}`,
    ...notes.map((note) => `    ${style('yellow', `uncertain: ${terminalLine(note)}`)}`),
  ];
}

function stillLabel(passed: boolean | null): string {
  if (passed === null) return 'no verdict';
  return passed ? 'still passes' : 'still fails';
}

function verdictText({ passed, reason }: { passed: boolean | null; reason: string }): string {
  const verdict = passed === null ? 'no verdict' : passed ? 'passed' : 'failed';
  return `${verdict}: ${terminalLine(reason)}`;
}

export function renderJudgementTotals(recheck: Recheck, style: Style): string[] {
  const totals = judgementTotals(recheck);
  const { judgements, judgementsPassed, judgementsWithoutVerdict, usage, cost } = totals;
  if (judgements === 0) return [];
  const color = judgementsPassed === judgements ? 'green' : 'red';
  const sum = `${judgementsPassed} of ${plural(judgements, 'judgement')}`;
  const silent =
    judgementsWithoutVerdict > 0 ? [`${judgementsWithoutVerdict} without a verdict`] : [];
  const spent = [
    ...(usage ? [`${shortNumber(usage.inputTokens + usage.outputTokens)} tokens`] : []),
    ...(cost === null ? [] : [dollars(cost)]),
  ];
  const changes = recheck.taskRuns
    .flatMap((each) => each.judgements ?? [])
    .filter((each) => judgementChange(each) !== undefined).length;
  const parts = [...silent, changes > 0 ? `${changes} changed` : 'nothing changed', ...spent];
  return [
    `${style(color, `${sum} ${judgementsPassed === 1 ? 'passes' : 'pass'}`)}; ${parts.join(', ')}`,
  ];
}
