import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { unitOf } from '../../analysis/tools/tool-usage.js';
import type { Outcome } from '../../events/task-run-events.js';
import { counted, exactCount } from '../elements/amounts.js';
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
  const unit = unitOf(index);
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
            groups={choices.sources}
            value={source}
            onChange={(value) => onChange({ source: value === null ? null : Number(value) })}
          />
          <FilterSelect
            name="variant"
            groups={choices.variants}
            value={view.variant}
            onChange={(variant) => onChange({ variant })}
          />
          <FilterSelect
            name="difficulty"
            groups={choices.difficulties}
            value={view.difficulty}
            onChange={(difficulty) => onChange({ difficulty })}
          />
          <FilterSelect
            name="label"
            groups={choices.labels}
            value={view.label}
            onChange={(label) => onChange({ label })}
          />
          <FilterSelect
            name="server"
            groups={choices.servers}
            value={view.server}
            onChange={(server) => onChange({ server })}
          />
          <FilterSelect
            name="tool"
            groups={choices.tools}
            value={view.tool}
            onChange={(tool) => onChange({ tool })}
          />
        </div>
      )}
      <div class="filter-line filter-result">
        <span role="status">
          {shown === count
            ? `all ${counted(shown, unit)}`
            : `${exactCount(shown)} of ${counted(count, unit)}`}
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
  /** Null: any. */
  value: string | null;
  onChange: (value: string | null) => void;
}

/** Options are told apart by their place: a value from outside may be any text, also none. */
function FilterSelect({ name, groups, value, onChange }: FilterSelectProps) {
  if (groups.length === 0 && value === null) return null;
  const choices = groups.flatMap((group) => group.choices);
  const selected = choices.findIndex((choice) => choice.value === value);
  const isUnknown = value !== null && selected === -1;
  let place = 0;
  const options = (group: ChoiceGroup) =>
    group.choices.map(({ text }) => {
      const own = place++;
      return (
        <option key={own} value={String(own)} selected={own === selected}>
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

/** Each with how many there would be, so that its count does not change with its own choice. */
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
            {outcome} <span class="chip-count">{exactCount(counts[outcome])}</span>
          </button>
        ))}
    </fieldset>
  );
}

/** Lets styles know how high an element is, such as one that others have to stay below. */
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
