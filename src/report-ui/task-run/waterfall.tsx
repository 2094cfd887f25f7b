import type { ComponentChildren } from 'preact';
import { useCallback, useMemo, useState } from 'preact/hooks';
import type { PhaseName } from '../../journal/task-run-events.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import type { CallRecord } from '../../results/task-run-record.js';
import { formatCount, formatDuration, formatExactTime } from '../elements/amounts.js';
import { findTimeTicks, formatTimeTick } from '../elements/axis-ticks.js';
import { OutcomeSign } from '../elements/graphics.js';
import { useMedia } from '../elements/media.js';
import { formatName } from '../elements/text.js';
import { formatRunLink } from '../routing/hash.js';
import { getCurrentRoute, replaceHash, useRoute } from '../routing/navigation.js';
import { findCallState, formatCallName } from './call-text.js';
import {
  formatCallKey,
  formatStepKey,
  formatStoryKey,
  isOneOfCalls,
  type ShownEntry,
} from './story-entries.js';
import {
  type CallBar,
  isNamedBefore,
  layOutCalls,
  overlaps,
  type Span,
  type Timeline,
  type TimelineCall,
  type TimelinePhase,
} from './timeline.js';

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

interface BarRowProps {
  /** The part of the time that is shown. */
  part: Span;
  onShow: (key: string) => void;
  /** Called with the label of the bar that is pointed at, and with an empty text after it. */
  onHint: (text: string) => void;
}

/** A bar of a row. */
interface Bar {
  key: string;
  span: Span;
  class: string;
  /** Name, state and times of the bar. */
  label: string;
  lane?: number;
  /** Share of its calls that failed. */
  bad?: number;
  pressed?: boolean;
  onSelect: () => void;
  content: ComponentChildren;
}

interface BarGroupProps extends Pick<BarRowProps, 'part' | 'onHint'> {
  label: string;
  bars: readonly Bar[];
  lanes?: number;
}

/**
 * A row of bars to scale, clipped to the part of the time that is shown. It is one stop of the tab key, as there
 * can be hundreds: arrows move between bars.
 */
function BarGroup({ label, bars, lanes = 1, part, onHint }: BarGroupProps) {
  const [place, setPlace] = useState(0);
  const tabStop = Math.min(place, bars.length - 1);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.currentTarget instanceof Element)) return;
    const elements = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-bar]')];
    const { activeElement } = document;
    const current = activeElement instanceof HTMLElement ? elements.indexOf(activeElement) : -1;
    const next = findNextBar(event.key, current, elements.length);
    if (next === undefined) return;
    event.preventDefault();
    setPlace(next);
    elements[next]?.focus();
  };
  return (
    <div class="waterfall-row">
      <span class="waterfall-label" aria-hidden="true">
        {label}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of bars */}
      <div
        class="waterfall-bars"
        role="group"
        aria-label={`${label}: arrow keys go from one to the next`}
        data-arrows
        style={{ '--lanes': String(lanes) }}
        onKeyDown={onKeyDown}
      >
        {bars.map((bar, place) => (
          <button
            key={bar.key}
            type="button"
            data-bar
            class={`bar ${bar.class}`}
            style={placeBar(bar, part)}
            aria-label={bar.label}
            aria-pressed={bar.pressed}
            tabIndex={place === tabStop ? 0 : -1}
            onMouseEnter={() => onHint(bar.label)}
            onFocus={() => onHint(bar.label)}
            onMouseLeave={() => onHint('')}
            onBlur={() => onHint('')}
            onClick={bar.onSelect}
          >
            {bar.content}
          </button>
        ))}
      </div>
    </div>
  );
}

function placeBar({ span, lane = 0, bad = 0 }: Bar, part: Span) {
  const length = Math.max(part.end - part.start, Number.MIN_VALUE);
  const start = Math.max((span.start - part.start) / length, 0);
  const end = Math.min((span.end - part.start) / length, 1);
  return {
    left: `${start * 100}%`,
    width: `${Math.max(end - start, 0) * 100}%`,
    '--lane': String(lane),
    '--bad': `${bad * 100}%`,
  };
}

function formatSpan({ start, end }: Span): string {
  return `starts at ${formatExactTime(start)}, takes ${formatExactTime(end - start)}`;
}

