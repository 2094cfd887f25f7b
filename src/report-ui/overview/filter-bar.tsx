import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { getUsageUnit } from '../../analysis/tools/tool-usage.js';
import type { Outcome } from '../../journal/task-run-events.js';
import { formatCount, formatPlural } from '../elements/amounts.js';
import { CopyButton } from '../elements/copy-button.js';
import { OutcomeSign } from '../elements/graphics.js';
import { useMedia } from '../elements/media.js';
import { useKeys } from '../shell/keyboard.js';
import type { ChoiceGroup } from './filter-choices.js';
import type { Overview } from './overview.js';
import { isFiltered, outcomes, type View } from './view.js';

interface FilterBarProps {
  overview: Overview;
  view: View;
  onChange: (changes: Partial<View>) => void;
  onClear: () => void;
}

export function FilterBar({ overview, view, onChange, onClear }: FilterBarProps) {
  const bar = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  useHeightVariable(bar, '--filters-height');
  const { choices } = overview;
  const { count, index } = overview.searchable;
  const unit = getUsageUnit(index);
  const shown = overview.rows(view).length;
  const [unfolded, setUnfolded] = useState(false);
  const isNarrow = useMedia('(max-width: 640px)');
  useKeys({
    '/': () => {
      search.current?.focus();
      search.current?.select();
    },
  });
  const source = view.source === null ? null : String(view.source);
  return (
    <search ref={bar} class="filters" aria-label="filters">
      <div class="filter-line">
        <input
          ref={search}
          type="search"
          class="filter-text"
          aria-label={index.recorded ? 'search in sessions' : 'search in task names and failures'}
          placeholder={
            isNarrow ? 'Search' : `Search ${index.recorded ? 'sessions' : 'tasks and failures'}   /`
          }
          value={view.text}
          onInput={(event) => onChange({ text: event.currentTarget.value })}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
        <OutcomeFilter
          overview={overview}
          view={view}
          onChange={(outcomes) => onChange({ outcomes })}
        />
        {isNarrow && (
          <button type="button" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
            {unfolded ? 'fewer filters' : 'more filters'}
          </button>
        )}
      </div>
      {(!isNarrow || unfolded) && (
        <div class="filter-line">
          <FilterSelect
            name="results"
            groups={choices.source}
            value={source}
            onChange={(value) => onChange({ source: value === null ? null : Number(value) })}
          />
          {(['variant', 'difficulty', 'label', 'server', 'tool'] as const).map((name) => (
            <FilterSelect
              key={name}
              name={name}
              groups={choices[name]}
              value={view[name]}
              onChange={(value) => onChange({ [name]: value })}
            />
          ))}
        </div>
      )}
      <div class="filter-line filter-result">
        <span role="status">
          {shown === count
            ? `all ${formatPlural(shown, unit)}`
            : `${formatCount(shown)} of ${formatPlural(count, unit)}`}
        </span>
        {isFiltered(view) && (
          <button type="button" class="plain" onClick={onClear}>
            clear filters
          </button>
        )}
        <CopyButton text={() => location.href} label="copy link to this view">
          copy link
        </CopyButton>
      </div>
    </search>
  );
}

interface FilterSelectProps {
  name: string;
  groups: readonly ChoiceGroup[];
  /** The chosen value; null: any. */
  value: string | null;
  onChange: (value: string | null) => void;
}

/**
 * A choice of one value. Options are identified by position, as a value can be any text, also
 * empty.
 */
function FilterSelect({ name, groups, value, onChange }: FilterSelectProps) {
  if (groups.length === 0 && value === null) return null;
  const choices = groups.flatMap((group) => group.choices);
  const selected = choices.findIndex((choice) => choice.value === value);
  const isUnknown = value !== null && selected === -1;
  let place = 0;
  const options = (group: ChoiceGroup) =>
    group.choices.map(({ text }) => {
      const option = place++;
      return (
        <option key={option} value={String(option)} selected={option === selected}>
          {text === '' ? '(empty)' : text}
        </option>
      );
    });
  return (
    <select
      class={value === null ? '' : 'is-set'}
      aria-label={name}
      onChange={({ currentTarget }) =>
        onChange(choices[Number(currentTarget.value)]?.value ?? null)
      }
    >
      <option value="-1" selected={value === null}>
        any {name}
      </option>
      {isUnknown && (
        <option value="-2" selected>
          {value}
        </option>
      )}
      {groups.map((group) =>
        group.name === '' ? (
          options(group)
        ) : (
          <optgroup key={group.name} label={group.name}>
            {options(group)}
          </optgroup>
        ),
      )}
    </select>
  );
}

interface OutcomeFilterProps {
  overview: Overview;
  view: View;
  onChange: (outcomes: Outcome[]) => void;
}

/** Toggles for outcomes, with counts that do not depend on which of them are chosen. */
function OutcomeFilter({ overview, view, onChange }: OutcomeFilterProps) {
  const counts = overview.outcomesIn(view);
  const all = overview.outcomes;
  const toggle = (outcome: Outcome) =>
    onChange(outcomes.filter((one) => view.outcomes.includes(one) !== (one === outcome)));
  return (
    <fieldset class="outcome-filter">
      <legend class="off-screen">outcomes</legend>
      {outcomes
        .filter((outcome) => all[outcome] > 0 || view.outcomes.includes(outcome))
        .map((outcome) => (
          <button
            type="button"
            key={outcome}
            class={`chip ${outcome}`}
            aria-pressed={view.outcomes.includes(outcome)}
            onClick={() => toggle(outcome)}
          >
            <OutcomeSign outcome={outcome} />
            {outcome} <span class="chip-count">{formatCount(counts[outcome])}</span>
          </button>
        ))}
    </fieldset>
  );
}

/** Keeps a CSS variable at the height of an element, such as a sticky bar. */
function useHeightVariable(ref: RefObject<HTMLElement | null>, name: `--${string}`): void {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.setProperty(name, `${element.offsetHeight}px`);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty(name);
    };
  }, [ref, name]);
}
