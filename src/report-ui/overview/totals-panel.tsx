import type { ComponentChildren } from 'preact';
import {
  formatCost,
  formatCount,
  formatDuration,
  formatPercent,
  formatPlural,
  formatShortCount,
} from '../elements/amounts.js';
import { Fold } from '../elements/fold.js';
import { IntervalBar } from '../elements/graphics.js';
import type { Totals } from './totals.js';
import { outcomes } from './view.js';

interface TotalsPanelProps {
  totals: Totals;
  /** Filters other than outcomes leave task runs out. */
  isPart: boolean;
  /** The filter of outcomes leaves task runs out. */
  isOfSomeOutcomes: boolean;
  /** Called to show the task runs of a failure category. */
  onCategory: (category: string) => void;
}

export function TotalsPanel(props: TotalsPanelProps) {
  const { totals, isPart, isOfSomeOutcomes, onCategory } = props;
  const { durations, tokens, cost, calls } = totals;
  return (
    <section
      class="panel totals"
      aria-label={isPart || isOfSomeOutcomes ? 'totals of what is shown' : 'totals'}
    >
      <PassRate totals={totals} isPart={isPart} isOfSomeOutcomes={isOfSomeOutcomes} />
      <OutcomeShares totals={totals} onCategory={onCategory} />
      <dl class="figures">
        <Figure name="Duration" value={formatDuration(durations?.p50 ?? null)}>
          {durations ? `median; 95% within ${formatDuration(durations.p95)}` : 'not known'}
        </Figure>
        <Figure name="Calls" value={formatShortCount(calls)}>
          {formatErrors(totals)}
        </Figure>
        <Figure name="Tokens" value={formatShortCount(tokens && tokens.input + tokens.output)}>
          {tokens
            ? `${formatShortCount(tokens.input)} in, ${formatShortCount(tokens.output)} out`
            : 'not reported'}
          <ReportedBy reported={tokens?.reported} total={totals.count + totals.leftOut} />
        </Figure>
        <Figure name="Cost" value={formatCost(cost?.sum ?? null)}>
          {cost ? `${formatCost(cost.sum / cost.reported)} per task run` : 'not reported'}
          <ReportedBy reported={cost?.reported} total={totals.count + totals.leftOut} />
        </Figure>
      </dl>
    </section>
  );
}

/** How many calls the servers marked as errors, and how many results only look like one. */
function formatErrors({ callErrors, suspectedErrors }: Totals): string {
  const errors = callErrors === 0 ? 'none' : formatCount(callErrors);
  const suspected =
    suspectedErrors === 0
      ? ''
      : `; ${formatCount(suspectedErrors)} look${suspectedErrors === 1 ? 's' : ''} like one`;
  return `${errors} with an error${suspected}`;
}

/** The totals of recorded sessions, which have calls and no verdict. */
export function RecordedTotals({ totals }: { totals: Totals }) {
  const { durations, calls, leftOut } = totals;
  return (
    <section class="panel totals recorded" aria-label="totals">
      <dl class="figures">
        <Figure name="Sessions" value={formatShortCount(leftOut)}>
          recorded, not judged: there is no verdict
        </Figure>
        <Figure name="Calls" value={formatShortCount(calls)}>
          {formatErrors(totals)}
        </Figure>
        <Figure name="Duration" value={formatDuration(durations?.p50 ?? null)}>
          {durations ? `median; 95% within ${formatDuration(durations.p95)}` : 'not known'}
        </Figure>
      </dl>
    </section>
  );
}

