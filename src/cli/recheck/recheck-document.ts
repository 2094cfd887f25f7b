import { formatDollars, formatShortNumber } from '../../analysis/figure-text.js';
import { plural } from '../../base/text.js';
import type { AgentIdentity } from '../../journal/run-events.js';
import { formatTaskName } from '../../journal/task-run-events.js';
import { sumJudgeUsage } from '../../journal/usage.js';
import {
  type Document,
  type Line,
  type List,
  makeSection,
  quote,
  quoteNames,
  type Section,
  type Span,
  type Tone,
} from '../../reporters/document/document.js';
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

const changeLabels: Record<ChangeKind, string> = {
  'now-fails': 'now fails',
  'now-holds': 'now holds',
  new: 'new',
  removed: 'removed',
};
const changeLabelWidth = 'still fails'.length;

/** What changed and what does not hold, by task run; then the totals. */
export function describeRecheck(recheck: Recheck): Document {
  return {
    title: 'Recheck',
    notes: [],
    blocks: [
      ...recheck.taskRuns.map(describeTaskRun),
      ...listJudgements(recheck),
      { type: 'list', items: describeTotals(recheck).map((text) => ({ text })), noun: 'total' },
    ],
  };
}

function describeTaskRun(taskRun: RecheckedTaskRun): Section {
  const { run, unfinished, assertions, changed } = taskRun;
  const changes = new Map(
    changed.map((change) => [makeAssertionKey(change.name, change.at), change]),
  );
  const items: List['items'] = [
    ...(unfinished === undefined
      ? []
      : [{ text: [label('not checked', 'warning'), quote(unfinished)] }]),
    ...assertions.flatMap((assertion) =>
      describeAssertion(assertion, changes.get(makeAssertionKey(assertion.name, assertion.at))),
    ),
    ...changed.filter(({ change }) => change === 'removed').map(describeRemoved),
  ];
  const title = [quote(formatTaskName(taskRun)), `  run ${run}`];
  return makeSection(title, { type: 'list', items, noun: 'assertion' });
}

function makeAssertionKey(name: string, at: AssertionChange['at']): string {
  return JSON.stringify([name, at]);
}

function label(text: string, tone: Tone): Span {
  return { text: `${text.padEnd(changeLabelWidth)}  `, tone };
}

/** Nothing of one that holds as it did before, unless it could not be checked again. */
function describeAssertion(
  { name, passed, reason, details, at, redactedCalls, certainty }: RecheckedAssertion,
  change: AssertionChange | undefined,
): List['items'] {
  if (passed && !change && !redactedCalls) return [];
  const isUnknown = certainty === 'unknown';
  const known = change ? changeLabels[change.change] : passed ? 'holds' : 'still fails';
  const state = change?.change === 'new' ? ` (${passed ? 'holds' : 'fails'})` : '';
  return [
    {
      text: [
        isUnknown ? label('not checked', 'warning') : label(known, passed ? 'good' : 'bad'),
        { text: name, tone: 'strong' },
        `${state}  `,
        quotePlace(at),
      ],
      details: [
        quote(reason),
        ...details.map((detail) => ['- ', quote(detail)]),
        ...(certainty === 'as-recorded' ? [describeRedaction(redactedCalls)] : []),
      ],
    },
  ];
}

function quotePlace({ file, line }: RecheckedAssertion['at']): Span {
  return quote(`${file}:${line}`, 'dim');
}

function describeRedaction(calls: readonly number[] = []): Span {
  const which = `${calls.length === 1 ? 'call' : 'calls'} ${calls.join(', ')}`;
  const text = `as it was recorded: it depends on what is redacted in the record of ${which}`;
  return { text, tone: 'warning' };
}

function describeRemoved({ name, before }: AssertionChange) {
  const state = before?.passed ? 'it held' : 'it failed';
  return { text: [label(changeLabels.removed, 'dim'), quote(name, 'strong'), `  ${state}`] };
}

