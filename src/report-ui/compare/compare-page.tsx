import type { ComponentChildren } from 'preact';
import type {
  DiffSide,
  MeanAmounts,
  ResultsDiff,
  TotalDiff,
  TotalMethod,
} from '../../analysis/diff/results-diff.js';
import type { ReportIndex } from '../../report-data/report-data.js';
import { formatPercent, formatPlural, unknownAmount } from '../elements/amounts.js';
import { formatName } from '../elements/text.js';
import { findQueriedSet, formatHash, formatSetQuery } from '../routing/hash.js';
import { replaceHash, useRoute } from '../routing/navigation.js';
import { PageMessage } from '../shell/page-shell.js';
import { DifferenceBar, type SignName, VerdictBadge, VerdictSign } from './comparison-graphics.js';
import {
  type CompareHeadline,
  compareAmounts,
  formatHeadline,
  formatInterval,
  formatLeftOut,
  formatPoints,
  formatPValue,
  type HeadlineTone,
} from './comparison-text.js';
import { TaskComparison } from './task-comparison.js';

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

/** Tools and tasks that differ between base and current. */
function Changes({ diff }: { diff: ResultsDiff }) {
  const { tools, added, removed } = diff;
  const renamed = diff.tasks.filter(({ renamedFrom }) => renamedFrom !== null);
  const hasTasks = added.length + removed.length + renamed.length > 0;
  return (
    <div class="compare-panels">
      <section class="panel changes" aria-labelledby="tool-changes-title">
        <h2 id="tool-changes-title">Tools</h2>
        {tools.length === 0 && <p class="quiet">No tool changed.</p>}
        <ul class="change-list">
          {tools.map((tool) => (
            <Change key={`${tool.server}.${tool.tool}`} kind={tool.change}>
              <code>
                {formatName(tool.server)}.{formatName(tool.tool)}
              </code>
              {tool.parts.length > 0 && <span class="quiet"> {tool.parts.join(', ')}</span>}
            </Change>
          ))}
        </ul>
      </section>
      <section class="panel changes" aria-labelledby="task-changes-title">
        <h2 id="task-changes-title">Tasks</h2>
        {!hasTasks && <p class="quiet">Both have the same tasks.</p>}
        <ul class="change-list">
          {[
            ...added.map((task) => ({ ...task, kind: 'added' })),
            ...removed.map((task) => ({ ...task, kind: 'removed' })),
          ].map(({ task, side, kind }) => (
            <Change key={`${kind} ${task}`} kind={kind}>
              <bdi>{formatName(task)}</bdi>{' '}
              <span class="quiet">
                {side.passed} of {side.judged} passed, {formatPercent(side.rate)}
              </span>
            </Change>
          ))}
          {renamed.map(({ task, renamedFrom }) => (
            <Change key={`renamed ${task}`} kind="renamed">
              <bdi>{formatName(task)}</bdi>{' '}
              <span class="quiet">was {formatName(renamedFrom ?? '')}</span>
            </Change>
          ))}
        </ul>
      </section>
    </div>
  );
}

function Change({ kind, children }: { kind: string; children: ComponentChildren }) {
  return (
    <li>
      <span class={`change ${kind}`}>{kind}</span> <span>{children}</span>
    </li>
  );
}

const methods: Record<TotalMethod, string> = {
  'exact sign-flip': 'paired sign-flip permutation test over tasks, exact',
  'sampled sign-flip': 'paired sign-flip permutation test over tasks, sampled',
  'exact McNemar': "McNemar's exact test",
  'redealt runs': 'permutation test that reassigns the runs of each task to the sides',
};

function TotalPanel({ total }: { total: TotalDiff }) {
  const {
    base,
    current,
    difference,
    low,
    high,
    tasks,
    pValue,
    method,
    moreTasks,
    judgedDifferently,
  } = total;
  return (
    <section class="panel total" aria-labelledby="total-title">
      <div class="total-title">
        <h2 id="total-title">Total</h2>
        <VerdictBadge verdict={total.verdict} />
      </div>
      <div class="total-sides">
        <Side name="base" side={base} />
        <Side name="current" side={current} />
        <div>
          <span class="quiet">difference over {formatPlural(tasks, 'task')}</span>
          <strong class="large">
            {difference === null ? unknownAmount : `${formatPoints(difference)} points`}
          </strong>
          {low !== null && high !== null && (
            <span class="quiet">
              95% interval {formatPoints(low)} to {formatPoints(high)}
            </span>
          )}
        </div>
      </div>
      <DifferenceBar difference={difference} low={low} high={high} verdict={total.verdict} />
      <p class="quiet small">
        {method === null
          ? 'No test could be made.'
          : `${formatPValue(pValue)}; ${methods[method]}.`}
        {judgedDifferently && ` ${describeEdited(judgedDifferently)}`}
        {moreTasks !== null &&
          ` About ${formatPlural(moreTasks, 'more task')} like these are needed to settle it.`}
      </p>
    </section>
  );
}

function describeEdited({ tasks, leftOut }: NonNullable<TotalDiff['judgedDifferently']>): string {
  const edited = `${formatPlural(tasks, 'task')} ${tasks === 1 ? 'is' : 'are'} judged differently`;
  return leftOut ? `${edited} and left out.` : `Of these, ${edited}.`;
}

function Side({ name, side }: { name: 'base' | 'current'; side: DiffSide }) {
  return (
    <div>
      <span class="quiet">
        <span class={`side-sign ${name}`} aria-hidden="true" /> {name}
      </span>
      <strong class="large">{formatPercent(side.rate)}</strong>
      <span class="quiet">
        {side.passed} of {side.judged} passed{formatInterval(side)}
      </span>
      {formatLeftOut(side) !== '' && <span class="quiet">{formatLeftOut(side)}</span>}
    </div>
  );
}

interface AmountsTableProps {
  base: MeanAmounts;
  current: MeanAmounts;
}

function AmountsTable({ base, current }: AmountsTableProps) {
  const changes = compareAmounts(base, current);
  return (
    <section class="panel amounts" aria-labelledby="amounts-title">
      <h2 id="amounts-title">Per task run</h2>
      {changes.length === 0 ? (
        <p class="quiet">not reported</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Mean of judged runs</th>
              <th scope="col">Base</th>
              <th scope="col">Current</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ name, base: before, current: after, change }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{before}</td>
                <td>{after}</td>
                <td>{change}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
