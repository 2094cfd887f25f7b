import { plural } from '../base/text.js';
import { formatTaskName } from '../journal/task-run-events.js';
import type { AssertionChange, ChangeKind } from '../results/assertion-changes.js';
import type { Recheck, RecheckedAssertion, RecheckedTaskRun } from '../results/recheck.js';
import { renderJudgements, renderJudgementTotals } from './judging/render-judgements.js';
import { recheckTotals } from './recheck-data.js';
import type { Style } from './style.js';
import { terminalLine } from './terminal-text.js';

const labels: Record<ChangeKind, string> = {
  'now-fails': 'now fails',
  'now-holds': 'now holds',
  new: 'new',
  removed: 'removed',
};
const columnWidth = 'still fails'.length;

/** What changed, and what does not hold, task run by task run; then how it stands as a whole. */
export function renderRecheck(recheck: Recheck, style: Style): string {
  const blocks = recheck.taskRuns
    .map((taskRun) => renderTaskRun(taskRun, style))
    .filter((block) => block !== '');
  const judgements = renderJudgements(recheck, style);
  return [...blocks, ...judgements, renderTotals(recheck, style)].join('\n');
}

function renderTaskRun(taskRun: RecheckedTaskRun, style: Style): string {
  const { run, unfinished, assertions, changed } = taskRun;
  const told = new Map(changed.map((change) => [keyOf(change.name, change.at), change]));
  const lines = [
    ...(unfinished === undefined
      ? []
      : [`  ${style('yellow', 'not checked'.padEnd(columnWidth))}  ${terminalLine(unfinished)}`]),
    ...assertions.flatMap((assertion) =>
      renderAssertion(assertion, told.get(keyOf(assertion.name, assertion.at)), style),
    ),
    ...changed
      .filter(({ change }) => change === 'removed')
      .map((each) => renderRemoved(each, style)),
  ];
  if (lines.length === 0) return '';
  return `${style('bold', terminalLine(formatTaskName(taskRun)))}  run ${run}\n${lines.join('\n')}\n`;
}

function keyOf(name: string, at: AssertionChange['at']): string {
  return JSON.stringify([name, at]);
}

/** Nothing of one that holds as it did before, unless it could not be checked again. */
function renderAssertion(
  { name, passed, reason, details, at, redactedCalls, certainty }: RecheckedAssertion,
  change: AssertionChange | undefined,
  style: Style,
): string[] {
  if (passed && !change && !redactedCalls) return [];
  const isUnknown = certainty === 'unknown';
  const known = change ? labels[change.change] : passed ? 'holds' : 'still fails';
  const label = isUnknown ? 'not checked' : known;
  const color = isUnknown ? 'yellow' : passed ? 'green' : 'red';
  const place = style('dim', terminalLine(`${at.file}:${at.line}`));
  const state = change?.change === 'new' ? ` (${passed ? 'holds' : 'fails'})` : '';
  const head = `  ${style(color, label.padEnd(columnWidth))}  ${style('bold', name)}${state}  ${place}`;
  return [
    head,
    `      ${terminalLine(reason)}`,
    ...details.map((detail) => `      - ${terminalLine(detail)}`),
    ...(certainty === 'as-recorded'
      ? [`      ${style('yellow', redactionNote(redactedCalls))}`]
      : []),
  ];
}

function redactionNote(calls: readonly number[] = []): string {
  const which = `${calls.length === 1 ? 'call' : 'calls'} ${calls.join(', ')}`;
  return `as it was recorded: it depends on what is redacted in the record of ${which}`;
}

function renderRemoved({ name, before }: AssertionChange, style: Style): string {
  const state = before?.passed ? 'it held' : 'it failed';
  return `  ${style('dim', labels.removed.padEnd(columnWidth))}  ${style('bold', terminalLine(name))}  ${state}`;
}

function renderTotals(recheck: Recheck, style: Style): string {
  const { taskRuns, unfinished, assertions, held, unknown } = recheckTotals(recheck);
  const changes = recheck.taskRuns.flatMap(({ changed }) => changed);
  const counts = (Object.keys(labels) as ChangeKind[]).flatMap((kind) => {
    const count = changes.filter(({ change }) => change === kind).length;
    return count > 0 ? [`${count} ${labels[kind]}`] : [];
  });
  const color = held === assertions && unfinished === 0 ? 'green' : 'red';
  const sum = `${held} of ${plural(assertions, 'assertion')} in ${plural(taskRuns, 'task run')}`;
  const verdict = `${style(color, `${sum} ${held === 1 ? 'holds' : 'hold'}`)}; ${counts.join(', ') || 'nothing changed'}`;
  const judgements = renderJudgementTotals(recheck, style);
  return [
    // Where only the judge had something to say, there is nothing to add.
    ...(assertions === 0 && judgements.length > 0 ? [] : [verdict]),
    ...judgements,
    ...(unknown > 0 ? [style('yellow', `${plural(unknown, 'assertion')} not checked`)] : []),
    ...(unfinished > 0 ? [style('yellow', `${plural(unfinished, 'task run')} not checked`)] : []),
    ...namesLine('nothing to check in', recheck.nothingToCheck, style),
    ...namesLine('recorded, but not in the eval:', recheck.notInEval, style),
    ...namesLine('in the eval, but not recorded:', recheck.notRecorded, style),
    '',
  ].join('\n');
}

/** Nobody reads more names than this at once; `-o json` has them all. */
const maxNames = 20;

function namesLine(what: string, names: readonly string[], style: Style): string[] {
  if (names.length === 0) return [];
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : '';
  const shown = names.slice(0, maxNames).map(terminalLine).join(', ');
  return [`${style('yellow', what)} ${shown}${more}`];
}
