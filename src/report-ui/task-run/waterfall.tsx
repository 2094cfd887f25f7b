import { useState } from 'preact/hooks';
import type { PhaseName } from '../../journal/task-run-events.js';
import { durationText } from '../elements/amounts.js';
import { useMedia } from '../elements/use-media.js';
import { CallRow } from './call-row.js';
import { PhaseRow, StepRow } from './phase-rows.js';
import { tickText, timeTicks } from './time-ticks.js';
import type { Span, Timeline } from './timeline.js';
import type { Zoom } from './use-zoom.js';

interface WaterfallProps {
  timeline: Timeline;
  /** Numbers of calls to be pointed out. */
  marked: ReadonlySet<number>;
  zoom: Zoom;
  onShow: (key: string) => void;
}

/** Phases, steps and calls to scale. */
export function Waterfall({
  timeline,
  marked,
  zoom: { phase: zoom, zoomTo },
  onShow,
}: WaterfallProps) {
  const [told, setTold] = useState('');
  const isNarrow = useMedia('(max-width: 40rem)');
  const part = partOf(timeline, zoom);
  const row = { part, onShow, onTell: setTold };
  const ticks = timeTicks(part.start, part.end, isNarrow ? 3 : 7);
  return (
    <section class="panel waterfall" aria-labelledby="waterfall-title">
      <div class="waterfall-head">
        <h2 id="waterfall-title">Timeline</h2>
        <ZoomChoice timeline={timeline} zoom={zoom} onZoom={zoomTo} />
      </div>
      <div class="waterfall-chart">
        <div class="waterfall-axis" aria-hidden="true">
          {ticks.map((tick) => (
            <span
              key={tick}
              class={`waterfall-tick ${isAtEnd(tick, part) ? 'at-end' : ''}`}
              style={{ left: percent(tick, part) }}
            >
              <span>{tickText(tick)}</span>
            </span>
          ))}
        </div>
        {timeline.phases.length > 0 && (
          <PhaseRow {...row} phases={timeline.phases} zoom={zoom} onZoom={zoomTo} />
        )}
        <StepRow {...row} phases={timeline.phases} />
        <CallRow {...row} calls={timeline.calls} marked={marked} />
      </div>
      <p class="waterfall-told quiet" aria-hidden="true">
        {told || 'Point at a bar for exact times; select it to go there.'}
      </p>
    </section>
  );
}

function partOf(timeline: Timeline, zoom: PhaseName | null): Span {
  const phase = timeline.phases.find(({ name }) => name === zoom);
  return phase && phase.end > phase.start ? phase : { start: 0, end: timeline.end };
}

/** Whether there is no room for its name behind it. */
function isAtEnd(time: number, { start, end }: Span): boolean {
  return time > start && end - time < (end - start) * 0.08;
}

/** Where a time is, as a share of what is shown. */
function percent(time: number, { start, end }: Span): string {
  return `${end > start ? ((time - start) / (end - start)) * 100 : 0}%`;
}

interface ZoomChoiceProps {
  timeline: Timeline;
  zoom: PhaseName | null;
  onZoom: (phase: PhaseName | null) => void;
}

function ZoomChoice({ timeline, zoom, onZoom }: ZoomChoiceProps) {
  return (
    <fieldset class="zoom-choice">
      <legend class="off-screen">Part of the time to show</legend>
      <button type="button" aria-pressed={zoom === null} onClick={() => onZoom(null)}>
        all <span class="quiet">{durationText(timeline.end)}</span>
      </button>
      {timeline.phases.map(({ name, start, end }) => (
        <button
          key={name}
          type="button"
          aria-pressed={zoom === name}
          disabled={end <= start}
          onClick={() => onZoom(zoom === name ? null : name)}
        >
          <span class={`phase-swatch ${name}`} aria-hidden="true" />
          {name} <span class="quiet">{durationText(end - start)}</span>
        </button>
      ))}
    </fieldset>
  );
}
