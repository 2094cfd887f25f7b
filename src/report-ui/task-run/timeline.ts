import type { Outcome, PhaseName } from '../../journal/task-run-events.js';
import type { CallRecord, StepRecord, TaskRunSoFar } from '../../results/task-run-record.js';

/** A span of time, in milliseconds since the task run began. */
export interface Span {
  start: number;
  end: number;
}

/** Whether two spans overlap; to touch is not enough. */
export function overlaps({ start, end }: Span, part: Span): boolean {
  if (start === end) return start >= part.start && start <= part.end;
  return end > part.start && start < part.end;
}

export interface TimelineStep extends Span {
  phase: PhaseName;
  step: StepRecord;
}

export interface TimelinePhase extends Span {
  name: PhaseName;
  /** Null: the phase never ended. */
  outcome: Outcome | null;
  steps: TimelineStep[];
}

export interface TimelineCall extends Span {
  call: CallRecord;
}

export interface Timeline {
  end: number;
  phases: TimelinePhase[];
  calls: TimelineCall[];
}

const phaseNames = ['setup', 'agent', 'verify', 'cleanup'] as const;

/**
 * Finds when things happened. Only calls have a start time: phases and steps follow each other, and
 * the phase of the agent is placed so that it contains its calls. Null: the results lack times.
 */
export function makeTimeline(taskRun: TaskRunSoFar): Timeline | null {
  const { startedAt, durationMs, phases } = taskRun;
  const began = Date.parse(startedAt ?? '');
  if (durationMs === null || !Number.isFinite(began)) return null;
  const calls = taskRun.calls.flatMap((call) => placeCall(call, began));
  if (calls.length < taskRun.calls.length) return null;

  const timeline: Timeline = { end: durationMs, phases: [], calls };
  let start = 0;
  for (const name of phaseNames) {
    const phase = phases[name];
    if (!phase) continue;
    const placed = name === 'agent' ? placeAgentPhase(start, phase.durationMs, calls) : { start };
    // A phase that never ended lasts until the end of the task run.
    const end = placed.start + (phase.durationMs ?? Math.max(durationMs - placed.start, 0));
    timeline.phases.push({
      name,
      outcome: phase.outcome,
      start: placed.start,
      end,
      steps: name === 'agent' ? [] : placeSteps(name, phases[name]?.steps ?? [], placed.start),
    });
    start = end;
  }
  const ends = [...timeline.phases, ...calls].map(({ end }) => end);
  timeline.end = ends.reduce((latest, end) => Math.max(latest, end), durationMs);
  return timeline;
}

function placeCall(call: CallRecord, began: number): TimelineCall[] {
  const at = Date.parse(call.startedAt ?? '');
  if (call.durationMs === null || !Number.isFinite(at)) return [];
  const start = Math.max(at - began, 0);
  return [{ call, start, end: start + call.durationMs }];
}

function placeAgentPhase(
  earliest: number,
  durationMs: number | null,
  calls: TimelineCall[],
): { start: number } {
  if (durationMs === null) return { start: earliest };
  const lastEnd = calls.reduce((latest, { end }) => Math.max(latest, end), 0);
  return { start: Math.max(earliest, lastEnd - durationMs) };
}

function placeSteps(phase: PhaseName, steps: StepRecord[], from: number): TimelineStep[] {
  let start = from;
  return steps.map((step) => {
    const placed = { phase, step, start, end: start + (step.durationMs ?? 0) };
    start = placed.end;
    return placed;
  });
}

/** A bar for a call, or for several short ones that would overlap. */
export interface CallBar extends Span {
  lane: number;
  calls: [CallRecord, ...CallRecord[]];
}

interface CallBars {
  bars: CallBar[];
  lanes: number;
  /** Whether there is room for a name beside each bar. */
  named: boolean;
}

/** Shares of the width of the chart. */
const roomForName = 0.17;
const slot = 0.004;
const mostNamed = 40;
const mostNamedLanes = 9;
const mostLanes = 20;

/** Lays out the calls of a part of the time as bars in lanes. */
export function layOutCalls(calls: readonly TimelineCall[], part: Span): CallBars {
  const seen = calls.filter((call) => overlaps(call, part));
  const length = Math.max(part.end - part.start, Number.MIN_VALUE);
  if (seen.length <= mostNamed) {
    const bars = seen.map(({ call, start, end }) => ({
      start,
      end,
      calls: [call] as [CallRecord],
    }));
    // Few enough for a lane each, in the order in which they began.
    if (bars.length <= mostNamedLanes) {
      const placed = bars.map((bar, lane) => ({ ...bar, lane }));
      return { bars: placed, lanes: bars.length, named: true };
    }
    const named = placeInLanes(bars, (bar) => addNameRoom(bar, part, length * roomForName));
    if (named.lanes <= mostNamedLanes) return { ...named, named: true };
  }
  const bars = mergeShortCalls(seen, length * slot);
  const packed = placeInLanes(bars, ({ start, end }) => ({
    start,
    end: Math.max(end, start + length * slot),
  }));
  return { ...packed, named: false };
}

/** Whether the name of a bar is before it, as there is no room behind it. */
export function isNamedBefore({ end }: Span, part: Span): boolean {
  return end > part.end - (part.end - part.start) * roomForName;
}

function addNameRoom({ start, end }: Span, part: Span, room: number): Span {
  const bar = { start, end };
  return isNamedBefore(bar, part) ? { start: start - room, end } : { start, end: end + room };
}

type UnplacedBar = Omit<CallBar, 'lane'>;

/** Merges short calls that begin in the same slot into one bar. */
function mergeShortCalls(calls: readonly TimelineCall[], slotLength: number): UnplacedBar[] {
  const bars: UnplacedBar[] = [];
  const shortBySlot = new Map<number, UnplacedBar>();
  for (const { call, start, end } of calls) {
    const slotNumber = Math.floor(start / slotLength);
    const isShort = end - start < slotLength;
    const before = isShort ? shortBySlot.get(slotNumber) : undefined;
    if (before) {
      before.calls.push(call);
      before.start = Math.min(before.start, start);
      before.end = Math.max(before.end, end);
      continue;
    }
    const bar: UnplacedBar = { start, end, calls: [call] };
    if (isShort) shortBySlot.set(slotNumber, bar);
    bars.push(bar);
  }
  return bars;
}

/** Places bars in lanes so that they do not overlap; beyond the last lane they share it. */
function placeInLanes(
  bars: readonly UnplacedBar[],
  taken: (bar: UnplacedBar) => Span,
): { bars: CallBar[]; lanes: number } {
  const lanes = assignLanes(bars.map(taken)).map((lane) => Math.min(lane, mostLanes - 1));
  return {
    bars: bars.map((bar, place) => ({ ...bar, lane: lanes[place] ?? 0 })),
    lanes: lanes.reduce((most, lane) => Math.max(most, lane + 1), 0),
  };
}

/**
 * The lane of each span, from 0: no two on a lane overlap, and there are as few lanes as possible.
 */
export function assignLanes(spans: readonly Span[]): number[] {
  const inOrder = spans.map((_, place) => place);
  inOrder.sort(
    (left, right) => (spans[left]?.start ?? 0) - (spans[right]?.start ?? 0) || left - right,
  );
  const laneEnds: number[] = [];
  const lanes = spans.map(() => 0);
  for (const place of inOrder) {
    const span = spans[place];
    if (!span) continue;
    const free = laneEnds.findIndex((end) => end <= span.start);
    const lane = free < 0 ? laneEnds.length : free;
    lanes[place] = lane;
    laneEnds[lane] = span.end;
  }
  return lanes;
}
