import { formatDollars, formatShortNumber } from '../../analysis/figure-text.js';
import { plural } from '../../base/text.js';
import type { AgentIdentity } from '../../journal/run-events.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { sumJudgeUsage } from '../../journal/usage.js';
import type {
  AssertionChange,
  ChangeKind,
  Recheck,
  RecheckedAssertion,
  RecheckedTaskRun,
} from '../../results/recheck/recheck.js';
import {
  classifyJudgementChange,
  type JudgementChangeKind,
  type Rejudgement,
} from '../../results/recheck/rejudgement.js';
import type { Style } from '../terminal/output.js';
import { terminalLine } from '../terminal/text.js';

const changeLabels: Record<ChangeKind, string> = {
  'now-fails': 'now fails',
  'now-holds': 'now holds',
  new: 'new',
  removed: 'removed',
};
const changeLabelWidth = 'still fails'.length;

/** Shows what changed and what does not hold, by task run; then the totals. */
export function renderRecheck(recheck: Recheck, style: Style): string {
  const blocks = recheck.taskRuns
    .map((taskRun) => renderTaskRun(taskRun, style))
    .filter((block) => block !== '');
  const judgements = renderJudgements(recheck, style);
  return [...blocks, ...judgements, renderTotals(recheck, style)].join('\n');
}

function renderTaskRun(taskRun: RecheckedTaskRun, style: Style): string {
  const { run, unfinished, assertions, changed } = taskRun;
  const changes = new Map(
    changed.map((change) => [makeAssertionKey(change.name, change.at), change]),
  );
  const lines = [
    ...(unfinished === undefined
      ? []
      : [
          `  ${style('yellow', 'not checked'.padEnd(changeLabelWidth))}  ${terminalLine(unfinished)}`,
        ]),
    ...assertions.flatMap((assertion) =>
      renderAssertion(
        assertion,
        changes.get(makeAssertionKey(assertion.name, assertion.at)),
        style,
      ),
    ),
    ...changed
      .filter(({ change }) => change === 'removed')
      .map((each) => renderRemoved(each, style)),
  ];
  if (lines.length === 0) return '';
  return `${style('bold', terminalLine(formatTaskName(taskRun)))}  run ${run}\n${lines.join('\n')}\n`;
}

function makeAssertionKey(name: string, at: AssertionChange['at']): string {
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
  const known = change ? changeLabels[change.change] : passed ? 'holds' : 'still fails';
  const label = isUnknown ? 'not checked' : known;
  const color = isUnknown ? 'yellow' : passed ? 'green' : 'red';
  const place = style('dim', terminalLine(`${at.file}:${at.line}`));
  const state = change?.change === 'new' ? ` (${passed ? 'holds' : 'fails'})` : '';
  const head = `  ${style(color, label.padEnd(changeLabelWidth))}  ${style('bold', name)}${state}  ${place}`;
  return [
    head,
    `      ${terminalLine(reason)}`,
    ...details.map((detail) => `      - ${terminalLine(detail)}`),
    ...(certainty === 'as-recorded'
      ? [`      ${style('yellow', renderRedactionNote(redactedCalls))}`]
      : []),
  ];
}

function renderRedactionNote(calls: readonly number[] = []): string {
  const which = `${calls.length === 1 ? 'call' : 'calls'} ${calls.join(', ')}`;
  return `as it was recorded: it depends on what is redacted in the record of ${which}`;
}

function renderRemoved({ name, before }: AssertionChange, style: Style): string {
  const state = before?.passed ? 'it held' : 'it failed';
  return `  ${style('dim', changeLabels.removed.padEnd(changeLabelWidth))}  ${style('bold', terminalLine(name))}  ${state}`;
}

