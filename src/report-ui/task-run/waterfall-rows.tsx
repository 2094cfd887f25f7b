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

interface BarProps {
  span: Span;
  part: Span;
  class: string;
  /** Name, state and times of the bar. */
  label: string;
  lane?: number;
  /** Share of its calls that failed. */
  bad?: number;
  tabIndex: number;
  pressed?: boolean;
  onHint: (text: string) => void;
  onSelect: () => void;
  children?: ComponentChildren;
}

/** A bar to scale, clipped to the part of the time that is shown. */
function Bar({ span, part, label, lane = 0, bad = 0, onHint, onSelect, ...rest }: BarProps) {
  const length = Math.max(part.end - part.start, Number.MIN_VALUE);
  const start = Math.max((span.start - part.start) / length, 0);
  const end = Math.min((span.end - part.start) / length, 1);
  const showHint = () => onHint(label);
  return (
    <button
      type="button"
      data-bar
      class={`bar ${rest.class}`}
      style={{
        left: `${start * 100}%`,
        width: `${Math.max(end - start, 0) * 100}%`,
        '--lane': String(lane),
        '--bad': `${bad * 100}%`,
      }}
      aria-label={label}
      aria-pressed={rest.pressed}
      tabIndex={rest.tabIndex}
      onMouseEnter={showHint}
      onFocus={showHint}
      onMouseLeave={() => onHint('')}
      onBlur={() => onHint('')}
      onClick={onSelect}
    >
      {rest.children}
    </button>
  );
}

function formatSpan({ start, end }: Span): string {
  return `starts at ${formatExactTime(start)}, takes ${formatExactTime(end - start)}`;
}

interface BarGroupProps {
  label: string;
  /** How many bars there are. */
  count: number;
  lanes?: number;
  /** Renders the bars; `tabStop` is the one that the tab key stops at. */
  children: (tabStop: number) => ComponentChildren;
}

/**
 * A row of bars. It is one stop of the tab key, as there can be hundreds: arrows move between bars.
 */
function BarGroup({ label, count, lanes = 1, children }: BarGroupProps) {
  const [place, setPlace] = useState(0);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.currentTarget instanceof Element)) return;
    const bars = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-bar]')];
    const { activeElement } = document;
    const current = activeElement instanceof HTMLElement ? bars.indexOf(activeElement) : -1;
    const next = findNextBar(event.key, current, bars.length);
    if (next === undefined) return;
    event.preventDefault();
    setPlace(next);
    bars[next]?.focus();
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
        {children(Math.min(place, count - 1))}
      </div>
    </div>
  );
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
  const seen = phases.filter((phase) => overlaps(phase, part));
  return (
    <BarGroup label="Phases" count={seen.length}>
      {(tabStop) =>
        seen.map((phase, place) => (
          <Bar
            key={phase.name}
            span={phase}
            part={part}
            class={`phase ${phase.name} ${phase.outcome === 'passed' ? '' : 'unhappy'}`}
            label={`${phase.name}, ${phase.outcome ?? 'never ended'}: ${formatSpan(phase)}`}
            tabIndex={place === tabStop ? 0 : -1}
            pressed={zoom === phase.name}
            onHint={onHint}
            onSelect={() => onZoom(zoom === phase.name ? null : phase.name)}
          >
            {phase.outcome && phase.outcome !== 'passed' && <OutcomeSign outcome={phase.outcome} />}
            <span>{phase.name}</span>
          </Bar>
        ))
      }
    </BarGroup>
  );
}

interface StepRowProps extends BarRowProps {
  phases: TimelinePhase[];
}

export function StepRow({ phases, part, onShow, onHint }: StepRowProps) {
  const steps = phases.flatMap((phase) => phase.steps).filter((step) => overlaps(step, part));
  if (steps.length === 0) return null;
  return (
    <BarGroup label="Steps" count={steps.length}>
      {(tabStop) =>
        steps.map((placed, place) => {
          const { phase, step } = placed;
          const kind = formatName(step.kind);
          const name = `${phase} step ${step.step}, ${kind}`;
          return (
            <Bar
              key={`${phase}-${step.step}`}
              span={placed}
              part={part}
              class={`step ${phase} ${step.passed ? '' : 'unhappy'}`}
              label={`${name}, ${step.outcome}: ${formatSpan(placed)}`}
              tabIndex={place === tabStop ? 0 : -1}
              onHint={onHint}
              onSelect={() => onShow(formatStepKey(phase, step.step))}
            >
              {!step.passed && <OutcomeSign outcome={step.outcome} />}
              <span>{kind}</span>
            </Bar>
          );
        })
      }
    </BarGroup>
  );
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
  return (
    <BarGroup label="Calls" count={bars.length} lanes={lanes}>
      {(tabStop) =>
        bars.map((bar, place) => {
          const [call] = bar.calls;
          const isMarked = bar.calls.some(({ call: number }) => marked.has(number));
          const bad = bar.calls.filter(({ isError }) => isError).length / bar.calls.length;
          return (
            <Bar
              key={call.call}
              span={bar}
              part={part}
              lane={bar.lane}
              bad={bad}
              class={`call ${bad === 1 ? 'unhappy' : ''} ${isMarked ? 'marked' : ''}`}
              label={formatBarLabel(bar, isMarked)}
              tabIndex={place === tabStop ? 0 : -1}
              onHint={onHint}
              onSelect={() => onShow(formatCallKey(call.call))}
            >
              {named && (
                <span class={`bar-name ${isNamedBefore(bar, part) ? 'before' : ''}`}>
                  {bad > 0 && <OutcomeSign outcome="failed" />}
                  {formatName(call.name)}
                </span>
              )}
            </Bar>
          );
        })
      }
    </BarGroup>
  );
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
