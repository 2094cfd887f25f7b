import { blockedSentences, deniedSentences } from '../../analysis/blocked-calls.js';
import { reachedText } from '../../analysis/budget-text.js';
import type { SourceSummary, Summary } from '../../analysis/summary/summary.js';
import { formatLeftOut } from '../../journal/left-out.js';
import type { ReportIndex, ReportSet } from '../../report-data/report-data.js';
import { counted, momentText, percentText } from '../elements/amounts.js';

/** What the report is about, and what the reader must know before believing it. */
export function OverviewHead({ index }: { index: ReportIndex }) {
  return (
    <div class="overview-head">
      <h1>{index.title}</h1>
      <ul class="set-facts">
        {index.sets.map(({ name, summary, tools }, place) => (
          <li key={place}>
            {index.sets.length > 1 && <strong>{name}</strong>}
            {index.sets.length > 1 && <span>{rateText(summary)}</span>}
            {factsOf(summary, tools).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </li>
        ))}
      </ul>
      {noticesOf(index).map(({ path, why }) => (
        <p class="notice" key={path}>
          <strong>{path}</strong> {why}
        </p>
      ))}
      {index.sets.flatMap(({ name, summary }, place) =>
        [
          ...blockedSentences(summary.totals.blocked),
          ...deniedSentences(summary.totals.denied),
          ...unlikeInWords(summary),
        ].map((sentence) => (
          <p class="notice" key={`${place} ${sentence}`}>
            {index.sets.length > 1 && <strong>{name}</strong>} {sentence}
          </p>
        )),
      )}
      {leftOutOf(index).map(({ path, count, parts }) => (
        <details class="notice" key={path}>
          <summary>
            <strong>{path}</strong> {counted(count, 'part')} left out, as they could not be read
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

/** More tasks nobody reads. */
const mostUnlike = 5;

function unlikeInWords({ unlikeJudging }: Summary): string[] {
  const shown = unlikeJudging.slice(0, mostUnlike).map(({ task, text, betweenFiles }) => {
    const where = betweenFiles ? 'files' : 'runs';
    return `${task} is not judged alike in all ${where}: ${text}`;
  });
  const rest = unlikeJudging.length - shown.length;
  return rest > 0 ? [...shown, `${counted(rest, 'more task')} not judged alike`] : shown;
}

function leftOutOf({ sets }: ReportIndex): Summary['leftOut'] {
  return [
    ...new Map(sets.flatMap((set) => set.summary.leftOut).map((each) => [each.path, each])),
  ].map(([, each]) => each);
}

/** Once for each file: all variants of a matrix are in it. */
function noticesOf({ sets }: ReportIndex): { path: string; why: string }[] {
  const unfinished = sets.flatMap(({ summary }) => summary.sources.filter(isUnfinished));
  const byPath = new Map(unfinished.map((source) => [source.path, whyUnfinished(source)]));
  return [...byPath].map(([path, why]) => ({ path, why }));
}

function factsOf({ sources, totals }: Summary, tools: ReportSet['tools']): string[] {
  const agents = new Set(sources.flatMap(({ agent }) => (agent ? [agentText(agent)] : [])));
  const judges = new Set(
    sources.flatMap(({ judge }) => (judge ? [judge.model ?? judge.name] : [])),
  );
  const started = sources.flatMap(({ startedAt }) => (startedAt ? [startedAt] : [])).sort();
  return [
    ...(tools.recorded ? ['proxy recording'] : []),
    ...agents,
    ...[...judges].map((judge) => `judged by ${judge}`),
    ...(tools.recorded
      ? [counted(tools.taskRuns, 'session')]
      : [counted(totals.tasks, 'task'), counted(totals.taskRuns, 'task run')]),
    ...(started[0] ? [momentText(started[0])] : []),
    ...(sources.length > 1 ? [counted(sources.length, 'file')] : []),
  ];
}

/** Totals on the page are over all sets: here is what each of them comes to. */
function rateText({ totals: { rate } }: Summary): string {
  if (rate.rate === null) return 'nothing was judged';
  return `${percentText(rate.rate)} passed (${percentText(rate.low)} to ${percentText(rate.high)})`;
}

function agentText({ name, model }: NonNullable<SourceSummary['agent']>): string {
  return model === undefined || name.includes(model) ? name : `${name} (${model})`;
}

function isUnfinished({ finished, interrupted, bailed, budget, open }: SourceSummary): boolean {
  return !finished || interrupted || bailed || budget !== null || open > 0;
}

function reasonOf({ kind, finished, interrupted, bailed, budget }: SourceSummary): string {
  if (kind === 'recording') return 'is not finished: the proxy is still recording, or was killed';
  if (interrupted) return 'was interrupted';
  if (bailed) return 'stopped early because of --bail';
  if (budget) return `stopped early: ${reachedText(budget)}`;
  return finished
    ? 'has task runs without a verdict'
    : 'is not finished: the evaluation was killed, or still goes on';
}

function whyUnfinished(source: SourceSummary): string {
  const { planned, open } = source;
  const reason = reasonOf(source);
  const parts = [
    ...(open > 0 ? [`${counted(open, 'task run')} without a verdict`] : []),
    ...(planned === null ? [] : [`${counted(planned, 'task run')} planned`]),
  ];
  return parts.length > 0 ? `${reason} (${parts.join(', ')})` : reason;
}