function findNextBar(key: string, current: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(current + 1, count - 1);
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(current - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

interface PhaseRowProps extends BarRowProps {
  phases: TimelinePhase[];
  zoom: PhaseName | null;
  onZoom: (phase: PhaseName | null) => void;
}

function PhaseRow({ phases, part, zoom, onZoom, onHint }: PhaseRowProps) {
  const bars = phases
    .filter((phase) => overlaps(phase, part))
    .map((phase) => ({
      key: phase.name,
      span: phase,
      class: `phase ${phase.name} ${phase.outcome === 'passed' ? '' : 'unhappy'}`,
      label: `${phase.name}, ${phase.outcome ?? 'never ended'}: ${formatSpan(phase)}`,
      pressed: zoom === phase.name,
      onSelect: () => onZoom(zoom === phase.name ? null : phase.name),
      content: (
        <>
          {phase.outcome && phase.outcome !== 'passed' && <OutcomeSign outcome={phase.outcome} />}
          <span>{phase.name}</span>
        </>
      ),
    }));
  return <BarGroup label="Phases" bars={bars} part={part} onHint={onHint} />;
}

interface StepRowProps extends BarRowProps {
  phases: TimelinePhase[];
}

function StepRow({ phases, part, onShow, onHint }: StepRowProps) {
  const bars = phases
    .flatMap((phase) => phase.steps)
    .filter((step) => overlaps(step, part))
    .map(({ phase, step, ...span }) => ({
      key: `${phase}-${step.step}`,
      span,
      class: `step ${phase} ${step.passed ? '' : 'unhappy'}`,
      label: `${phase} step ${step.step}, ${formatName(step.kind)}, ${step.outcome}: ${formatSpan(span)}`,
      onSelect: () => onShow(formatStepKey(phase, step.step)),
      content: (
        <>
          {!step.passed && <OutcomeSign outcome={step.outcome} />}
          <span>{formatName(step.kind)}</span>
        </>
      ),
    }));
  if (bars.length === 0) return null;
  return <BarGroup label="Steps" bars={bars} part={part} onHint={onHint} />;
}

interface CallRowProps extends BarRowProps {
  calls: TimelineCall[];
  marked: ReadonlySet<number>;
}

function CallRow({ calls, marked, part, onShow, onHint }: CallRowProps) {
  const { bars, lanes, named } = useMemo(
    () => layOutCalls(calls, part),
    [calls, part.start, part.end],
  );
  if (bars.length === 0) return null;
  const shown = bars.map((bar) => {
    const [call] = bar.calls;
    const isMarked = bar.calls.some(({ call: number }) => marked.has(number));
    const bad = bar.calls.filter(({ isError }) => isError).length / bar.calls.length;
    return {
      key: String(call.call),
      span: bar,
      lane: bar.lane,
      bad,
      class: `call ${bad === 1 ? 'unhappy' : ''} ${isMarked ? 'marked' : ''}`,
      label: formatBarLabel(bar, isMarked),
      onSelect: () => onShow(formatCallKey(call.call)),
      content: named && (
        <span class={`bar-name ${isNamedBefore(bar, part) ? 'before' : ''}`}>
          {bad > 0 && <OutcomeSign outcome="failed" />}
          {formatName(call.name)}
        </span>
      ),
    };
  });
  return <BarGroup label="Calls" bars={shown} lanes={lanes} part={part} onHint={onHint} />;
}

function formatBarLabel(bar: CallBar, isMarked: boolean): string {
  const mark = isMarked ? ', highlighted' : '';
  const [call, ...others] = bar.calls;
  if (others.length === 0)
    return `${describeCall(call)}${mark}: ${formatSpan(bar)}${formatCallTokens(call)}`;
  const errors = bar.calls.filter(({ isError }) => isError).length;
  const failed = errors > 0 ? `, ${formatCount(errors)} with an error` : '';
  return `${formatCount(bar.calls.length)} calls from ${call.call} on${failed}${mark}: ${formatSpan(bar)}`;
}

function describeCall(call: CallRecord): string {
  const state = findCallState(call);
  return `call ${call.call}, ${formatCallName(call)}${state ? `, ${state}` : ''}`;
}

function formatCallTokens({ tokens }: CallRecord): string {
  if (!tokens) return '';
  return `, ${formatCount(tokens.args)} tokens of arguments, ${formatCount(tokens.result)} of result`;
}
