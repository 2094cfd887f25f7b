import { shortDuration } from '../../../analysis/amount-text.js';
import { storyOf } from '../../../analysis/story/story.js';
import type { PhaseEntry } from '../../../analysis/story/story-entry.js';
import { plural } from '../../../base/text.js';
import type { TaskRunSoFar } from '../../../results/task-run-record.js';
import { describeOutcome } from '../../check/wording.js';
import { assertionLines } from './assertion-lines.js';
import { callLines, ownCallLines } from './call-lines.js';
import type { Look } from './look.js';
import { type Event, type LeftOut, shownEntries } from './shown-entries.js';
import { judgementLines, stepLines, warningLines } from './step-lines.js';
import { headLines, type ShownWith } from './task-run-head.js';
import { labelledLines, quotedLines, timelineLine } from './timeline-line.js';

/** The story of a task run. */
export function taskRunLines(taskRun: TaskRunSoFar, shownWith: ShownWith, look: Look): string[] {
  const story = storyOf(taskRun);
  const isEvent = (entry: (typeof story)[number]): entry is Event =>
    entry.kind !== 'assertion' && entry.kind !== 'failure';
  const worthTelling = story.filter(isEvent).filter(isWorthTelling);
  const events = look.hasTimeline ? shownEntries(worthTelling, look.maxEvents) : [];
  const told = taskRun.failure?.message;
  // Assertions are judged before the cleanup.
  const cleanup = events.findIndex((event) => event.kind === 'phase' && event.phase === 'cleanup');
  const end = cleanup === -1 ? events.length : cleanup;
  return [
    ...headLines(taskRun, shownWith, look),
    ...events.slice(0, end).flatMap((event) => eventLines(event, told, look)),
    ...assertionPart(taskRun, look),
    ...events.slice(end).flatMap((event) => eventLines(event, told, look)),
  ];
}

/** Not that nothing had to be set up or cleaned up. */
function isWorthTelling(event: Event, index: number, all: readonly Event[]): boolean {
  if (event.kind !== 'phase' || event.phase === 'agent' || event.outcome !== 'passed') return true;
  const next = all[index + 1];
  return next !== undefined && next.kind !== 'phase';
}

function assertionPart({ assertions }: TaskRunSoFar, look: Look): string[] {
  if (assertions.length === 0) return [];
  return ['', ...assertionLines(assertions, look)];
}

/** `told` stands on top already. */
function eventLines(event: Event | LeftOut, told: string | undefined, look: Look): string[] {
  switch (event.kind) {
    case 'phase':
      return phaseLines(event, told, look);
    case 'step':
      return stepLines(event, look);
    case 'judgement':
      return judgementLines(event, look);
    case 'message':
      return labelledLines('says', event.text, look);
    case 'answer':
      return labelledLines('answers', event.text, look);
    case 'thinking':
      return labelledLines('thinks', event.text, look, { format: 'dim' });
    case 'log':
      return labelledLines('logs', event.text, look, { format: 'dim', mark: '| ' });
    case 'own-call':
      return ownCallLines(event, look);
    case 'call':
      return callLines(event, look);
    case 'warning':
      return warningLines(event.warning.message, event.warning.details ?? '', look);
    case 'left-out':
      return leftOutLines(event, look);
  }
}

function phaseLines(entry: PhaseEntry, told: string | undefined, look: Look): string[] {
  const { phase, startMs, durationMs, outcome, details } = entry;
  const message = entry.message === told ? undefined : entry.message;
  const { style } = look;
  const head = [
    ...(outcome === null ? [] : [style(describeOutcome(outcome, false).format, outcome)]),
    ...(durationMs === null ? [] : [style('dim', shortDuration(durationMs))]),
  ].join('  ');
  return [
    '',
    timelineLine({ startMs, label: phase }, head, look, 'bold'),
    ...quotedLines(message ?? '', look, { format: outcome === 'passed' ? 'dim' : 'red' }),
    ...quotedLines(details ?? '', look, { format: 'dim', mark: '| ', keep: 'end' }),
  ];
}

function leftOutLines({ events, errors }: LeftOut, look: Look): string[] {
  const among = errors > 0 ? `, among them ${plural(errors, 'call')} that failed` : '';
  const text = `${plural(events, 'more event')}${among}: --max-events ${events + look.maxEvents} shows them`;
  return [timelineLine({ label: look.signs.cut }, look.style('yellow', text), look, 'yellow')];
}
