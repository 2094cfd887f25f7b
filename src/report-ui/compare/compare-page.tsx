import type { ReportIndex } from '../../report-data/report-data.js';
import { formatHash } from '../routing/hash.js';
import { replaceHash, useRoute } from '../routing/use-hash.js';
import { PageMessage } from '../shell/page-message.js';
import { AmountsTable } from './amounts-table.js';
import { Changes } from './changes.js';
import { compareHeadline } from './compare-headline.js';
import { HeadlinePanel } from './headline-panel.js';
import { TaskComparison } from './task-comparison.js';
import { TotalPanel } from './total-panel.js';

/** Whether the current results are better or worse than those of the base, or whether nobody can tell. */
export function ComparePage({ index }: { index: ReportIndex }) {
  const { query } = useRoute();
  const wanted = Number(query.get('set'));
  const chosen = index.diffs.find(({ set }) => set === wanted) ?? index.diffs[0];
  if (!chosen) {
    return (
      <PageMessage title="Nothing to compare">
        <p>This report holds one set of results: give `proctor report` several to compare them.</p>
      </PageMessage>
    );
  }
  const { diff, set } = chosen;
  const names = {
    base: index.sets[0]?.name ?? 'base',
    current: index.sets[set]?.name ?? 'current',
  };
  return (
    <article class="compare">
      <header class="compare-head">
        <h1>Compare</h1>
        <p>
          <span class="side-sign base" aria-hidden="true" /> <strong>{names.base}</strong>{' '}
          <span class="quiet">(base)</span> with{' '}
          <span class="side-sign current" aria-hidden="true" /> <strong>{names.current}</strong>{' '}
          <span class="quiet">(current)</span>
        </p>
        {index.diffs.length > 1 && (
          <label>
            <span class="quiet">Compare the base with</span>
            <select
              value={String(set)}
              onChange={({ currentTarget: { value } }) =>
                replaceHash(formatHash('compare', new URLSearchParams({ set: value })))
              }
            >
              {index.diffs.map(({ set: place }) => (
                <option key={place} value={String(place)}>
                  {index.sets[place]?.name}
                </option>
              ))}
            </select>
          </label>
        )}
      </header>
      <HeadlinePanel headline={compareHeadline(diff)} caveats={diff.caveats} />
      <div class="compare-panels">
        <TotalPanel total={diff.total} />
        <AmountsTable base={diff.total.base.amounts} current={diff.total.current.amounts} />
      </div>
      <TaskComparison index={index} set={set} tasks={diff.tasks} />
      <Changes diff={diff} />
    </article>
  );
}
