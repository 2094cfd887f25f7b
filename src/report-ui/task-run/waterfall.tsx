import { useCallback, useState } from 'preact/hooks';
import type { PhaseName } from '../../events/task-run-events.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { durationText, exactCount } from '../elements/amounts.js';
import { findTimeTicks, formatTimeTick } from '../elements/axis-ticks.js';
import { useMedia } from '../elements/media.js';
import { shortName } from '../elements/text.js';
import { getCurrentRoute, replaceHash, useRoute } from '../routing/navigation.js';
import { runLink } from '../routing/run-links.js';
import { callName, callState } from './call-text.js';
import { isOneOf, type ShownEntry, storyKey } from './story-entries.js';
import type { Span, Timeline } from './timeline.js';
import { CallRow, PhaseRow, StepRow } from './waterfall-rows.js';

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
              style={{ left: percent(tick, part) }}
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

const phases: readonly PhaseName[] = ['setup', 'agent', 'verify', 'cleanup'];

interface Zoom {
  /** The phase that the timeline shows; null: all of the time. */
  phase: PhaseName | null;
  zoomTo: (phase: PhaseName | null) => void;
}

/** Kept in the address, so that a link shows the same. */
export function useZoom(index: ReportIndex, place: number): Zoom {
  const named = useRoute().query.get('zoom');
  const zoomTo = useCallback(
    (phase: PhaseName | null) => {
      const { query } = getCurrentRoute();
      if (phase === null) query.delete('zoom');
      else query.set('zoom', phase);
      replaceHash(runLink(index, place, query));
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

/** In place of the timeline, where the results do not tell when things happened. */
export function OrderOfEvents({ story, marked, onShow }: OrderOfEventsProps) {
  const events = story.filter(({ kind }) => kind === 'step' || kind === 'call');
  if (events.length === 0) return null;
  return (
    <section class="panel order-of-events" aria-labelledby="order-title">
      <h2 id="order-title">Order of events</h2>
      <p class="quiet">The results do not tell how long each of these took.</p>
      <ol>
        {events.slice(0, mostEvents).map((entry) => (
          <li key={storyKey(entry)}>
            <button
              type="button"
              class={isOneOf(entry, marked) ? 'marked' : ''}
              onClick={() => onShow(storyKey(entry))}
            >
              {formatEventName(entry)}
            </button>
          </li>
        ))}
      </ol>
      {events.length > mostEvents && (
        <p class="quiet">and {exactCount(events.length - mostEvents)} more, further down</p>
      )}
    </section>
  );
}

function formatEventName(entry: ShownEntry): string {
  if (entry.kind === 'call') {
    const state = callState(entry.call);
    return `${callName(entry.call)}${state ? ` (${state})` : ''}`;
  }
  if (entry.kind !== 'step') return entry.kind;
  const { phase, step } = entry;
  return `${phase}: ${shortName(step.kind)}${step.passed ? '' : ` (${step.outcome})`}`;
}
