import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { PhaseName } from '../../journal/task-run-events.js';
import type { CallRecord } from '../../results/task-run-record.js';
import { formatCount, formatExactTime } from '../elements/amounts.js';
import { OutcomeSign } from '../elements/graphics.js';
import { formatName } from '../elements/text.js';
import { type CallBar, isNamedBefore, layOutCalls } from './call-bars.js';
import { findCallState, formatCallName } from './call-text.js';
import { formatCallKey, formatStepKey } from './story-entries.js';
import { overlaps, type Span, type TimelineCall, type TimelinePhase } from './timeline.js';

export interface BarRowProps {
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

export function PhaseRow({ phases, part, zoom, onZoom, onHint }: PhaseRowProps) {
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

export function StepRow({ phases, part, onShow, onHint }: StepRowProps) {
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

export function CallRow({ calls, marked, part, onShow, onHint }: CallRowProps) {
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
