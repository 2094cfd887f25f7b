import { useCallback, useState } from 'preact/hooks';
import type { PhaseName } from '../../journal/task-run-events.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatCount, formatDuration } from '../elements/amounts.js';
import { findTimeTicks, formatTimeTick } from '../elements/axis-ticks.js';
import { useMedia } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import { getCurrentRoute, replaceHash, useRoute } from '../routing/navigation.js';
import { formatRunLink } from '../routing/run-links.js';
import { findCallState, formatCallName } from './call-text.js';
import { formatStoryKey, isOneOfCalls, type ShownEntry } from './story-entries.js';
import type { Span, Timeline } from './timeline.js';
import { CallRow, PhaseRow, StepRow } from './waterfall-rows.js';

interface WaterfallProps {
  timeline: Timeline;
  /** Numbers of the calls that are highlighted. */
  marked: ReadonlySet<number>;
  zoom: Zoom;
  onShow: (key: string) => void;
}

/** The timeline: phases, steps and calls as bars to scale. */
export function Waterfall({
  timeline,
  marked,
  zoom: { phase: zoom, zoomTo },
  onShow,
}: WaterfallProps) {
  const [hint, setHint] = useState('');
  const isNarrow = useMedia('(max-width: 40rem)');
  const part = findShownPart(timeline, zoom);
  const row = { part, onShow, onHint: setHint };
  const ticks = findTimeTicks(part.start, part.end, isNarrow ? 3 : 7);
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
              style={{ left: formatPosition(tick, part) }}
            >
              <span>{formatTimeTick(tick)}</span>
            </span>
          ))}
        </div>
        {timeline.phases.length > 0 && (
          <PhaseRow {...row} phases={timeline.phases} zoom={zoom} onZoom={zoomTo} />
        )}
        <StepRow {...row} phases={timeline.phases} />
        <CallRow {...row} calls={timeline.calls} marked={marked} />
      </div>
      <p class="waterfall-hint quiet" aria-hidden="true">
        {hint || 'Hover for exact times, click to jump.'}
      </p>
    </section>
  );
}

function findShownPart(timeline: Timeline, zoom: PhaseName | null): Span {
  const phase = timeline.phases.find(({ name }) => name === zoom);
  return phase && phase.end > phase.start ? phase : { start: 0, end: timeline.end };
}

/** Whether a tick is so close to the end that its label has to be before it. */
function isAtEnd(time: number, { start, end }: Span): boolean {
  return time > start && end - time < (end - start) * 0.08;
}

/** Position of a time in the part that is shown, as a CSS percentage. */
function formatPosition(time: number, { start, end }: Span): string {
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
      <legend class="off-screen">Part to show</legend>
      <button type="button" aria-pressed={zoom === null} onClick={() => onZoom(null)}>
        all <span class="quiet">{formatDuration(timeline.end)}</span>
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
          {name} <span class="quiet">{formatDuration(end - start)}</span>
        </button>
      ))}
    </fieldset>
  );
}

const phases: readonly PhaseName[] = ['setup', 'agent', 'verify', 'cleanup'];

interface Zoom {
  /** The phase that the timeline shows; null: the whole task run. */
  phase: PhaseName | null;
  zoomTo: (phase: PhaseName | null) => void;
}

/** The zoom of the timeline, kept in the address so that a link shows the same. */
export function useZoom(index: ReportIndex, place: number): Zoom {
  const named = useRoute().query.get('zoom');
  const zoomTo = useCallback(
    (phase: PhaseName | null) => {
      const { query } = getCurrentRoute();
      if (phase === null) query.delete('zoom');
      else query.set('zoom', phase);
      replaceHash(formatRunLink(index, place, query));
    },
    [index, place],
  );
  return { phase: phases.find((phase) => phase === named) ?? null, zoomTo };
}

interface OrderOfEventsProps {
  story: readonly ShownEntry[];
  marked: ReadonlySet<number>;
  onShow: (key: string) => void;
}

const mostEvents = 200;

/** The order of events, in place of the timeline where the results lack times. */
export function OrderOfEvents({ story, marked, onShow }: OrderOfEventsProps) {
  const events = story.filter(({ kind }) => kind === 'step' || kind === 'call');
  if (events.length === 0) return null;
  return (
    <section class="panel order-of-events" aria-labelledby="order-title">
      <h2 id="order-title">Order of events</h2>
      <p class="quiet">The results do not say how long each of these took.</p>
      <ol>
        {events.slice(0, mostEvents).map((entry) => (
          <li key={formatStoryKey(entry)}>
            <button
              type="button"
              class={isOneOfCalls(entry, marked) ? 'marked' : ''}
              onClick={() => onShow(formatStoryKey(entry))}
            >
              {formatEventName(entry)}
            </button>
          </li>
        ))}
      </ol>
      {events.length > mostEvents && (
        <p class="quiet">and {formatCount(events.length - mostEvents)} more, further down</p>
      )}
    </section>
  );
}

function formatEventName(entry: ShownEntry): string {
  if (entry.kind === 'call') {
    const state = findCallState(entry.call);
    return `${formatCallName(entry.call)}${state ? ` (${state})` : ''}`;
  }
  if (entry.kind !== 'step') return entry.kind;
  const { phase, step } = entry;
  return `${phase}: ${formatName(step.kind)}${step.passed ? '' : ` (${step.outcome})`}`;
}
