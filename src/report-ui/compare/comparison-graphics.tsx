import type { DiffSide, DiffVerdict } from '../../analysis/diff/results-diff.js';

/** Signs as SVG paths, as not every font has such characters. */
const paths = {
  up: 'M8 13V3.5M3.5 8L8 3.5L12.5 8',
  down: 'M8 3v9.5M3.5 8L8 12.5L12.5 8',
  both: 'M5 13V3.5M2 6.5l3-3l3 3M11 3v9.5M8 9.5l3 3l3-3',
  same: 'M3 6h10M3 10h10',
  unknown: 'M5.5 6a2.5 2.5 0 1 1 3.4 2.3c-.6.3-.9.7-.9 1.7M8 12.7v.1',
} as const;

export type SignName = keyof typeof paths;

export function VerdictSign({ name }: { name: SignName }) {
  return (
    <svg class="sign" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

const verdictStyles: Record<DiffVerdict, { sign: SignName; tone: string }> = {
  regression: { sign: 'down', tone: 'worse' },
  improvement: { sign: 'up', tone: 'better' },
  'judged differently': { sign: 'unknown', tone: 'unknown' },
  'no change': { sign: 'same', tone: 'same' },
  'not enough data': { sign: 'unknown', tone: 'unknown' },
};

/** The sign and the name of a verdict. */
export function VerdictBadge({ verdict }: { verdict: DiffVerdict }) {
  const { sign, tone } = verdictStyles[verdict];
  return (
    <span class={`verdict-badge ${tone}`}>
      <VerdictSign name={sign} />
      {verdict}
    </span>
  );
}

interface DumbbellProps {
  base: DiffSide;
  current: DiffSide;
  verdict: DiffVerdict;
}

/** Both rates on a line from 0 to 100%, with their intervals; the numbers are beside it as text. */
export function Dumbbell({ base, current, verdict }: DumbbellProps) {
  const tone = verdict === 'regression' ? 'worse' : verdict === 'improvement' ? 'better' : '';
  return (
    <span class={`dumbbell ${tone}`} aria-hidden="true">
      {base.rate !== null && current.rate !== null && (
        <span
          class="dumbbell-link"
          style={{
            left: formatShare(Math.min(base.rate, current.rate)),
            width: formatShare(Math.abs(base.rate - current.rate)),
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
          style={{ left: formatShare(low), width: formatShare(high - low) }}
        />
      )}
      <span class={`dumbbell-dot ${name}`} style={{ left: formatShare(rate) }} />
    </>
  );
}

function formatShare(share: number): string {
  return `${share * 100}%`;
}

interface DifferenceBarProps {
  /** Difference of the rates, from -1 to 1, as `low` and `high`. */
  difference: number | null;
  low: number | null;
  high: number | null;
  verdict: DiffVerdict;
}

const smallestScale = 0.1;

/** The difference with its interval, on a scale around no difference. */
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
