import type { ComponentChildren } from 'preact';
import {
  costText,
  counted,
  durationText,
  exactCount,
  percentText,
  shortCount,
} from '../elements/amounts.js';
import { Fold } from '../elements/fold.js';
import { IntervalBar } from '../elements/graphics.js';
import type { Totals } from './totals.js';
import { outcomes } from './view.js';

interface TotalsPanelProps {
  totals: Totals;
  /** Filters leave something out, other than outcomes. */
  isPart: boolean;
  /** Outcomes are left out. */
  isOfSomeOutcomes: boolean;
  /** Asks for the task runs that failed for this reason. */
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
        <Figure name="Duration" value={durationText(durations?.p50 ?? null)}>
          {durations ? `median; 95% within ${durationText(durations.p95)}` : 'not known'}
        </Figure>
        <Figure name="Calls" value={shortCount(calls)}>
          {errorsText(totals)}
        </Figure>
        <Figure name="Tokens" value={shortCount(tokens && tokens.input + tokens.output)}>
          {tokens
            ? `${shortCount(tokens.input)} in, ${shortCount(tokens.output)} out`
            : 'not reported'}
          <Told told={tokens?.told} of={totals.count + totals.leftOut} />
        </Figure>
        <Figure name="Cost" value={costText(cost?.sum ?? null)}>
          {cost ? `${costText(cost.sum / cost.told)} a task run` : 'not reported'}
          <Told told={cost?.told} of={totals.count + totals.leftOut} />
        </Figure>
      </dl>
    </section>
  );
}

/** How many calls went wrong, by what servers say and by what their results look like. */
function errorsText({ callErrors, suspectedErrors }: Totals): string {
  const errors = callErrors === 0 ? 'none' : exactCount(callErrors);
  const suspected =
    suspectedErrors === 0
      ? ''
      : `; ${exactCount(suspectedErrors)} look${suspectedErrors === 1 ? 's' : ''} like one`;
  return `${errors} with an error${suspected}`;
}

/** Of sessions of a recording: what was called, and no verdict. */
export function RecordedTotals({ totals }: { totals: Totals }) {
  const { durations, calls, leftOut } = totals;
  return (
    <section class="panel totals recorded" aria-label="totals">
      <dl class="figures">
        <Figure name="Sessions" value={shortCount(leftOut)}>
          recorded, not judged: there is no verdict
        </Figure>
        <Figure name="Calls" value={shortCount(calls)}>
          {errorsText(totals)}
        </Figure>
        <Figure name="Duration" value={durationText(durations?.p50 ?? null)}>
          {durations ? `median; 95% within ${durationText(durations.p95)}` : 'not known'}
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
        {rate === null ? 'nothing was judged' : percentText(rate)}
      </p>
      <IntervalBar rate={rate} low={low} high={high} />
      <p class="figure-note">
        {rate !== null && (
          <>
            <span>
              {exactCount(passed)} of {counted(judged, 'judged task run')} passed
            </span>
            <span>
              95% interval {percentText(low)} to {percentText(high)}
            </span>
            <span>
              {exactCount(rated.tasksPassed)} of {counted(rated.tasks, 'task')} passed in every run
            </span>
          </>
        )}
        {notJudged > 0 && <span>{counted(notJudged, 'task run')} could not be judged</span>}
        {leftOut > 0 && <span>{counted(leftOut, 'task run')} of --rerun-failed in no rate</span>}
        {isOfSomeOutcomes && <span>whatever outcomes are shown</span>}
      </p>
      <SeveralRuns passWithK={totals.passWithK} />
    </div>
  );
}

function OutcomeShares({ totals, onCategory }: Pick<TotalsPanelProps, 'totals' | 'onCategory'>) {
  return (
    <div class="outcome-shares">
      <h2 class="figure-name">
        {counted(totals.count, 'task run')} of {counted(totals.tasks, 'task')}
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
            {outcome} <strong>{exactCount(totals.outcomes[outcome])}</strong>
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
                {category} <strong>{exactCount(count)}</strong>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A sum that leaves some out must say so. */
function Told({ told, of }: { told: number | undefined; of: number }) {
  if (told === undefined || told === of) return null;
  return <span>{`reported by ${exactCount(told)} of ${exactCount(of)}`}</span>;
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

/** What one may expect of several runs of a task. */
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
                <td>{percentText(any)}</td>
                <td>{percentText(all)}</td>
                <td>{tasks}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Fold>
  );
}
