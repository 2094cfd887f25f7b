import {
  formatCallCounts,
  formatDollars,
  formatShortDuration,
  formatShortNumber,
} from '../../../analysis/figure-text.js';
import { makeStory } from '../../../analysis/story/story.js';
import type {
  AssertionEntry,
  FailureEntry,
  PhaseEntry,
  StoryEntry,
} from '../../../analysis/story/story-entry.js';
import { plural } from '../../../base/text.js';
import { formatTaskName } from '../../../journal/task-run-events.js';
import type { AssertionRecord, TaskRunSoFar } from '../../../results/task-run-record.js';
import { cleanLine } from '../../check/live/terminal-line.js';
import { describeOutcome, recorded, underWay } from '../../check/wording.js';
import { renderCallLines, renderOwnCallLines } from './call-lines.js';
import { judgementLines, renderStepLines, renderWarningLines } from './step-lines.js';
import { foldText, renderLabelled, renderQuoted, renderTimelineLine } from './timeline.js';
import type { Look } from './view-options.js';

/** The story of a task run. */
export function renderTaskRunLines(
  taskRun: TaskRunSoFar,
  shownWith: ShownWith,
  look: Look,
): string[] {
  const story = makeStory(taskRun);
  const isEvent = (entry: (typeof story)[number]): entry is Event =>
    entry.kind !== 'assertion' && entry.kind !== 'failure';
  const worthTelling = story.filter(isEvent).filter(isWorthTelling);
  const events = look.hasTimeline ? leaveOutMiddle(worthTelling, look.maxEvents) : [];
  const headline = taskRun.failure?.message;
  // Assertions are judged before the cleanup.
  const cleanup = events.findIndex((event) => event.kind === 'phase' && event.phase === 'cleanup');
  const end = cleanup === -1 ? events.length : cleanup;
  return [
    ...renderTaskRunHead(taskRun, shownWith, look),
    ...events.slice(0, end).flatMap((event) => renderEvent(event, headline, look)),
    ...renderAssertionPart(taskRun, look),
    ...events.slice(end).flatMap((event) => renderEvent(event, headline, look)),
  ];
}

/** Not that nothing had to be set up or cleaned up. */
function isWorthTelling(event: Event, index: number, all: readonly Event[]): boolean {
  if (event.kind !== 'phase' || event.phase === 'agent' || event.outcome !== 'passed') return true;
  const next = all[index + 1];
  return next !== undefined && next.kind !== 'phase';
}

function renderAssertionPart({ assertions }: TaskRunSoFar, look: Look): string[] {
  if (assertions.length === 0) return [];
  return ['', ...renderAssertions(assertions, look)];
}

/** `headline` is shown on top already, and not repeated. */
function renderEvent(event: Event | LeftOut, headline: string | undefined, look: Look): string[] {
  switch (event.kind) {
    case 'phase':
      return renderPhase(event, headline, look);
    case 'step':
      return renderStepLines(event, look);
    case 'judgement':
      return judgementLines(event, look);
    case 'message':
      return renderLabelled('says', event.text, look);
    case 'answer':
      return renderLabelled('answers', event.text, look);
    case 'thinking':
      return renderLabelled('thinks', event.text, look, { format: 'dim' });
    case 'log':
      return renderLabelled('logs', event.text, look, { format: 'dim', mark: '| ' });
    case 'own-call':
      return renderOwnCallLines(event, look);
    case 'call':
      return renderCallLines(event, look);
    case 'warning':
      return renderWarningLines(event.warning.message, event.warning.details ?? '', look);
    case 'left-out':
      return renderLeftOut(event, look);
  }
}

function renderPhase(entry: PhaseEntry, headline: string | undefined, look: Look): string[] {
  const { phase, startMs, durationMs, outcome, details } = entry;
  const message = entry.message === headline ? undefined : entry.message;
  const { style } = look;
  const head = [
    ...(outcome === null ? [] : [style(describeOutcome(outcome, false).format, outcome)]),
    ...(durationMs === null ? [] : [style('dim', formatShortDuration(durationMs))]),
  ].join('  ');
  return [
    '',
    renderTimelineLine({ startMs, label: phase }, head, look, 'bold'),
    ...renderQuoted(message ?? '', look, { format: outcome === 'passed' ? 'dim' : 'red' }),
    ...renderQuoted(details ?? '', look, { format: 'dim', mark: '| ', keep: 'end' }),
  ];
}

function renderLeftOut({ events, errors }: LeftOut, look: Look): string[] {
  const among = errors > 0 ? `, among them ${plural(errors, 'call')} that failed` : '';
  const text = `${plural(events, 'more event')}${among}: --max-events ${events + look.maxEvents} shows them`;
  return [
    renderTimelineLine({ label: look.signs.cut }, look.style('yellow', text), look, 'yellow'),
  ];
}

interface ShownWith {
  /** Where it is from, if that has to be said. */
  file?: string | undefined;
  /** It is a session of a recording. */
  isRecorded?: boolean;
}

