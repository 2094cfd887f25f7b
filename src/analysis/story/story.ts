import type { PhaseName } from '../../journal/task-run-events.js';
import type {
  AgentStepRecord,
  CallRecord,
  StepPhaseRecord,
  TaskRunSoFar,
} from '../../results/task-run-record.js';
import { matchStepsToCalls } from './call-matching.js';
import type {
  AgentTextEntry,
  AnswerEntry,
  CallEntry,
  JudgementEntry,
  OwnCallEntry,
  PhaseEntry,
  StepEntry,
  StoryEntry,
  WarningEntry,
} from './story-entry.js';

const phaseNames = ['setup', 'agent', 'verify', 'cleanup'] as const;

/** All that happened in a task run, in order; the failure comes last. */
export function makeStory(taskRun: TaskRunSoFar): StoryEntry[] {
  const phases = placeWarnings(makePhaseStories(taskRun), taskRun.warnings);
  const entriesOf = (wanted: (phase: PhaseName) => boolean) =>
    phases
      .filter(({ head }) => wanted(head.phase))
      .flatMap(({ head, entries }) => [head, ...entries.map(({ entry }) => entry)]);
  return [
    ...entriesOf((phase) => phase !== 'cleanup'),
    ...taskRun.assertions.map((assertion) => ({ kind: 'assertion' as const, assertion })),
    ...entriesOf((phase) => phase === 'cleanup'),
    // No phase was reached, and the warnings may say why.
    ...(phases.length === 0 ? taskRun.warnings.map(makeWarningEntry) : []),
    ...(taskRun.failure ? [{ kind: 'failure' as const, failure: taskRun.failure }] : []),
  ];
}

/** A warning belongs to the phase before the first one that has only later entries. */
function placeWarnings(
  phases: readonly PhaseStory[],
  warnings: TaskRunSoFar['warnings'],
): PhaseStory[] {
  const starts = phases.map(({ entries: [first] }) => first?.seq ?? Number.POSITIVE_INFINITY);
  return phases.map(({ head, entries }, index) => {
    const belongsHere = (seq: number) => {
      const next = starts.findIndex((start, place) => place > 0 && start > seq);
      return index === (next === -1 ? phases.length : next) - 1;
    };
    const belonging = warnings.filter(({ seq }) => belongsHere(seq));
    const placed = belonging.map((warning) => ({
      seq: warning.seq,
      entry: makeWarningEntry(warning),
    }));
    return { head, entries: mergeInOrder<StoryEntry, StoryEntry>(entries, placed) };
  });
}

function makeWarningEntry(warning: WarningEntry['warning']): WarningEntry {
  return { kind: 'warning', warning };
}

interface PhaseStory {
  head: PhaseEntry;
  entries: Placed<StoryEntry>[];
}

function makePhaseStories(taskRun: TaskRunSoFar): PhaseStory[] {
  let startMs: number | null = 0;
  return phaseNames.flatMap((phase) => {
    const record = findPhaseRecord(taskRun, phase);
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
    return [
      { head, entries: phase === 'agent' ? appendAnswer(taskRun) : makeStepStory(taskRun, phase) },
    ];
  });
}

function findPhaseRecord({ phases, calls, output }: TaskRunSoFar, phase: PhaseName) {
  // Older results have the agent's calls only, and no phase.
  const hasTraces = phase === 'agent' && (calls.length > 0 || output !== '');
  return phases[phase] ?? (hasTraces ? { outcome: null, durationMs: null, steps: [] } : null);
}

function makeStepStory({ phases }: TaskRunSoFar, phase: StepEntry['phase']): Placed<StoryEntry>[] {
  const record: StepPhaseRecord | null = phases[phase];
  return (record?.steps ?? []).flatMap((step) => {
    const { seq, judgement } = step;
    const entries: (StepEntry | JudgementEntry)[] = [{ kind: 'step', phase, step }];
    if (judgement) entries.push({ kind: 'judgement', judgement });
    return entries.map((entry) => ({ seq, entry }));
  });
}

function appendAnswer(taskRun: TaskRunSoFar): Placed<StoryEntry>[] {
  const story = makeAgentStory(taskRun);
  const text = taskRun.output.trim();
  const last = story.findLast(({ entry }) => entry.kind === 'message');
  const isLastMessage = last?.entry.kind === 'message' && last.entry.text.trim() === text;
  if (text === '' || isLastMessage) return story;
  const answer: AnswerEntry = { kind: 'answer', text };
  return [...story, { seq: story.at(-1)?.seq ?? 0, entry: answer }];
}

/** An entry with its event number, which orders it. */
interface Placed<Entry> {
  seq: number;
  entry: Entry;
}

type AgentEntry = AgentTextEntry | OwnCallEntry | CallEntry;

/** What the agent did: its own report merged with the recorded calls. */
function makeAgentStory({ phases, calls, startedAt }: TaskRunSoFar): Placed<AgentEntry>[] {
  const steps = phases.agent?.steps ?? [];
  const recorded = matchStepsToCalls(steps, calls);
  const reported = new Set(recorded.values());
  const results = mapResultsById(steps);
  const start = startedAt === null ? Number.NaN : Date.parse(startedAt);
  const reportedEntries = steps.flatMap((step): Placed<AgentEntry>[] => {
    const call = recorded.get(step);
    if (call) return [{ seq: step.seq, entry: makeCallEntry(call, start) }];
    const entry = makeOwnEntry(step, results);
    return entry ? [{ seq: step.seq, entry }] : [];
  });
  const others = calls
    .filter((call) => !reported.has(call))
    .map((call) => ({ seq: call.seq, entry: makeCallEntry(call, start) }));
  return mergeInOrder(reportedEntries, others);
}

function makeCallEntry(call: CallRecord, start: number): CallEntry {
  const since = call.startedAt === null ? Number.NaN : Date.parse(call.startedAt) - start;
  return { kind: 'call', call, startMs: Number.isNaN(since) ? null : Math.max(since, 0) };
}

/** The entry of a reported step. Results have none: they are part of the entry of their call. */
function makeOwnEntry(
  { seq, kind, text = '', tool = '', id, args }: AgentStepRecord,
  results: ReadonlyMap<string, AgentStepRecord>,
): AgentTextEntry | OwnCallEntry | undefined {
  if (kind === 'tool-result') return undefined;
  if (kind !== 'tool-call') return { kind, seq, text };
  const result = id === undefined ? undefined : results.get(id);
  return {
    kind: 'own-call',
    seq,
    tool,
    ...(args !== undefined && { args }),
    ...(result && { result: { text: result.text ?? '', isError: result.isError === true } }),
  };
}

function mapResultsById(steps: readonly AgentStepRecord[]): Map<string, AgentStepRecord> {
  return new Map(
    steps.flatMap((step) =>
      step.kind === 'tool-result' && step.id !== undefined ? [[step.id, step]] : [],
    ),
  );
}

/** Merges the second list into the first by event number; each list keeps its order. */
function mergeInOrder<Left, Right>(
  left: readonly Placed<Left>[],
  right: readonly Placed<Right>[],
): Placed<Left | Right>[] {
  const merged: Placed<Left | Right>[] = [];
  let next = 0;
  for (const item of left) {
    for (let other = right[next]; other && other.seq < item.seq; other = right[next]) {
      merged.push(other);
      next += 1;
    }
    merged.push(item);
  }
  return [...merged, ...right.slice(next)];
}
