import type { StoryEntry } from '../../analysis/story/story-entry.js';
import type { TaskRunSoFar } from '../../results/task-run-record.js';

/** An entry of the story; judgements, assertions and the failure are elsewhere on the page. */
export type ShownEntry = Exclude<StoryEntry, { kind: 'judgement' | 'assertion' | 'failure' }>;

/** The entries of a story that are shown: without empty phases. */
export function filterStory(story: readonly StoryEntry[]): ShownEntry[] {
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

/** The id of an entry within its task run, for links and jumps. */
export function formatStoryKey(entry: ShownEntry): string {
  switch (entry.kind) {
    case 'phase':
      return `phase-${entry.phase}`;
    case 'step':
      return formatStepKey(entry.phase, entry.step.step);
    case 'call':
      return formatCallKey(entry.call.call);
    case 'warning':
      return `warning-${entry.warning.seq}`;
    case 'answer':
      return 'answer';
    default:
      return `agent-${entry.seq}`;
  }
}

export const formatCallKey = (call: number) => `call-${call}`;
export const formatStepKey = (phase: string, step: number) => `step-${phase}-${step}`;
export const formatAssertionKey = (place: number) => `assertion-${place + 1}`;

/** Place of the assertion that a key names; undefined: it names none. */
export function parseAssertionKey(key: string | null): number | undefined {
  const [, place] = /^assertion-(\d{1,6})$/.exec(key ?? '') ?? [];
  return place === undefined ? undefined : Number(place) - 1;
}

/** The key of where to look for the reason of a failure; null: the task run does not show it. */
export function findEvidenceKey(
  taskRun: TaskRunSoFar,
  story: readonly ShownEntry[],
): string | null {
  const { failure, assertions } = taskRun;
  if (!failure) return null;
  if (failure.category === 'assertion-failed') {
    const place = assertions.findIndex(({ passed }) => !passed);
    return place < 0 ? null : formatAssertionKey(place);
  }
  const shown = story.find((entry) => getSequence(entry) === failure.evidence);
  const found = shown ?? findFailedEntry(story) ?? story.findLast(({ kind }) => kind === 'phase');
  return found ? formatStoryKey(found) : null;
}

function getSequence(entry: ShownEntry): number | undefined {
  if (entry.kind === 'step') return entry.step.seq;
  if (entry.kind === 'call') return entry.call.seq;
  if (entry.kind === 'warning') return entry.warning.seq;
  return 'seq' in entry ? entry.seq : undefined;
}

/** The first step that failed in the first phase that did not pass, or that phase. */
function findFailedEntry(story: readonly ShownEntry[]): ShownEntry | undefined {
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

/** The entry that a key leads to: the one it names, or the first call of a chosen assertion. */
export function findStoryTarget(
  story: readonly ShownEntry[],
  key: string | null,
  marked: ReadonlySet<number>,
): StoryTarget | undefined {
  if (key === null) return undefined;
  const named = story.findIndex((entry) => formatStoryKey(entry) === key);
  const place = named >= 0 ? named : story.findIndex((entry) => isOneOfCalls(entry, marked));
  const entry = story[place];
  return entry ? { key: formatStoryKey(entry), place } : undefined;
}

/** Key of the call after or before a place of the story. */
export function findNeighbouringCall(
  story: readonly ShownEntry[],
  from: number | undefined,
  step: 1 | -1,
): string | undefined {
  const start = from ?? (step > 0 ? -1 : story.length);
  for (let place = start + step; place >= 0 && place < story.length; place += step) {
    const entry = story[place];
    if (entry?.kind === 'call') return formatStoryKey(entry);
  }
  return undefined;
}

/** Whether an entry is one of these calls; 0 stands for built-in tools of the agent. */
export function isOneOfCalls(entry: ShownEntry, calls: ReadonlySet<number>): boolean {
  if (entry.kind === 'own-call') return calls.has(0);
  return entry.kind === 'call' && calls.has(entry.call.call);
}

const entriesInPart = 100;
/** So few parts are all open at first. */
const partsAtOnce = 3;

export interface StoryPart {
  /** Place of the first entry; `end`: of the one after the last. */
  start: number;
  end: number;
}

/** Splits a long story in parts, as a browser cannot hold thousands of open entries. */
export function splitStory(entries: number): StoryPart[] {
  return Array.from({ length: Math.ceil(entries / entriesInPart) }, (_, part) => ({
    start: part * entriesInPart,
    end: Math.min((part + 1) * entriesInPart, entries),
  }));
}

/** Whether a part is open at first: of a long story the beginning and the end are. */
export function isOpenAtFirst(part: number, parts: number): boolean {
  return parts <= partsAtOnce || part === 0 || part === parts - 1;
}
