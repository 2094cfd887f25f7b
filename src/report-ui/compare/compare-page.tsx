import type { ReportIndex } from '../../report-data/report-data.js';
import { formatName } from '../elements/text.js';
import { findQueriedSet, formatHash, formatSetQuery } from '../routing/hash.js';
import { replaceHash, useRoute } from '../routing/navigation.js';
import { PageMessage } from '../shell/page-shell.js';
import { Changes } from './changes.js';
import { type SignName, VerdictSign } from './comparison-graphics.js';
import { type CompareHeadline, formatHeadline, type HeadlineTone } from './comparison-text.js';
import { TaskComparison } from './task-comparison.js';
import { AmountsTable, TotalPanel } from './total-panel.js';

/** The page that says whether the current results are better or worse than the base. */
export function ComparePage({ index }: { index: ReportIndex }) {
  const { query } = useRoute();
  const pairs = [...index.diffs, ...index.notCompared].sort((one, other) => one.set - other.set);
  const wanted = findQueriedSet(index, query);
  const chosen = pairs.find(({ set }) => set === wanted) ?? pairs[0];
  if (!chosen) {
    return (
      <PageMessage title="Nothing to compare">
        <p>
          This report holds one set of results. Give several files to <code>proctor report</code>,
          or results of a check with several agents, models or MCP configs.
        </p>
      </PageMessage>
    );
  }
  const getSetName = (set: number) => formatName(index.sets[set]?.name ?? '');
  return (
    <article class="compare">
      <header class="compare-head">
        <h1>Compare</h1>
        <p>
          <span class="side-sign base" aria-hidden="true" />{' '}
          <strong>{getSetName(chosen.base)}</strong> <span class="quiet">(base)</span> with{' '}
          <span class="side-sign current" aria-hidden="true" />{' '}
          <strong>{getSetName(chosen.set)}</strong> <span class="quiet">(current)</span>
        </p>
        {pairs.length > 1 && (
          <label>
            <span class="quiet">Compare</span>
            <select
              value={String(chosen.set)}
              onChange={({ currentTarget: { value } }) => {
                const set = new URLSearchParams(formatSetQuery(index, Number(value)));
                replaceHash(formatHash('compare', set));
              }}
            >
              {pairs.map(({ base, set }) => (
                <option key={set} value={String(set)}>
                  {getSetName(base)} with {getSetName(set)}
                </option>
              ))}
            </select>
          </label>
        )}
      </header>
      {'diff' in chosen ? (
        <Comparison index={index} pair={chosen} />
      ) : (
        <p class="notice">
          <strong>They cannot be compared.</strong> {chosen.reason}
        </p>
      )}
    </article>
  );
}

interface ComparisonProps {
  index: ReportIndex;
  pair: ReportIndex['diffs'][number];
}

function Comparison({ index, pair: { base, set, diff } }: ComparisonProps) {
  return (
    <>
      <HeadlinePanel headline={formatHeadline(diff)} caveats={diff.caveats} />
      <div class="compare-panels">
        <TotalPanel total={diff.total} />
        <AmountsTable base={diff.total.base.amounts} current={diff.total.current.amounts} />
      </div>
      <TaskComparison key={set} index={index} base={base} set={set} tasks={diff.tasks} />
      <Changes diff={diff} />
    </>
  );
}

interface HeadlinePanelProps {
  headline: CompareHeadline;
  caveats: readonly string[];
}

const signs: Record<HeadlineTone, SignName> = {
  better: 'up',
  worse: 'down',
  mixed: 'both',
  same: 'same',
  unknown: 'unknown',
};

function HeadlinePanel({ headline: { tone, title, because }, caveats }: HeadlinePanelProps) {
  return (
    <section class={`headline ${tone}`}>
      <h2>
        <VerdictSign name={signs[tone]} />
        {title}
      </h2>
      <p>{because}</p>
      {caveats.length > 0 && (
        <div class="notice">
          <strong>Before you trust this</strong>
          <ul class="caveats">
            {caveats.map((caveat) => (
              <li key={caveat}>{caveat}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
