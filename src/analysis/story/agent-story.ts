import type { AgentStepRecord, CallRecord, TaskRunSoFar } from '../../results/task-run-record.js';
import type { AgentTextEntry, CallEntry, OwnCallEntry } from './story-entry.js';
import { recordedCallsOf } from './told-calls.js';

/** An entry with its place in the order of events. */
export interface Placed<Entry> {
  seq: number;
  entry: Entry;
}

type AgentEntry = AgentTextEntry | OwnCallEntry | CallEntry;

/** What the agent did: its own account and the record of the calls, made one. */
export function agentStory({ phases, calls, startedAt }: TaskRunSoFar): Placed<AgentEntry>[] {
  const steps = phases.agent?.steps ?? [];
  const recorded = recordedCallsOf(steps, calls);
  const told = new Set(recorded.values());
  const results = resultsById(steps);
  const start = startedAt === null ? Number.NaN : Date.parse(startedAt);
  const ownAccount = steps.flatMap((step): Placed<AgentEntry>[] => {
    const call = recorded.get(step);
    if (call) return [{ seq: step.seq, entry: callEntry(call, start) }];
    const entry = ownEntry(step, results);
    return entry ? [{ seq: step.seq, entry }] : [];
  });
  const others = calls
    .filter((call) => !told.has(call))
    .map((call) => ({ seq: call.seq, entry: callEntry(call, start) }));
  return inOrder(ownAccount, others);
}

function callEntry(call: CallRecord, start: number): CallEntry {
  const since = call.startedAt === null ? Number.NaN : Date.parse(call.startedAt) - start;
  return { kind: 'call', call, startMs: Number.isNaN(since) ? null : Math.max(since, 0) };
}

/** The record of the calls and the entry of a tool of its own tell the results. */
function ownEntry(
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

function resultsById(steps: readonly AgentStepRecord[]): Map<string, AgentStepRecord> {
  return new Map(
    steps.flatMap((step) =>
      step.kind === 'tool-result' && step.id !== undefined ? [[step.id, step]] : [],
    ),
  );
}

/** The second into the first, each of which keeps its own order. */
export function inOrder<Left, Right>(
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
