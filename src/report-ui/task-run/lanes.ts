import type { Span } from './timeline.js';

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
