import type { CallRecord } from '../../results/task-run-record.js';
import { reachesInto, type Span, type TimelineCall } from './timeline.js';

/** A call, or several short ones that would lie on each other. */
export interface CallBar extends Span {
  lane: number;
  calls: [CallRecord, ...CallRecord[]];
}

export interface CallBars {
  bars: CallBar[];
  lanes: number;
  /** Whether there is room for a name beside each. */
  named: boolean;
}

/** Shares of the width. */
const roomForName = 0.17;
const slot = 0.004;
const mostNamed = 40;
const mostNamedLanes = 9;
const mostLanes = 20;

/** How the calls that reach into this part of the time are drawn. */
export function callBars(calls: readonly TimelineCall[], part: Span): CallBars {
  const seen = calls.filter((call) => reachesInto(call, part));
  const length = Math.max(part.end - part.start, Number.MIN_VALUE);
  if (seen.length <= mostNamed) {
    const bars = seen.map(({ call, start, end }) => ({
      start,
      end,
      calls: [call] as [CallRecord],
    }));
    // Few enough for a line each: from top to bottom in the order in which they began.
    if (bars.length <= mostNamedLanes) {
      const placed = bars.map((bar, lane) => ({ ...bar, lane }));
      return { bars: placed, lanes: bars.length, named: true };
    }
    const named = inLanes(bars, (bar) => withRoom(bar, part, length * roomForName));
    if (named.lanes <= mostNamedLanes) return { ...named, named: true };
  }
  const bars = withoutCrowds(seen, length * slot);
  const packed = inLanes(bars, ({ start, end }) => ({
    start,
    end: Math.max(end, start + length * slot),
  }));
  return { ...packed, named: false };
}

/** A name stands behind its bar, or before it where the part ends. */
export function isNamedBefore({ end }: Span, part: Span): boolean {
  return end > part.end - (part.end - part.start) * roomForName;
}

function withRoom({ start, end }: Span, part: Span, room: number): Span {
  const bar = { start, end };
  return isNamedBefore(bar, part) ? { start: start - room, end } : { start, end: end + room };
}

type UnplacedBar = Omit<CallBar, 'lane'>;

/** Short ones that begin in the same slot become one. */
function withoutCrowds(calls: readonly TimelineCall[], slotLength: number): UnplacedBar[] {
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

/** What does not fit at all is drawn on the last one. */
function inLanes(
  bars: readonly UnplacedBar[],
  taken: (bar: UnplacedBar) => Span,
): { bars: CallBar[]; lanes: number } {
  const lanes = lanesOf(bars.map(taken)).map((lane) => Math.min(lane, mostLanes - 1));
  return {
    bars: bars.map((bar, place) => ({ ...bar, lane: lanes[place] ?? 0 })),
    lanes: lanes.reduce((most, lane) => Math.max(most, lane + 1), 0),
  };
}

/** For each span its lane, from 0: no two on one lane overlap, and there are as few as possible. */
export function lanesOf(spans: readonly Span[]): number[] {
  const inOrder = spans.map((_, place) => place);
  inOrder.sort((left, right) => startOf(spans, left) - startOf(spans, right) || left - right);
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

function startOf(spans: readonly Span[], place: number): number {
  return spans[place]?.start ?? 0;
}
