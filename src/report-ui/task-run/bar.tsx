import type { ComponentChildren } from 'preact';
import { durationText } from '../elements/amounts.js';
import type { Span } from './timeline.js';

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
export function Bar({ span, part, label, lane = 0, bad = 0, onTell, onSelect, ...rest }: BarProps) {
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

const minute = 60_000;

/** `1,204.5 ms`; from a minute on as people say it, `59 m 48 s`. */
export function exactTime(milliseconds: number): string {
  if (milliseconds >= minute) return durationText(milliseconds);
  return `${milliseconds.toLocaleString('en-US', { maximumFractionDigits: 1 })} ms`;
}

export function fromTo({ start, end }: Span): string {
  return `begins at ${exactTime(start)}, takes ${exactTime(end - start)}`;
}
