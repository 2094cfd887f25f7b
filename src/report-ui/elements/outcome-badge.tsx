import type { Outcome } from '../../journal/task-run-events.js';

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
