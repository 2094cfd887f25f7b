import type { DiffVerdict } from '../../analysis/diff/results-diff.js';

interface DifferenceBarProps {
  /** From -1 to 1. */
  difference: number | null;
  low: number | null;
  high: number | null;
  verdict: DiffVerdict;
}

const smallestScale = 0.1;

/** The difference with its interval, around a line that stands for no difference. */
export function DifferenceBar({ difference, low, high, verdict }: DifferenceBarProps) {
  if (difference === null) return null;
  const far = Math.max(
    Math.abs(low ?? 0),
    Math.abs(high ?? 0),
    Math.abs(difference),
    smallestScale,
  );
  const scale = Math.min(Math.ceil(far * 10) / 10, 1);
  const place = (value: number) => `${50 + (value / scale) * 50}%`;
  const end = `${Math.round(scale * 100)}`;
  return (
    <div
      class={`difference-bar ${verdict === 'regression' ? 'worse' : verdict === 'improvement' ? 'better' : ''}`}
    >
      <div class="difference-track" aria-hidden="true">
        {low !== null && high !== null && (
          <span
            class="difference-interval"
            style={{ left: place(low), width: `${((high - low) / scale) * 50}%` }}
          />
        )}
        <span class="difference-dot" style={{ left: place(difference) }} />
      </div>
      <div class="difference-scale quiet" aria-hidden="true">
        <span>−{end}</span>
        <span>worse</span>
        <span>no difference</span>
        <span>better</span>
        <span>+{end}</span>
      </div>
    </div>
  );
}