function PassRate({ totals, isPart, isOfSomeOutcomes }: Omit<TotalsPanelProps, 'onCategory'>) {
  const { passed, judged, rate, low, high, outcomes, rated, leftOut } = totals;
  const notJudged = outcomes.error + outcomes.cancelled;
  return (
    <div class="pass-rate">
      <h2 class="figure-name">{isPart ? 'Pass rate of what is shown' : 'Pass rate'}</h2>
      <p class={`pass-rate-value ${rate === null ? 'is-unknown' : ''}`}>
        {rate === null ? 'nothing was judged' : formatPercent(rate)}
      </p>
      <IntervalBar rate={rate} low={low} high={high} />
      <p class="figure-note">
        {rate !== null && (
          <>
            <span>
              {formatCount(passed)} of {formatPlural(judged, 'judged task run')} passed
            </span>
            <span>
              95% interval {formatPercent(low)} to {formatPercent(high)}
            </span>
            <span>
              {formatCount(rated.tasksPassed)} of {formatPlural(rated.tasks, 'task')} passed in
              every run
            </span>
          </>
        )}
        {notJudged > 0 && <span>{formatPlural(notJudged, 'task run')} could not be judged</span>}
        {leftOut > 0 && (
          <span>{formatPlural(leftOut, 'task run')} of --rerun-failed not in the rate</span>
        )}
        {isOfSomeOutcomes && <span>counts all outcomes, not only those shown</span>}
      </p>
      <SeveralRuns passWithK={totals.passWithK} />
    </div>
  );
}

function OutcomeShares({ totals, onCategory }: Pick<TotalsPanelProps, 'totals' | 'onCategory'>) {
  return (
    <div class="outcome-shares">
      <h2 class="figure-name">
        {formatPlural(totals.count, 'task run')} of {formatPlural(totals.tasks, 'task')}
      </h2>
      <div class="share-bar" aria-hidden="true">
        {outcomes
          .filter((outcome) => totals.outcomes[outcome] > 0)
          .map((outcome) => (
            <span
              key={outcome}
              class={`fill ${outcome}`}
              style={{ flexGrow: String(totals.outcomes[outcome]) }}
            />
          ))}
      </div>
      <ul>
        {outcomes.map((outcome) => (
          <li key={outcome} class={totals.outcomes[outcome] === 0 ? 'quiet' : ''}>
            <span class={`swatch fill ${outcome}`} aria-hidden="true" />
            {outcome} <strong>{formatCount(totals.outcomes[outcome])}</strong>
          </li>
        ))}
      </ul>
      {totals.categories.length > 0 && (
        <ul class="categories" aria-label="why task runs did not pass">
          {totals.categories.map(({ category, count }) => (
            <li key={category}>
              <button
                type="button"
                title={`show those with ${category}`}
                onClick={() => onCategory(category)}
              >
                {category} <strong>{formatCount(count)}</strong>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Says how many task runs a sum is of, where some do not report the amount. */
function ReportedBy({ reported, total }: { reported: number | undefined; total: number }) {
  if (reported === undefined || reported === total) return null;
  return <span>{`reported by ${formatCount(reported)} of ${formatCount(total)}`}</span>;
}

interface FigureProps {
  name: string;
  value: string;
  children: ComponentChildren;
}

function Figure({ name, value, children }: FigureProps) {
  return (
    <div>
      <dt class="figure-name">{name}</dt>
      <dd>
        <span class="figure-value">{value}</span>
        <span class="figure-note">{children}</span>
      </dd>
    </div>
  );
}

/** pass@k and pass^k: how likely some or all of k runs of a task pass. */
function SeveralRuns({ passWithK }: Pick<Totals, 'passWithK'>) {
  if (passWithK.length === 0) return null;
  return (
    <Fold class="several-runs" summary="pass@k and pass^k">
      {() => (
        <table>
          <thead>
            <tr>
              <th scope="col">k runs</th>
              <th scope="col">one passes</th>
              <th scope="col">all pass</th>
              <th scope="col">tasks</th>
            </tr>
          </thead>
          <tbody>
            {passWithK.map(({ k, any, all, tasks }) => (
              <tr key={k}>
                <th scope="row">{k}</th>
                <td>{formatPercent(any)}</td>
                <td>{formatPercent(all)}</td>
                <td>{tasks}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Fold>
  );
}
