import { dollars, shortNumber } from '../../analysis/amount-text.js';
import { plural } from '../../base/text.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import type { Recheck } from '../../results/recheck.js';
import {
  type JudgementChangeKind,
  judgementChange,
  type Rejudgement,
} from '../../results/rejudgement.js';
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
  /** With the variant, if there is one. */
  task: string;
  run: number;
  judgement: Rejudgement;
  change: JudgementChangeKind | undefined;
}

/** What the judge says now and said then, step by step: what changed, what is new, then the rest. */
export function renderJudgements({ taskRuns }: Recheck, style: Style): string[] {
  const all: PlacedJudgement[] = taskRuns.flatMap((taskRun) => {
    const { run, judgements = [] } = taskRun;
    const task = formatTaskName(taskRun);
    return judgements.map((judgement) => ({
      task,
      run,
      judgement,
      change: judgementChange(judgement),
    }));
  });
  const fresh = all.filter(({ change }) => change === 'new');
  const same = all.filter(({ change }) => change === undefined);
  const changed = all.filter(({ change }) => change !== undefined && change !== 'new');
  return [...changed, ...fresh, ...same].map(
    (each) => `${renderJudgement(each, style).join('\n')}\n`,
  );
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
  const { judgements, notJudged } = judgementTotals(recheck);
  const came = `${judgements} of ${plural(judgements + notJudged, 'answer')} judged`;
  return [
    ...(judgements > 0 ? [totalsLine(recheck, style)] : []),
    ...(notJudged > 0 ? [style('yellow', `stopped: ${came}, ${notJudged} not come to`)] : []),
  ];
}

function totalsLine(recheck: Recheck, style: Style): string {
  const totals = judgementTotals(recheck);
  const { judgements, judgementsPassed, judgementsWithoutVerdict, usage, cost } = totals;
  const color = judgementsPassed === judgements ? 'green' : 'red';
  const sum = `${judgementsPassed} of ${plural(judgements, 'judgement')}`;
  const silent =
    judgementsWithoutVerdict > 0 ? [`${judgementsWithoutVerdict} without a verdict`] : [];
  const spent = [
    ...(usage ? [`${shortNumber(usage.inputTokens + usage.outputTokens)} tokens`] : []),
    ...(cost === null ? [] : [dollars(cost)]),
  ];
  const parts = [...silent, ...changeCounts(recheck), ...spent];
  return `${style(color, `${sum} ${judgementsPassed === 1 ? 'passes' : 'pass'}`)}; ${parts.join(', ')}`;
}

/** What was not judged before has not changed. */
function changeCounts({ taskRuns }: Recheck): string[] {
  const changes = taskRuns
    .flatMap(({ judgements = [] }) => judgements.map(judgementChange))
    .filter((change) => change !== undefined);
  const fresh = changes.filter((change) => change === 'new').length;
  const changed = changes.length - fresh;
  if (changes.length === 0) return ['nothing changed'];
  return [...(changed > 0 ? [`${changed} changed`] : []), ...(fresh > 0 ? [`${fresh} new`] : [])];
}
