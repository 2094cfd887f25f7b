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
