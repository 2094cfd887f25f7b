import { counted, durationText, exactCount, shortCount } from '../elements/amounts.js';
import { type AxisUnit, findAxisTicks } from '../elements/axis-ticks.js';
import type { Bar, Bins, HistogramBars } from './histogram-bars.js';
import { outcomes } from './view.js';

interface HistogramProps {
  title: string;
  content: HistogramBars;
  unit: AxisUnit;
}

export function Histogram({ title, content: { bins, bars, known, of }, unit }: HistogramProps) {
  const id = `histogram-${title.toLowerCase()}`;
  return (
    <section class="panel histogram" aria-labelledby={id}>
      <div class="panel-title">
        <h2 id={id}>{title}</h2>
        <span class="quiet">{noteOf(known, of, bins)}</span>
      </div>
      {bins ? (
        <Bars title={title} bins={bins} bars={bars} unit={unit} />
      ) : (
        <p class="nothing">{of === 0 ? 'no task run is shown' : 'not reported'}</p>
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
  const format = unit === 'milliseconds' ? durationText : shortCount;
  // Bins can be narrower than what a short count tells apart.
  const exact = unit === 'milliseconds' ? durationText : roundedCount;
  const highest = Math.max(...bars.map(({ total }) => total), 1);
  const { edges } = bins;
  const rangeOf = (place: number) =>
    `${exact(edges[place] ?? 0)} to ${exact(edges[place + 1] ?? 0)}`;
  const most = bars.findIndex(({ total }) => total === highest);
  const label = `${title} of task runs: from ${format(edges[0] ?? 0)} to ${format(edges.at(-1) ?? 0)}, most often ${rangeOf(most)}`;
  return (
    <figure class="bars">
      <span class="bars-highest" aria-hidden="true">
        {exactCount(highest)}
      </span>
      <svg
        viewBox={`0 0 ${bars.length} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {bars.map((bar, place) => (
          <g key={place} transform={`translate(${place} 0)`}>
            <title>{`${rangeOf(place)}: ${sentenceOf(bar)}`}</title>
            <rect class="bar-ground" width="1" height="100" />
            {stackOf(bar).map(({ outcome, from, to }) => (
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
            {withoutZeros(format(value))}
          </span>
        ))}
      </div>
    </figure>
  );
}

function roundedCount(value: number): string {
  return exactCount(Math.round(value));
}

/** `20.0 s` as `20 s`, `1.50 s` as `1.5 s`: values along an axis are round. */
function withoutZeros(text: string): string {
  return text.replace(/(\.\d*?)0+(?!\d)/, '$1').replace(/\.(?!\d)/, '');
}

function stackOf({ counts }: Bar) {
  let sum = 0;
  return outcomes.flatMap((outcome) => {
    const from = sum;
    sum += counts[outcome];
    return counts[outcome] === 0 ? [] : [{ outcome, from, to: sum }];
  });
}

function sentenceOf({ counts, total }: Bar): string {
  const parts = outcomes.flatMap((outcome) =>
    counts[outcome] > 0 ? [`${counts[outcome]} ${outcome}`] : [],
  );
  return `${counted(total, 'task run')}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`;
}

function noteOf(known: number, all: number, bins: Bins | undefined): string {
  const scale = bins?.scale === 'log' ? ', logarithmic' : '';
  return known < all && known > 0
    ? `of ${counted(known, 'task run')} that tell${scale}`
    : `of a task run${scale}`;
}
