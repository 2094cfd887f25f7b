import { describeBlockedCalls, describeDeniedCalls } from '../../analysis/blocked-calls.js';
import { describeReachedBudget } from '../../analysis/figure-text.js';
import type { SourceSummary, Summary } from '../../analysis/summary/summary.js';
import { formatLeftOut } from '../../journal/left-out.js';
import type { ReportIndex, ReportSet } from '../../report-data/report-data.js';
import { formatMoment, formatPercent, formatPlural } from '../elements/amounts.js';

/** The title and facts of the report, and notices that limit what it can show. */
export function OverviewHead({ index }: { index: ReportIndex }) {
  return (
    <div class="overview-head">
      <h1>{index.title}</h1>
      <ul class="set-facts">
        {index.sets.map(({ name, summary, tools }, place) => (
          <li key={place}>
            {index.sets.length > 1 && <strong>{name}</strong>}
            {index.sets.length > 1 && <span>{formatRate(summary)}</span>}
            {listFacts(summary, tools).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </li>
        ))}
      </ul>
      {listNotices(index).map(({ path, why }) => (
        <p class="notice" key={path}>
          <strong>{path}</strong> {why}
        </p>
      ))}
      {index.sets.flatMap(({ name, summary }, place) =>
        [
          ...describeBlockedCalls(summary.totals.blocked),
          ...describeDeniedCalls(summary.totals.denied),
          ...listUnlikeJudging(summary),
        ].map((sentence) => (
          <p class="notice" key={`${place} ${sentence}`}>
            {index.sets.length > 1 && <strong>{name}</strong>} {sentence}
          </p>
        )),
      )}
      {listLeftOut(index).map(({ path, count, parts }) => (
        <details class="notice" key={path}>
          <summary>
            <strong>{path}</strong> {formatPlural(count, 'part')} left out, as they could not be
            read
          </summary>
          <ul>
            {parts.map((part) => (
              <li key={part.place}>{formatLeftOut(part)}</li>
            ))}
          </ul>
        </details>
      ))}
    </div>
  );
}

/** A longer list of tasks is summarised. */
const mostUnlike = 5;

function listUnlikeJudging({ unlikeJudging }: Summary): string[] {
  const shown = unlikeJudging.slice(0, mostUnlike).map(({ task, text, betweenFiles }) => {
    const where = betweenFiles ? 'files' : 'runs';
    return `${task} is judged differently between ${where}: ${text}`;
  });
  const rest = unlikeJudging.length - shown.length;
  return rest > 0 ? [...shown, `${formatPlural(rest, 'more task')} judged differently`] : shown;
}

function listLeftOut({ sets }: ReportIndex): Summary['leftOut'] {
  return [
    ...new Map(sets.flatMap((set) => set.summary.leftOut).map((file) => [file.path, file])),
  ].map(([, file]) => file);
}

/** Notices on unfinished files, one per file though all variants of a matrix refer to it. */
function listNotices({ sets }: ReportIndex): { path: string; why: string }[] {
  const unfinished = sets.flatMap(({ summary }) => summary.sources.filter(isUnfinished));
  const byPath = new Map(unfinished.map((source) => [source.path, formatUnfinished(source)]));
  return [...byPath].map(([path, why]) => ({ path, why }));
}

function listFacts({ sources, totals }: Summary, tools: ReportSet['tools']): string[] {
  const agents = new Set(sources.flatMap(({ agent }) => (agent ? [formatAgent(agent)] : [])));
  const judges = new Set(
    sources.flatMap(({ judge }) => (judge ? [judge.model ?? judge.name] : [])),
  );
  const started = sources.flatMap(({ startedAt }) => (startedAt ? [startedAt] : [])).sort();
  return [
    ...(tools.recorded ? ['proxy recording'] : []),
    ...agents,
    ...[...judges].map((judge) => `judged by ${judge}`),
    ...(tools.recorded
      ? [formatPlural(tools.taskRuns, 'session')]
      : [formatPlural(totals.tasks, 'task'), formatPlural(totals.taskRuns, 'task run')]),
    ...(started[0] ? [formatMoment(started[0])] : []),
    ...(sources.length > 1 ? [formatPlural(sources.length, 'file')] : []),
  ];
}

/** The pass rate of one set; totals on the page are over all sets. */
function formatRate({ totals: { rate } }: Summary): string {
  if (rate.rate === null) return 'nothing was judged';
  return `${formatPercent(rate.rate)} passed (${formatPercent(rate.low)} to ${formatPercent(rate.high)})`;
}

function formatAgent({ name, model }: NonNullable<SourceSummary['agent']>): string {
  return model === undefined || name.includes(model) ? name : `${name} (${model})`;
}

function isUnfinished({ finished, interrupted, bailed, budget, open }: SourceSummary): boolean {
  return !finished || interrupted || bailed || budget !== null || open > 0;
}

function explainUnfinished({ kind, finished, interrupted, bailed, budget }: SourceSummary): string {
  if (kind === 'recording') return 'is not finished: the proxy was killed or is still recording';
  if (interrupted) return 'was interrupted';
  if (bailed) return 'stopped early because of --bail';
  if (budget) return `stopped early: ${describeReachedBudget(budget)}`;
  return finished
    ? 'has task runs without a verdict'
    : 'is not finished: the check was killed or is still running';
}

function formatUnfinished(source: SourceSummary): string {
  const { planned, open } = source;
  const reason = explainUnfinished(source);
  const parts = [
    ...(open > 0 ? [`${formatPlural(open, 'task run')} without a verdict`] : []),
    ...(planned === null ? [] : [`${formatPlural(planned, 'task run')} planned`]),
  ];
  return parts.length > 0 ? `${reason} (${parts.join(', ')})` : reason;
}
