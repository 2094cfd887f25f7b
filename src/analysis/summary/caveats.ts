import { plural } from '../../base/text.js';
import { formatLeftOut } from '../../journal/left-out.js';
import { missingShardsText } from '../../results/missing-shards.js';
import { isControl } from '../../results/pooled-results.js';
import type { LeftOutOfFile } from '../../results/results-file.js';
import { blockedSentences, deniedSentences } from '../blocked-calls.js';
import { reachedText } from '../budget-text.js';
import { rerunsSentence } from '../reruns-fold.js';
import { unlikeCaveats } from '../unlike-judging.js';
import type { SourceSummary, Summary, UnfinishedEvaluation, UnfinishedSummary } from './summary.js';

const reasons: Record<UnfinishedEvaluation['why'], string> = {
  running: 'it was killed, or still goes on',
  interrupted: 'it was interrupted',
  bailed: '--bail left the rest out',
  budget: 'a budget was reached',
  incomplete: 'the rest is missing',
  unreadable: 'the rest has no verdict that can be read',
};

export function unfinishedSentence(unfinished: UnfinishedSummary): string {
  if (unfinished.why === 'shards') return `unfinished: ${missingShardsText(unfinished)}`;
  const { path, why, done, planned, budget } = unfinished;
  const all = planned === null ? `${done}` : `${done} of ${planned}`;
  const reason = budget ? reachedText(budget) : reasons[why];
  return `unfinished: ${all} task runs have a verdict (${path}: ${reason})`;
}

const withoutAgent = 'it ran without an agent: a task that passes there checks nothing';

/** What somebody must know who reads the figures. */
export function caveatsOf(summary: Summary): string[] {
  const { sources, unfinished, shard, reruns, unlikeJudging, totals } = summary;
  return [
    ...unfinished.map(unfinishedSentence),
    ...(shard ? [`this is shard ${shard.index} of ${shard.of}: the others are not in it`] : []),
    ...(reruns ? [rerunsSentence(reruns)] : []),
    ...unlikeCaveats(unlikeJudging),
    ...sources.flatMap(recheckedSentence),
    ...mixtures(sources),
    ...sources.filter(isControl).map(({ path }) => `${path}: ${withoutAgent}`),
    ...blockedSentences(totals.blocked),
    ...deniedSentences(totals.denied),
    ...(totals.rate.judged === 0 ? ['nothing was judged: there is no pass rate'] : []),
  ];
}

/** The same of a report on tools. */
export function caveatsOfTools({
  unfinished = [],
  unlikeJudging = [],
}: Partial<Pick<Summary, 'unfinished' | 'unlikeJudging'>>): string[] {
  return [...unfinished.map(unfinishedSentence), ...unlikeCaveats(unlikeJudging)];
}

/** The first part is named: mostly there is no other, or it is like it. */
export function leftOutSentence({ path, count, parts: [first] }: LeftOutOfFile): string {
  const example = first ? `, such as ${formatLeftOut(first)}` : '';
  return `${path}: ${plural(count, 'part')} left out${example}`;
}

/** Nothing but that: then failing is good. */
export function isAllControl({ sources }: Summary): boolean {
  return sources.length > 0 && sources.every(isControl);
}

/** `out.json was rechecked by the assertions of eval.yaml on 2026-01-31`. */
export function recheckedSentence({
  path,
  rechecked,
}: Pick<SourceSummary, 'path' | 'rechecked'>): string[] {
  if (!rechecked) return [];
  const by = rechecked.rejudged ? 'assertions and the judge' : 'assertions';
  const day = rechecked.at.slice(0, 10);
  return [`${path} was rechecked by the ${by} of ${rechecked.eval.file} on ${day}`];
}

function mixtures(sources: readonly SourceSummary[]): string[] {
  const differing = (what: string, textsOf: (source: SourceSummary) => readonly string[]) => {
    const lists = sources.map((source) => [...new Set(textsOf(source))]);
    // The variants of a matrix may well differ, if they do so in every file.
    const isAlike = new Set(lists.map((list) => JSON.stringify(list.toSorted()))).size < 2;
    if (isAlike) return [];
    return [`the files are of different ${what}: ${few([...new Set(lists.flat())])}`];
  };
  return [
    ...differing('evals', (source) => [source.eval ?? 'unknown']),
    ...differing('agents', (source) => agentsOf(source).map((agent) => agent?.name ?? 'unknown')),
    ...differing('models', (source) => agentsOf(source).map((agent) => agent?.model ?? 'unknown')),
  ];
}

function agentsOf({ agent, variants }: SourceSummary): SourceSummary['agent'][] {
  return variants.length === 0 ? [agent] : variants.map((variant) => variant.agent);
}

function few(values: readonly string[]): string {
  const shown = values.slice(0, 5).join(', ');
  return values.length > 5 ? `${shown} and ${values.length - 5} more` : shown;
}