function renderTotals(recheck: Recheck, style: Style): string {
  const { taskRuns, unfinished, assertions, held, unknown } = sumRecheck(recheck);
  const changes = recheck.taskRuns.flatMap(({ changed }) => changed);
  const counts = (Object.keys(changeLabels) as ChangeKind[]).flatMap((kind) => {
    const count = changes.filter(({ change }) => change === kind).length;
    return count > 0 ? [`${count} ${changeLabels[kind]}`] : [];
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
    ...renderNames('nothing to check in', recheck.nothingToCheck, style),
    ...renderNames('recorded, but not in the eval:', recheck.notInEval, style),
    ...renderNames('in the eval, but not recorded:', recheck.notRecorded, style),
    '',
  ].join('\n');
}

/** More names are not printed as text; `-o json` has them all. */
const maxNames = 20;

function renderNames(what: string, names: readonly string[], style: Style): string[] {
  if (names.length === 0) return [];
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : '';
  const shown = names.slice(0, maxNames).map(terminalLine).join(', ');
  return [`${style('yellow', what)} ${shown}${more}`];
}

/** How many held, over all that was rechecked. */
function sumRecheck({ taskRuns }: Recheck) {
  const assertions = taskRuns.flatMap((each) => each.assertions);
  return {
    taskRuns: taskRuns.length,
    unfinished: taskRuns.filter(({ unfinished }) => unfinished !== undefined).length,
    assertions: assertions.length,
    held: assertions.filter(({ passed }) => passed).length,
    /** Assertions that cannot be decided, because the record is redacted. */
    unknown: assertions.filter(({ certainty }) => certainty === 'unknown').length,
  };
}

/** Sums up what the judge said of all answers that it judged again. */
function sumJudgements({ taskRuns, notJudged = 0 }: Recheck) {
  const judgements = taskRuns.flatMap((each) => each.judgements ?? []);
  const { usage = null, cost = null } = sumJudgeUsage(judgements);
  return {
    judgements: judgements.length,
    judgementsPassed: judgements.filter(({ passed }) => passed === true).length,
    judgementsWithoutVerdict: judgements.filter(({ passed }) => passed === null).length,
    notJudged,
    usage,
    cost,
  };
}

/** The data that `recheck -o json` prints; with the judge, if answers were judged again. */
export function recheckAsData(recheck: Recheck, judge: AgentIdentity | undefined) {
  const { taskRuns, notInEval, notRecorded, nothingToCheck } = recheck;
  return {
    ...(judge && { judge }),
    taskRuns: taskRuns.map(({ changed, ...taskRun }) => taskRun),
    changed: taskRuns.flatMap((taskRun) => {
      const { task, variant, run } = taskRun;
      const which = { task, ...(variant !== undefined && { variant }), run };
      return listChanges(taskRun).map((change) => ({ ...which, ...change }));
    }),
    notInEval,
    notRecorded,
    nothingToCheck,
    totals: { ...sumRecheck(recheck), ...(judge && sumJudgements(recheck)) },
  };
}

function listChanges({ changed, judgements = [] }: RecheckedTaskRun): object[] {
  return [...changed, ...judgements.flatMap(judgementAsChange)];
}

function judgementAsChange(judgement: Rejudgement) {
  const change = classifyJudgementChange(judgement);
  if (change === undefined) return [];
  const { step, at, before = null, passed, reason } = judgement;
  return [{ name: 'llmJudge', step, change, at, before, after: { passed, reason } }];
}

const judgementLabels: Record<JudgementChangeKind, string> = {
  'now-fails': 'now fails',
  'now-passes': 'now passes',
  'no-verdict': 'no verdict',
  new: 'new',
};
const judgementLabelWidth = 'still passes'.length;

interface PlacedJudgement {
  /** With the variant, if there is one. */
  task: string;
  run: number;
  judgement: Rejudgement;
  change: JudgementChangeKind | undefined;
}

/** Shows what the judge said then and says now, by step: changes first, then new ones, then the rest. */
function renderJudgements({ taskRuns }: Recheck, style: Style): string[] {
  const all: PlacedJudgement[] = taskRuns.flatMap((taskRun) => {
    const { run, judgements = [] } = taskRun;
    const task = formatTaskName(taskRun);
    return judgements.map((judgement) => ({
      task,
      run,
      judgement,
      change: classifyJudgementChange(judgement),
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
  const label = (change === undefined ? getUnchangedLabel(passed) : judgementLabels[change]).padEnd(
    judgementLabelWidth,
  );
  const color = passed === true ? 'green' : passed === false ? 'red' : 'yellow';
  const name = id === undefined ? `step ${step}` : `step ${step} (${terminalLine(id)})`;
  const place = style('dim', terminalLine(`${at.file}:${at.line}`));
  return [
    `${style(color, label)}  ${style('bold', terminalLine(task))}  run ${run}  ${name}  ${mode}  ${place}`,
    ...(before ? [`    then: ${formatVerdict(before)}`] : []),
    `    now: ${formatVerdict(judgement)}`,
    ...notes.map((note) => `    ${style('yellow', `uncertain: ${terminalLine(note)}`)}`),
  ];
}

function getUnchangedLabel(passed: boolean | null): string {
  if (passed === null) return 'no verdict';
  return passed ? 'still passes' : 'still fails';
}

function formatVerdict({ passed, reason }: { passed: boolean | null; reason: string }): string {
  const verdict = passed === null ? 'no verdict' : passed ? 'passed' : 'failed';
  return `${verdict}: ${terminalLine(reason)}`;
}

function renderJudgementTotals(recheck: Recheck, style: Style): string[] {
  const { judgements, notJudged } = sumJudgements(recheck);
  const came = `${judgements} of ${plural(judgements + notJudged, 'answer')} judged`;
  return [
    ...(judgements > 0 ? [renderJudgementSum(recheck, style)] : []),
    ...(notJudged > 0 ? [style('yellow', `stopped: ${came}, ${notJudged} not come to`)] : []),
  ];
}

function renderJudgementSum(recheck: Recheck, style: Style): string {
  const totals = sumJudgements(recheck);
  const { judgements, judgementsPassed, judgementsWithoutVerdict, usage, cost } = totals;
  const color = judgementsPassed === judgements ? 'green' : 'red';
  const sum = `${judgementsPassed} of ${plural(judgements, 'judgement')}`;
  const silent =
    judgementsWithoutVerdict > 0 ? [`${judgementsWithoutVerdict} without a verdict`] : [];
  const spent = [
    ...(usage ? [`${formatShortNumber(usage.inputTokens + usage.outputTokens)} tokens`] : []),
    ...(cost === null ? [] : [formatDollars(cost)]),
  ];
  const parts = [...silent, ...countChanges(recheck), ...spent];
  return `${style(color, `${sum} ${judgementsPassed === 1 ? 'passes' : 'pass'}`)}; ${parts.join(', ')}`;
}

/** A judgement without an earlier one is not a change. */
function countChanges({ taskRuns }: Recheck): string[] {
  const changes = taskRuns
    .flatMap(({ judgements = [] }) => judgements.map(classifyJudgementChange))
    .filter((change) => change !== undefined);
  const fresh = changes.filter((change) => change === 'new').length;
  const changed = changes.length - fresh;
  if (changes.length === 0) return ['nothing changed'];
  return [...(changed > 0 ? [`${changed} changed`] : []), ...(fresh > 0 ? [`${fresh} new`] : [])];
}
