import { useRef, useState } from 'preact/hooks';
import { getUsageUnit } from '../../analysis/tools/tool-usage.js';
import { counted, exactCount } from '../elements/amounts.js';
import { CopyButton } from '../elements/copy-button.js';
import { useMedia } from '../elements/use-media.js';
import { useKeys } from '../keyboard/use-keys.js';
import { FilterSelect } from './filter-select.js';
import { OutcomeFilter } from './outcome-filter.js';
import type { Overview } from './overview.js';
import { useHeightVariable } from './use-height-variable.js';
import { isFiltered, type View } from './view.js';

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
