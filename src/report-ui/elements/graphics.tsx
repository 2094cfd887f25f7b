import type { Outcome } from '../../events/task-run-events.js';

/** Drawn, not written: not every font has these signs. */
const signs: Record<Outcome, string> = {
  passed: 'M3.5 8.5l3 3 6-7',
  failed: 'M4.5 4.5l7 7m0-7l-7 7',
  timeout: 'M8 4.5V8l2.5 2M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11',
  error: 'M8 3.5v5.5m0 2.9v.1',
  cancelled: 'M4 8h8',
};

/** The sign alone: the word must stand beside it, or be its label. */
export function OutcomeSign({ outcome }: { outcome: Outcome }) {
  return (
    <svg class={`sign ${outcome}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={signs[outcome]} />
    </svg>
  );
}

/** Sign and word, never colour alone. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  return (
    <span class={`badge ${outcome}`}>
      <OutcomeSign outcome={outcome} />
      {outcome}
    </span>
  );
}

/** From one amount to another. Drawn, not written: not every font has it. */
export function Arrow() {
  return (
    <>
      <svg class="sign arrow" viewBox="0 0 16 16" aria-hidden="true">
        <path d="M2.5 8h11M9.5 4l4 4l-4 4" />
      </svg>
      <span class="off-screen"> to </span>
    </>
  );
}

/** Says which way something is sorted, to the eye; `aria-sort` or a label says it in words. */
export function SortMark({ descending }: { descending: boolean }) {
  return (
    <svg class="sign sort-mark" viewBox="0 0 16 16" aria-hidden="true">
      <path d={descending ? 'M8 3v9.5M4 8.5l4 4l4-4' : 'M8 13V3.5M4 7.5l4-4l4 4'} />
    </svg>
  );
}

interface IntervalBarProps {
  /** From 0 to 1. Null: not known. */
  rate: number | null;
  low: number | null;
  high: number | null;
}

/** Dot and whisker; the numbers stand beside it. */
export function IntervalBar({ rate, low, high }: IntervalBarProps) {
  return (
    <div class="interval-bar" aria-hidden="true">
      {rate !== null && low !== null && high !== null && (
        <>
          <span class="whisker" style={{ left: `${low * 100}%`, right: `${100 - high * 100}%` }} />
          <span class="dot" style={{ left: `${rate * 100}%` }} />
        </>
      )}
    </div>
  );
}
