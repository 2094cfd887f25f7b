import {
  formatCount,
  formatDuration,
  formatPlural,
  formatShortCount,
} from '../elements/amounts.js';
import { type AxisUnit, findAxisTicks } from '../elements/axis-ticks.js';
import type { Bar, Bins, HistogramBars } from './histogram-bars.js';
import { outcomes } from './view.js';

interface HistogramProps {
  title: string;
  content: HistogramBars;
  unit: AxisUnit;
}

export function Histogram({ title, content: { bins, bars, known, total }, unit }: HistogramProps) {
  const id = `histogram-${title.toLowerCase()}`;
  return (
    <section class="panel histogram" aria-labelledby={id}>
      <div class="panel-title">
        <h2 id={id}>{title}</h2>
        <span class="quiet">{formatNote(known, total, bins)}</span>
      </div>
      {bins ? (
        <Bars title={title} bins={bins} bars={bars} unit={unit} />
      ) : (
        <p class="nothing">{total === 0 ? 'no task runs shown' : 'not reported'}</p>
      )}
    </section>
  );
}

interface BarsProps {
  title: string;
  bins: Bins;
  bars: readonly Bar[];
  unit: AxisUnit;
}

function Bars({ title, bins, bars, unit }: BarsProps) {
  const format = unit === 'milliseconds' ? formatDuration : formatShortCount;
  // Bins can be narrower than the precision of a short count.
  const exact = unit === 'milliseconds' ? formatDuration : formatRoundedCount;
  const highest = Math.max(...bars.map(({ total }) => total), 1);
  const { edges } = bins;
  const formatRange = (place: number) =>
    `${exact(edges[place] ?? 0)} to ${exact(edges[place + 1] ?? 0)}`;
  const most = bars.findIndex(({ total }) => total === highest);
  const label = `${title} of task runs: from ${format(edges[0] ?? 0)} to ${format(edges.at(-1) ?? 0)}, most often ${formatRange(most)}`;
  return (
    <figure class="bars">
      <span class="bars-highest" aria-hidden="true">
        {formatCount(highest)}
      </span>
      <svg
        viewBox={`0 0 ${bars.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map((bar, place) => (
          <g key={place} transform={`translate(${place} 0)`}>
            <title>{`${formatRange(place)}: ${formatBar(bar)}`}</title>
            <rect class="bar-ground" width="1" height="100" />
            {stackOutcomes(bar).map(({ outcome, from, to }) => (
              <rect
                key={outcome}
                class={`fill ${outcome}`}
                x="0.06"
                width="0.88"
                y={String(100 - (to / highest) * 100)}
                height={String(((to - from) / highest) * 100)}
              />
            ))}
          </g>
        ))}
      </svg>
      <div class="axis" aria-hidden="true">
        {findAxisTicks(bins, unit).map(({ value, share }) => (
          <span key={value} style={{ left: `${share * 100}%` }}>
            {dropTrailingZeros(format(value))}
          </span>
        ))}
      </div>
    </figure>
  );
}

function formatRoundedCount(value: number): string {
  return formatCount(Math.round(value));
}

/** Writes `20.0 s` as `20 s` and `1.50 s` as `1.5 s`, as values along an axis are round. */
function dropTrailingZeros(text: string): string {
  return text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '');
}

function stackOutcomes({ counts }: Bar) {
  let sum = 0;
  return outcomes.flatMap((outcome) => {
    const from = sum;
    sum += counts[outcome];
    return counts[outcome] === 0 ? [] : [{ outcome, from, to: sum }];
  });
}

function formatBar({ counts, total }: Bar): string {
  const parts = outcomes.flatMap((outcome) =>
    counts[outcome] > 0 ? [`${counts[outcome]} ${outcome}`] : [],
  );
  return `${formatPlural(total, 'task run')}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}

function formatNote(known: number, all: number, bins: Bins | undefined): string {
  const scale = bins?.scale === 'log' ? ', logarithmic' : '';
  return known < all && known > 0
    ? `of ${formatPlural(known, 'task run')} that report it${scale}`
    : `per task run${scale}`;
}
