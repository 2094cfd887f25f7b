import { plural } from '../../base/text.js';
import { formatLeftOut } from '../../journal/left-out.js';
import { isControl } from '../../results/read/pooled-results.js';
import type { LeftOutOfFile } from '../../results/results-file.js';
import { describeMissingShards } from '../../results/shards.js';
import { describeBlockedCalls, describeDeniedCalls } from '../blocked-calls.js';
import { summarizeNames } from '../bounded-text.js';
import { describeReachedBudget } from '../figure-text.js';
import { listUnlikeCaveats } from '../judging-differences.js';
import { describeRerunTaskRuns } from '../reruns.js';
import type { SourceSummary, Summary, UnfinishedRun, UnfinishedSummary } from './summary.js';

const reasons: Record<UnfinishedRun['why'], string> = {
  running: 'killed, or still running',
  interrupted: 'interrupted',
  bailed: '--bail left the rest out',
  budget: 'a budget was reached',
  incomplete: 'the rest is missing',
  unreadable: 'the rest has no verdict that can be read',
};

export function describeUnfinished(unfinished: UnfinishedSummary): string {
  if (unfinished.why === 'shards') return `unfinished: ${describeMissingShards(unfinished)}`;
  const { path, why, done, planned, budget } = unfinished;
  const all = planned === null ? `${done}` : `${done} of ${planned}`;
  const reason = budget ? describeReachedBudget(budget) : reasons[why];
  return `unfinished: ${all} task runs have a verdict (${path}: ${reason})`;
}

const withoutAgent = 'it ran without an agent: a task that passes there checks nothing';

/** What to know before trusting the figures. */
export function listCaveats(summary: Summary): string[] {
  const { sources, unfinished, shard, reruns, unlikeJudging, totals } = summary;
  return [
    ...unfinished.map(describeUnfinished),
    ...(shard ? [`this is shard ${shard.index} of ${shard.of}: the others are not in it`] : []),
    ...(reruns ? [describeRerunTaskRuns(reruns)] : []),
    ...listUnlikeCaveats(unlikeJudging),
    ...sources.flatMap(describeRecheck),
    ...describeMixtures(sources),
    ...sources.filter(isControl).map(({ path }) => `${path}: ${withoutAgent}`),
    ...describeBlockedCalls(totals.blocked),
    ...describeDeniedCalls(totals.denied),
    ...(totals.rate.judged === 0 ? ['nothing was judged: there is no pass rate'] : []),
  ];
}

/** What to know before trusting a report on tools. */
export function listToolsCaveats({
  unfinished = [],
  unlikeJudging = [],
}: Partial<Pick<Summary, 'unfinished' | 'unlikeJudging'>>): string[] {
  return [...unfinished.map(describeUnfinished), ...listUnlikeCaveats(unlikeJudging)];
}

/** Says how many parts of a file were left out, with the first as an example. */
export function describeLeftOut({ path, count, parts: [first] }: LeftOutOfFile): string {
  const example = first ? `, such as ${formatLeftOut(first)}` : '';
  return `${path}: ${plural(count, 'part')} left out${example}`;
}

/** Whether all sources are control runs: then a task that fails is good. */
export function isAllControl({ sources }: Summary): boolean {
  return sources.length > 0 && sources.every(isControl);
}

/** `out.json was rechecked by the assertions of eval.yaml on 2026-01-31`. */
export function describeRecheck({
  path,
  rechecked,
}: Pick<SourceSummary, 'path' | 'rechecked'>): string[] {
  if (!rechecked) return [];
  const by = rechecked.rejudged ? 'assertions and the judge' : 'assertions';
  const day = rechecked.at.slice(0, 10);
  return [`${path} was rechecked by the ${by} of ${rechecked.eval.file} on ${day}`];
}

function describeMixtures(sources: readonly SourceSummary[]): string[] {
  const describe = (title: string, listTexts: (source: SourceSummary) => readonly string[]) => {
    const lists = sources.map((source) => [...new Set(listTexts(source))]);
    // The variants of a matrix may well differ, if they do so in every file.
    const isAlike = new Set(lists.map((list) => JSON.stringify(list.toSorted()))).size < 2;
    if (isAlike) return [];
    return [
      `the files come from different ${title}: ${summarizeNames([...new Set(lists.flat())])}`,
    ];
  };
  return [
    ...describe('evals', (source) => [source.eval ?? 'unknown']),
    ...describe('agents', (source) => listAgents(source).map((agent) => agent?.name ?? 'unknown')),
    ...describe('models', (source) => listAgents(source).map((agent) => agent?.model ?? 'unknown')),
  ];
}

function listAgents({ agent, variants }: SourceSummary): SourceSummary['agent'][] {
  return variants.length === 0 ? [agent] : variants.map((variant) => variant.agent);
}
