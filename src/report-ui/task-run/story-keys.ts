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
