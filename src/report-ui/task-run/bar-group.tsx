import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface BarGroupProps {
  label: string;
  /** How many bars there are. */
  count: number;
  lanes?: number;
  /** Given which bar the tab key stops at. */
  children: (tabStop: number) => ComponentChildren;
}

/** Bars that are one stop of the tab key: there can be hundreds. Arrows go from one to the next. */
export function BarGroup({ label, count, lanes = 1, children }: BarGroupProps) {
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