function describeTotals(recheck: Recheck): Line[] {
  const { taskRuns, unfinished, assertions, held, unknown } = sumRecheck(recheck);
  const changes = recheck.taskRuns.flatMap(({ changed }) => changed);
  const counts = (Object.keys(changeLabels) as ChangeKind[]).flatMap((kind) => {
    const count = changes.filter(({ change }) => change === kind).length;
    return count > 0 ? [`${count} ${changeLabels[kind]}`] : [];
  });
  const tone = held === assertions && unfinished === 0 ? 'good' : 'bad';
  const sum = `${held} of ${plural(assertions, 'assertion')} in ${plural(taskRuns, 'task run')}`;
  const judgements = describeJudgementTotals(recheck);
  const notChecked = (count: number, what: string): Line[] =>
    count > 0 ? [{ text: `${plural(count, what)} not checked`, tone: 'warning' }] : [];
  return [
    // Where only the judge had something to say, there is nothing to add.
    ...(assertions === 0 && judgements.length > 0
      ? []
      : [
          [
            { text: `${sum} ${held === 1 ? 'holds' : 'hold'}`, tone } as const,
            `; ${counts.join(', ') || 'nothing changed'}`,
          ],
        ]),
    ...judgements,
    ...notChecked(unknown, 'assertion'),
    ...notChecked(unfinished, 'task run'),
    ...listNames('nothing to check in', recheck.nothingToCheck),
    ...listNames('recorded, but not in the eval:', recheck.notInEval),
    ...listNames('in the eval, but not recorded:', recheck.notRecorded),
  ];
}

/** More names are not printed as text; `-o json` has them all. */
const maxNames = 20;

function listNames(what: string, names: readonly string[]): Line[] {
  return names.length === 0
    ? []
    : [[{ text: `${what} `, tone: 'warning' }, ...quoteNames(names, maxNames)]];
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

/** What the judge said before and says now, by step: changes first, then new ones, then the rest. */
function listJudgements({ taskRuns }: Recheck): List[] {
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
  return [...changed, ...fresh, ...same].map((judgement) => ({
    type: 'list',
    items: [describeJudgement(judgement)],
    noun: 'judgement',
  }));
}

function describeJudgement({ task, run, judgement, change }: PlacedJudgement) {
  const { step, id, at, mode, passed, before, notes } = judgement;
  const text = change === undefined ? getUnchangedLabel(passed) : judgementLabels[change];
  const tone: Tone = passed === true ? 'good' : passed === false ? 'bad' : 'warning';
  return {
    text: [
      { text: text.padEnd(judgementLabelWidth), tone },
      '  ',
      quote(task, 'strong'),
      `  run ${run}  step ${step}`,
      ...(id === undefined ? [] : [' (', quote(id), ')']),
      `  ${mode}  `,
      quotePlace(at),
    ],
    details: [
      ...(before ? [describeVerdict('before', before)] : []),
      describeVerdict('now', judgement),
      ...notes.map((note) => ['uncertain: ', quote(note, 'warning')]),
    ],
  };
}

function getUnchangedLabel(passed: boolean | null): string {
  if (passed === null) return 'no verdict';
  return passed ? 'still passes' : 'still fails';
}

function describeVerdict(
  when: string,
  { passed, reason }: { passed: boolean | null; reason: string },
): Line {
  const verdict = passed === null ? 'no verdict' : passed ? 'passed' : 'failed';
  return [`${when}: ${verdict}: `, quote(reason)];
}

function describeJudgementTotals(recheck: Recheck): Line[] {
  const { judgements, notJudged } = sumJudgements(recheck);
  const reached = `${judgements} of ${plural(judgements + notJudged, 'answer')} judged`;
  return [
    ...(judgements > 0 ? [describeJudgementSum(recheck)] : []),
    ...(notJudged > 0
      ? [{ text: `stopped: ${reached}, ${notJudged} not reached`, tone: 'warning' } as const]
      : []),
  ];
}

function describeJudgementSum(recheck: Recheck): Line {
  const totals = sumJudgements(recheck);
  const { judgements, judgementsPassed, judgementsWithoutVerdict, usage, cost } = totals;
  const sum = `${judgementsPassed} of ${plural(judgements, 'judgement')}`;
  const silent =
    judgementsWithoutVerdict > 0 ? [`${judgementsWithoutVerdict} without a verdict`] : [];
  const spent = [
    ...(usage ? [`${formatShortNumber(usage.inputTokens + usage.outputTokens)} tokens`] : []),
    ...(cost === null ? [] : [formatDollars(cost)]),
  ];
  return [
    {
      text: `${sum} ${judgementsPassed === 1 ? 'passes' : 'pass'}`,
      tone: judgementsPassed === judgements ? 'good' : 'bad',
    },
    `; ${[...silent, ...countChanges(recheck), ...spent].join(', ')}`,
  ];
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
