import type { DiffSide, DiffVerdict } from '../../analysis/diff/results-diff.js';

interface DumbbellProps {
  base: DiffSide;
  current: DiffSide;
  verdict: DiffVerdict;
}

/** Both rates on a line from 0 to 100%, with their intervals. The numbers stand beside it. */
export function Dumbbell({ base, current, verdict }: DumbbellProps) {
  const tone = verdict === 'regression' ? 'worse' : verdict === 'improvement' ? 'better' : '';
  return (
    <span class={`dumbbell ${tone}`} aria-hidden="true">
      {base.rate !== null && current.rate !== null && (
        <span
          class="dumbbell-link"
          style={{
            left: percent(Math.min(base.rate, current.rate)),
            width: percent(Math.abs(base.rate - current.rate)),
          }}
        />
      )}
      <Rate side={base} name="base" />
      <Rate side={current} name="current" />
    </span>
  );
}

function Rate({ side: { rate, low, high }, name }: { side: DiffSide; name: 'base' | 'current' }) {
  if (rate === null) return null;
  return (
    <>
      {low !== null && high !== null && (
        <span
          class={`dumbbell-interval ${name}`}
          style={{ left: percent(low), width: percent(high - low) }}
        />
      )}
      <span class={`dumbbell-dot ${name}`} style={{ left: percent(rate) }} />
    </>
  );
}

function percent(share: number): string {
  return `${share * 100}%`;
}
