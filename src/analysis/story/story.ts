import type { PhaseName } from '../../journal/task-run-events.js';
import type { StepPhaseRecord, TaskRunSoFar } from '../../results/task-run-record.js';
import { agentStory, inOrder, type Placed } from './agent-story.js';
import type {
  AnswerEntry,
  JudgementEntry,
  PhaseEntry,
  StepEntry,
  StoryEntry,
  WarningEntry,
} from './story-entry.js';

const phaseNames = ['setup', 'agent', 'verify', 'cleanup'] as const;

/** All that happened in a task run, in order: why it did not pass comes last. */
export function storyOf(taskRun: TaskRunSoFar): StoryEntry[] {
  const phases = withWarnings(phaseStories(taskRun), taskRun.warnings);
  const entriesOf = (wanted: (phase: PhaseName) => boolean) =>
    phases
      .filter(({ head }) => wanted(head.phase))
      .flatMap(({ head, entries }) => [head, ...entries.map(({ entry }) => entry)]);
  return [
    ...entriesOf((phase) => phase !== 'cleanup'),
    ...taskRun.assertions.map((assertion) => ({ kind: 'assertion' as const, assertion })),
    ...entriesOf((phase) => phase === 'cleanup'),
    // It did not come to a phase, and they may say why.
    ...(phases.length === 0 ? taskRun.warnings.map(warningEntry) : []),
    ...(taskRun.failure ? [{ kind: 'failure' as const, failure: taskRun.failure }] : []),
  ];
}

/** A warning belongs to the phase before the first one that has only later entries. */
function withWarnings(
  phases: readonly PhaseStory[],
  warnings: TaskRunSoFar['warnings'],
): PhaseStory[] {
  const starts = phases.map(({ entries: [first] }) => first?.seq ?? Number.POSITIVE_INFINITY);
  return phases.map(({ head, entries }, index) => {
    const isOwn = (seq: number) => {
      const next = starts.findIndex((start, place) => place > 0 && start > seq);
      return index === (next === -1 ? phases.length : next) - 1;
    };
    const own = warnings.filter(({ seq }) => isOwn(seq));
    const placed = own.map((warning) => ({ seq: warning.seq, entry: warningEntry(warning) }));
    return { head, entries: inOrder<StoryEntry, StoryEntry>(entries, placed) };
  });
}

function warningEntry(warning: WarningEntry['warning']): WarningEntry {
  return { kind: 'warning', warning };
}

interface PhaseStory {
  head: PhaseEntry;
  entries: Placed<StoryEntry>[];
}

function phaseStories(taskRun: TaskRunSoFar): PhaseStory[] {
  let startMs: number | null = 0;
  return phaseNames.flatMap((phase) => {
    const record = phaseRecord(taskRun, phase);
    if (!record) return [];
    const { outcome, durationMs, message, details } = record;
    const head: PhaseEntry = {
      kind: 'phase',
      phase,
      startMs,
      durationMs,
      outcome,
      ...(message !== undefined && { message }),
      ...(details !== undefined && { details }),
    };
    startMs = startMs === null || durationMs === null ? null : startMs + durationMs;
    return [{ head, entries: phase === 'agent' ? withAnswer(taskRun) : stepStory(taskRun, phase) }];
  });
}

function phaseRecord({ phases, calls, output }: TaskRunSoFar, phase: PhaseName) {
  // Older results tell what the agent called, and nothing else of it.
  const isTold = phase === 'agent' && (calls.length > 0 || output !== '');
  return phases[phase] ?? (isTold ? { outcome: null, durationMs: null, steps: [] } : null);
}

function stepStory({ phases }: TaskRunSoFar, phase: StepEntry['phase']): Placed<StoryEntry>[] {
  const record: StepPhaseRecord | null = phases[phase];
  return (record?.steps ?? []).flatMap((step) => {
    const { seq, judgement } = step;
    const told: (StepEntry | JudgementEntry)[] = [{ kind: 'step', phase, step }];
    if (judgement) told.push({ kind: 'judgement', judgement });
    return told.map((entry) => ({ seq, entry }));
  });
}

function withAnswer(taskRun: TaskRunSoFar): Placed<StoryEntry>[] {
  const story = agentStory(taskRun);
  const text = taskRun.output.trim();
  const last = story.findLast(({ entry }) => entry.kind === 'message');
  const isTold = last?.entry.kind === 'message' && last.entry.text.trim() === text;
  if (text === '' || isTold) return story;
  const answer: AnswerEntry = { kind: 'answer', text };
  return [...story, { seq: story.at(-1)?.seq ?? 0, entry: answer }];
}
