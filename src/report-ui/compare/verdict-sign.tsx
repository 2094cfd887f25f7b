import type { DiffVerdict } from '../../analysis/diff/results-diff.js';

/** Drawn, not written: not every font has them. */
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

const ofVerdict: Record<DiffVerdict, { sign: SignName; tone: string }> = {
  regression: { sign: 'down', tone: 'worse' },
  improvement: { sign: 'up', tone: 'better' },
  'judged differently': { sign: 'unknown', tone: 'unknown' },
  'no change': { sign: 'same', tone: 'same' },
  'not enough data': { sign: 'unknown', tone: 'unknown' },
};

/** Sign and word. */
export function VerdictBadge({ verdict }: { verdict: DiffVerdict }) {
  const { sign, tone } = ofVerdict[verdict];
  return (
    <span class={`verdict-badge ${tone}`}>
      <VerdictSign name={sign} />
      {verdict}
    </span>
  );
}
