import type { StoryEntry } from '../../analysis/story/story-entry.js';
import type { TaskRunSoFar } from '../../results/task-run-record.js';

/** What is told at a place of its own on the page, and not in the story. */
type ToldElsewhere = { kind: 'judgement' | 'assertion' | 'failure' };
export type ShownEntry = Exclude<StoryEntry, ToldElsewhere>;

/** What is shown of a story: without phases that tell nothing. */
export function shownStory(story: readonly StoryEntry[]): ShownEntry[] {
  const shown = story.filter(isShownEntry);
  return shown.filter((entry, place) => {
    if (entry.kind !== 'phase' || entry.durationMs !== null) return true;
    const isEmpty = (shown[place + 1]?.kind ?? 'phase') === 'phase';
    return !isEmpty || entry.message !== undefined || entry.details !== undefined;
  });
}

function isShownEntry(entry: StoryEntry): entry is ShownEntry {
  return !['judgement', 'assertion', 'failure'].includes(entry.kind);
}

/** Names an entry within its task run: links and jumps go there. */
export function storyKey(entry: ShownEntry): string {
  switch (entry.kind) {
    case 'phase':
      return `phase-${entry.phase}`;
    case 'step':
      return stepKey(entry.phase, entry.step.step);
    case 'call':
      return callKey(entry.call.call);
    case 'warning':
      return `warning-${entry.warning.seq}`;
    case 'answer':
      return 'answer';
    default:
      return `agent-${entry.seq}`;
  }
}

export const callKey = (call: number) => `call-${call}`;
export const stepKey = (phase: string, step: number) => `step-${phase}-${step}`;
export const assertionKey = (place: number) => `assertion-${place + 1}`;

/** Which assertion a key names, if it does. */
export function assertionOfKey(key: string | null): number | undefined {
  const [, place] = /^assertion-(\d{1,6})$/.exec(key ?? '') ?? [];
  return place === undefined ? undefined : Number(place) - 1;
}

/** Where to look for the reason of a failure. Null: the task run does not show it. */
export function evidenceKey(taskRun: TaskRunSoFar, story: readonly ShownEntry[]): string | null {
  const { failure, assertions } = taskRun;
  if (!failure) return null;
  if (failure.category === 'assertion-failed') {
    const place = assertions.findIndex(({ passed }) => !passed);
    return place < 0 ? null : assertionKey(place);
  }
  const shown = story.find((entry) => seqOf(entry) === failure.evidence);
  const found = shown ?? whatFailed(story) ?? story.findLast(({ kind }) => kind === 'phase');
  return found ? storyKey(found) : null;
}

function seqOf(entry: ShownEntry): number | undefined {
  if (entry.kind === 'step') return entry.step.seq;
  if (entry.kind === 'call') return entry.call.seq;
  if (entry.kind === 'warning') return entry.warning.seq;
  return 'seq' in entry ? entry.seq : undefined;
}

/** The first step that failed of the first phase that did, or that phase. */
function whatFailed(story: readonly ShownEntry[]): ShownEntry | undefined {
  const phase = story.find(
    (entry) => entry.kind === 'phase' && entry.outcome !== 'passed' && entry.outcome !== null,
  );
  const step = story.find(
    (entry) =>
      entry.kind === 'step' &&
      !entry.step.passed &&
      (phase?.kind === 'phase' ? entry.phase === phase.phase : entry.phase !== 'cleanup'),
  );
  return step ?? phase;
}

interface StoryTarget {
  key: string;
  place: number;
}

/** The entry that a key leads to: its own, or of an assertion the first call that shows it. */
export function storyTarget(
  story: readonly ShownEntry[],
  key: string | null,
  marked: ReadonlySet<number>,
): StoryTarget | undefined {
  if (key === null) return undefined;
  const own = story.findIndex((entry) => storyKey(entry) === key);
  const place = own >= 0 ? own : story.findIndex((entry) => isOneOf(entry, marked));
  const entry = story[place];
  return entry ? { key: storyKey(entry), place } : undefined;
}

/** The call after or before a place of the story. */
export function neighbouringCall(
  story: readonly ShownEntry[],
  from: number | undefined,
  step: 1 | -1,
): string | undefined {
  const start = from ?? (step > 0 ? -1 : story.length);
  for (let place = start + step; place >= 0 && place < story.length; place += step) {
    const entry = story[place];
    if (entry?.kind === 'call') return storyKey(entry);
  }
  return undefined;
}

/** Whether an entry is one of these calls; 0 stands for tools of the agent's own. */
export function isOneOf(entry: ShownEntry, calls: ReadonlySet<number>): boolean {
  if (entry.kind === 'own-call') return calls.has(0);
  return entry.kind === 'call' && calls.has(entry.call.call);
}

const entriesInPart = 100;
/** So few are shown at once. */
const partsAtOnce = 3;

export interface StoryPart {
  /** Of the first entry, and of the one after the last. */
  start: number;
  end: number;
}

/** A long story in parts: a browser cannot hold thousands of open entries. */
export function storyParts(entries: number): StoryPart[] {
  return Array.from({ length: Math.ceil(entries / entriesInPart) }, (_, part) => ({
    start: part * entriesInPart,
    end: Math.min((part + 1) * entriesInPart, entries),
  }));
}

/** The beginning and the end, where what matters mostly stands. */
export function isOpenAtFirst(part: number, parts: number): boolean {
  return parts <= partsAtOnce || part === 0 || part === parts - 1;
}
