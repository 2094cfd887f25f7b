import type {
  DiffSide,
  MeanAmounts,
  TotalDiff,
  TotalMethod,
} from '../../analysis/diff/results-diff.js';
import { formatPercent, formatPlural, unknownAmount } from '../elements/amounts.js';
import { DifferenceBar, VerdictBadge } from './comparison-graphics.js';
import {
  compareAmounts,
  formatInterval,
  formatLeftOut,
  formatPoints,
  formatPValue,
} from './comparison-text.js';

const methods: Record<TotalMethod, string> = {
  'exact sign-flip': 'paired sign-flip permutation test over tasks, exact',
  'sampled sign-flip': 'paired sign-flip permutation test over tasks, sampled',
  'exact McNemar': "McNemar's exact test",
  'redealt runs': 'permutation test that reassigns the runs of each task to the sides',
};

export function TotalPanel({ total }: { total: TotalDiff }) {
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

export function AmountsTable({ base, current }: AmountsTableProps) {
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
