import type { EvaluationEnd } from './evaluation-end.js';
import type { EventStream } from './event-stream.js';

/** Writes the last that a journal says. `started` is when, by a clock that only goes forward. */
export function writeEnding(events: EventStream, started: number, end: EvaluationEnd): void {
  events.write({
    type: 'run-ended',
    durationMs: Math.round(performance.now() - started),
    calls: events.calls,
    ...(end.interrupted && { interrupted: true as const }),
    ...(end.bailed && { bailed: true as const }),
    ...(end.budget && { budget: end.budget }),
  });
}
