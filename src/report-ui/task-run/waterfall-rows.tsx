import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { PhaseName } from '../../events/task-run-events.js';
import type { CallRecord } from '../../results/task-run-record.js';
import { exactCount, exactTime } from '../elements/amounts.js';
import { OutcomeSign } from '../elements/graphics.js';
import { shortName } from '../elements/text.js';
import { type CallBar, callBars, isNamedBefore } from './call-bars.js';
import { callName, callState } from './call-text.js';
import { callKey, stepKey } from './story-entries.js';
import { reachesInto, type Span, type TimelineCall, type TimelinePhase } from './timeline.js';

export interface BarRowProps {
  /** What of the time is shown. */
  part: Span;
  onShow: (key: string) => void;
  /** Says something about the bar that is pointed at. */
  onTell: (text: string) => void;
}

interface BarProps {
  span: Span;
  part: Span;
  class: string;
  /** All there is to say about it. */
  label: string;
  lane?: number;
  /** Share of it that failed. */
  bad?: number;
  tabIndex: number;
  pressed?: boolean;
  onTell: (text: string) => void;
  onSelect: () => void;
  children?: ComponentChildren;
}

/** A bar to scale, cut to the part of the time that is shown. */
function Bar({ span, part, label, lane = 0, bad = 0, onTell, onSelect, ...rest }: BarProps) {
  const length = Math.max(part.end - part.start, Number.MIN_VALUE);
  const start = Math.max((span.start - part.start) / length, 0);
  const end = Math.min((span.end - part.start) / length, 1);
  const tell = () => onTell(label);
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
      onMouseEnter={tell}
      onFocus={tell}
      onMouseLeave={() => onTell('')}
      onBlur={() => onTell('')}
      onClick={onSelect}
    >
      {rest.children}
    </button>
  );
}

function fromTo({ start, end }: Span): string {
  return `begins at ${exactTime(start)}, takes ${exactTime(end - start)}`;
}

interface BarGroupProps {
  label: string;
  /** How many bars there are. */
  count: number;
  lanes?: number;
  /** Given which bar the tab key stops at. */
  children: (tabStop: number) => ComponentChildren;
}

/** Bars that are one stop of the tab key: there can be hundreds. Arrows go from one to the next. */
function BarGroup({ label, count, lanes = 1, children }: BarGroupProps) {
  const [place, setPlace] = useState(0);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.currentTarget instanceof Element)) return;
    const bars = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-bar]')];
    const { activeElement } = document;
    const current = activeElement instanceof HTMLElement ? bars.indexOf(activeElement) : -1;
    const next = nextPlace(event.key, current, bars.length);
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

function nextPlace(key: string, current: number, count: number): number | undefined {
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

export function PhaseRow({ phases, part, zoom, onZoom, onTell }: PhaseRowProps) {
  const seen = phases.filter((phase) => reachesInto(phase, part));
  return (
    <BarGroup label="Phases" count={seen.length}>
      {(tabStop) =>
        seen.map((phase, place) => (
          <Bar
            key={phase.name}
            span={phase}
            part={part}
            class={`phase ${phase.name} ${phase.outcome === 'passed' ? '' : 'unhappy'}`}
            label={`${phase.name}, ${phase.outcome ?? 'never ended'}: ${fromTo(phase)}`}
            tabIndex={place === tabStop ? 0 : -1}
            pressed={zoom === phase.name}
            onTell={onTell}
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

export function StepRow({ phases, part, onShow, onTell }: StepRowProps) {
  const steps = phases.flatMap((phase) => phase.steps).filter((step) => reachesInto(step, part));
  if (steps.length === 0) return null;
  return (
    <BarGroup label="Steps" count={steps.length}>
      {(tabStop) =>
        steps.map((placed, place) => {
          const { phase, step } = placed;
          const kind = shortName(step.kind);
          const name = `${phase} step ${step.step}, ${kind}`;
          return (
            <Bar
              key={`${phase}-${step.step}`}
              span={placed}
              part={part}
              class={`step ${phase} ${step.passed ? '' : 'unhappy'}`}
              label={`${name}, ${step.outcome}: ${fromTo(placed)}`}
              tabIndex={place === tabStop ? 0 : -1}
              onTell={onTell}
              onSelect={() => onShow(stepKey(phase, step.step))}
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

export function CallRow({ calls, marked, part, onShow, onTell }: CallRowProps) {
  const { bars, lanes, named } = useMemo(
    () => callBars(calls, part),
    [calls, part.start, part.end],
  );
  if (bars.length === 0) return null;
  return (
    <BarGroup label="Calls" count={bars.length} lanes={lanes}>
      {(tabStop) =>
        bars.map((bar, place) => {
          const [call] = bar.calls;
          const isMarked = bar.calls.some((each) => marked.has(each.call));
          const bad = bar.calls.filter((each) => each.isError).length / bar.calls.length;
          return (
            <Bar
              key={call.call}
              span={bar}
              part={part}
              lane={bar.lane}
              bad={bad}
              class={`call ${bad === 1 ? 'unhappy' : ''} ${isMarked ? 'marked' : ''}`}
              label={labelOf(bar, isMarked)}
              tabIndex={place === tabStop ? 0 : -1}
              onTell={onTell}
              onSelect={() => onShow(callKey(call.call))}
            >
              {named && (
                <span class={`bar-name ${isNamedBefore(bar, part) ? 'before' : ''}`}>
                  {bad > 0 && <OutcomeSign outcome="failed" />}
                  {shortName(call.name)}
                </span>
              )}
            </Bar>
          );
        })
      }
    </BarGroup>
  );
}

function labelOf(bar: CallBar, isMarked: boolean): string {
  const mark = isMarked ? ', pointed out' : '';
  const [call, ...others] = bar.calls;
  if (others.length === 0) return `${describe(call)}${mark}: ${fromTo(bar)}${tokensOf(call)}`;
  const errors = bar.calls.filter(({ isError }) => isError).length;
  const failed = errors > 0 ? `, ${exactCount(errors)} with an error` : '';
  return `${exactCount(bar.calls.length)} calls from ${call.call} on${failed}${mark}: ${fromTo(bar)}`;
}

function describe(call: CallRecord): string {
  const state = callState(call);
  return `call ${call.call}, ${callName(call)}${state ? `, ${state}` : ''}`;
}

function tokensOf({ tokens }: CallRecord): string {
  if (!tokens) return '';
  return `, ${exactCount(tokens.args)} tokens of arguments, ${exactCount(tokens.result)} of result`;
}