/** The head of a story: which task run, how it ended and why, what it took. */
export function renderTaskRunHead(
  taskRun: TaskRunSoFar,
  { file, isRecorded }: ShownWith,
  look: Look,
): string[] {
  const { style, width, signs } = look;
  const { run, runs, outcome, failure, attempt, worker, prompt, labels } = taskRun;
  const { word, format, sign } =
    outcome === null ? (isRecorded ? recorded : underWay) : describeOutcome(outcome, false);
  const which = [
    runs > 1 ? `run ${run} of ${runs}` : '',
    attempt > 1 ? `attempt ${attempt}` : '',
    worker === undefined ? '' : `on ${worker}`,
    isRecorded ? (labels.client ?? '') : '',
  ];
  const about = [...which, file ?? ''].filter((text) => text !== '').map(cleanLine);
  const name = `${style(format, signs[sign])} ${style('bold', cleanLine(formatTaskName(taskRun)))}`;
  const folded = (text: string, maxLines: number) =>
    foldText(text, { width: width - indent.length, maxLines });
  return [
    [name, style(format, word), ...about.map((text) => style('dim', text))].join('  '),
    ...(failure
      ? folded(`${failure.category}: ${failure.message}`, maxFailure).map((line) =>
          style('red', line),
        )
      : []),
    style('dim', formatAmounts(taskRun)),
    ...folded(prompt === null ? '' : `asked: ${prompt}`, look.maxLines),
  ].map((line, index) => (index === 0 ? line : `${indent}${line}`));
}

const indent = '  ';
const maxFailure = 10;

function formatAmounts({ durationMs, waitedMs, callCounts, usage, cost }: TaskRunSoFar): string {
  const { tool, resource, prompt, errors, suspected = 0 } = callCounts;
  const waited = waitedMs === undefined ? '' : ` (waited ${formatShortDuration(waitedMs)})`;
  return [
    ...(durationMs === null ? [] : [`${formatShortDuration(durationMs)}${waited}`]),
    formatCallCounts(tool + resource + prompt, errors, suspected),
    ...(usage
      ? [
          `${formatShortNumber(usage.inputTokens)} tokens in`,
          `${formatShortNumber(usage.outputTokens)} out`,
        ]
      : []),
    ...(cost === null ? [] : [formatDollars(cost)]),
  ].join(', ');
}

/** Events of the timeline: assertions are shown together below it, and the failure on top. */
export type Event = Exclude<StoryEntry, AssertionEntry | FailureEntry>;

interface LeftOut {
  kind: 'left-out';
  events: number;
  /** Calls among them that failed. */
  errors: number;
}

/**
 * At most so many events besides the phases. Of a long story the middle is left out: how it began
 * says what the agent was up to, and how it ended says more.
 */
export function leaveOutMiddle(events: readonly Event[], max: number): (Event | LeftOut)[] {
  const count = events.filter(({ kind }) => kind !== 'phase').length;
  if (count <= max) return [...events];
  const atStart = Math.floor(max / 3);
  const fromEnd = count - (max - atStart);
  const shown: (Event | LeftOut)[] = [];
  const leftOut: LeftOut = { kind: 'left-out', events: fromEnd - atStart, errors: 0 };
  let place = 0;
  for (const event of events) {
    if (event.kind === 'phase') {
      shown.push(event);
      continue;
    }
    if (place === atStart) shown.push(leftOut);
    if (place < atStart || place >= fromEnd) shown.push(event);
    else if (isError(event)) leftOut.errors += 1;
    place += 1;
  }
  return shown;
}

function isError(event: Event): boolean {
  return (
    event.kind === 'call' &&
    (event.call.isError || event.call.blocked || event.call.suspectedError !== undefined)
  );
}

/** Assertions that do not hold one by one, with the calls that show it; the others together. */
function renderAssertions(assertions: readonly AssertionRecord[], look: Look): string[] {
  const held = assertions.filter(({ passed }) => passed).map(({ name }) => name);
  const lines = assertions
    .filter(({ passed }) => !passed)
    .flatMap((each) => renderFailure(each, look));
  if (held.length === 0) return lines;
  const names = [...new Set(held)].map((name) => {
    const count = held.filter((each) => each === name).length;
    return count > 1 ? `${name} (${count})` : name;
  });
  const text = `${held.length === 1 ? '1 assertion holds' : `${held.length} assertions hold`}: ${names.join(', ')}`;
  return [...lines, ...renderLabelled(look.signs.passed, text, look, { format: 'green' })];
}

/** More would hide the rest. */
const maxCalls = 20;
const maxDetails = 20;

function renderFailure(
  { name, reason, details, at, calls }: AssertionRecord,
  look: Look,
): string[] {
  const { style, signs } = look;
  const place = at ? `  ${style('dim', cleanLine(`${at.file}:${at.line}`))}` : '';
  const head = `${style('bold', cleanLine(name))} ${style('red', 'does not hold')}${place}`;
  const shown = details.slice(0, maxDetails).map((detail) => `- ${detail}`);
  if (details.length > maxDetails) shown.push(`- and ${details.length - maxDetails} more`);
  return [
    renderTimelineLine({ label: signs.failed }, head, look, 'red'),
    ...renderQuoted(reason, look),
    ...renderQuoted(shown.join('\n'), look, { maxLines: maxDetails + 1 }),
    ...renderQuoted(formatCallNumbers(calls), look),
  ];
}

function formatCallNumbers(calls: readonly number[]): string {
  const recorded = calls.filter((call) => call > 0);
  const own = calls.includes(0) ? "tools of the agent's own" : '';
  const numbers = recorded.slice(0, maxCalls).map((call) => `#${call}`);
  if (recorded.length > maxCalls) numbers.push(`and ${recorded.length - maxCalls} more`);
  const shown = [numbers.length > 0 ? `calls ${numbers.join(', ')}` : '', own].filter(Boolean);
  return shown.length === 0 ? '' : `see ${shown.join(' and ')}`;
}
