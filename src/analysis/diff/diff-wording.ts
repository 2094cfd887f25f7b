import { plural } from '../../base/text.js';
import { describeJudgingChanges } from '../../results/judging.js';
import { summarizeNames } from '../bounded-text.js';
import type {
  DiffSide,
  DiffVerdict,
  FailureReason,
  Headline,
  MeanAmounts,
  ResultsDiff,
  TaskDiff,
  TotalDiff,
} from './results-diff.js';

/**
 * The answer of a diff: better, worse, or no difference. It names tasks that got worse, and never counts a task
 * that is judged differently as better. `oneSided` is how many tasks only one side has: nothing is known of them.
 */
export function makeHeadline(
  { total, tasks }: Pick<ResultsDiff, 'total' | 'tasks'>,
  oneSided = 0,
): Headline {
  const count = (verdict: DiffVerdict) => tasks.filter((task) => task.verdict === verdict).length;
  const worse = count('regression');
  const better = count('improvement');
  const isWorse = total.verdict === 'regression' || worse > 0;
  const isBetter = total.verdict === 'improvement' || better > 0;
  const parts = [
    ...(isWorse ? [formatHeadlinePart('worse', total.verdict === 'regression', worse)] : []),
    ...(isBetter ? [formatHeadlinePart('better', total.verdict === 'improvement', better)] : []),
  ];
  const edited = describeJudgedDifferently(count('judged differently'));
  if (parts.length > 0) {
    const tone = isWorse && isBetter ? 'mixed' : isWorse ? 'worse' : 'better';
    return { tone, text: [parts.join(', and '), ...edited].join('; ') };
  }
  const flips = describeFlips(tasks);
  const open = [...flips, ...edited];
  if (open.length > 0) return { tone: 'open', text: open.join('; ') };
  const same = 'no detectable difference';
  if (oneSided === 0) return { tone: 'same', text: same };
  const compared = `${tasks.length} of ${plural(tasks.length + oneSided, 'task')}`;
  return { tone: 'same', text: `${same} in ${compared}; only one side has the others` };
}

function describeJudgedDifferently(tasks: number): string[] {
  return tasks === 0
    ? []
    : [`${plural(tasks, 'task')} ${tasks === 1 ? 'is' : 'are'} judged differently`];
}

/** Tasks that passed on one side only, which is worth knowing although chance is not ruled out. */
function describeFlips(tasks: readonly TaskDiff[]): string[] {
  const worse = tasks.filter((task) => findFlip(task) === 'worse').length;
  // A pass by other assertions says nothing about the server.
  const better = tasks.filter((task) => findFlip(task) === 'better' && task.judging.length === 0);
  const parts = [
    ...(worse > 0 ? [`passed before, fails now: ${plural(worse, 'task')}`] : []),
    ...(better.length > 0 ? [`failed before, passes now: ${plural(better.length, 'task')}`] : []),
  ];
  return parts.length === 0 ? [] : [...parts, 'too few runs to rule out chance'];
}

function formatHeadlinePart(word: string, isTotal: boolean, tasks: number): string {
  const inTasks = tasks > 0 ? `in ${plural(tasks, 'task')}` : '';
  return `${word} ${[isTotal ? 'overall' : '', inTasks].filter(Boolean).join(' and ')}`;
}

type Noted = Pick<TaskDiff, 'base' | 'current' | 'judging' | 'failures'>;

/** Notes on a task beside its figures: what judges it differently, and why it fails. */
export function listTaskNotes(task: Noted): string[] {
  const { judging, failures } = task;
  const flip = findFlip(task);
  return [
    ...(judging.length > 0 ? [`judged differently: ${describeJudgingChanges(judging)}`] : []),
    ...(flip === 'worse' ? [`passed before, fails now: ${formatReasons(failures.current)}`] : []),
    ...(flip === 'better' ? [`failed before (${formatReasons(failures.base)}), passes now`] : []),
    ...(hasOtherReasons(task)
      ? [
          `fails for another reason: before ${formatReasons(failures.base)}; now ${formatReasons(failures.current)}`,
        ]
      : []),
  ];
}

/** Whether every run of one side passed, and none of the other. */
function findFlip({
  base,
  current,
}: Pick<TaskDiff, 'base' | 'current'>): 'better' | 'worse' | null {
  if (base.judged === 0 || current.judged === 0) return null;
  if (base.passed === base.judged && current.passed === 0) return 'worse';
  return base.passed === 0 && current.passed === current.judged ? 'better' : null;
}

/** Whether a task fails on both sides for different reasons, whatever its rates. */
function hasOtherReasons({ failures: { base, current } }: Pick<TaskDiff, 'failures'>) {
  if (base.length === 0 || current.length === 0) return false;
  const before = new Set(base.map(({ reason }) => reason));
  return before.size !== current.length || current.some(({ reason }) => !before.has(reason));
}

function formatReasons(failures: readonly FailureReason[]): string {
  return summarizeNames(failures.map(({ reason }) => reason));
}

/** Whether a task deserves its own line because it changed, or might have. */
export function isNoteworthy(task: TaskDiff): boolean {
  const { verdict, difference, judging } = task;
  if (judging.length > 0 || hasOtherReasons(task)) return true;
  return verdict !== 'no change' && difference !== 0;
}

/** A difference of rates in points: `+3.5`, `-10.0`. */
export function formatPoints(difference: number): string {
  const text = (difference * 100).toFixed(1);
  if (Number(text) === 0) return '0.0';
  return difference > 0 ? `+${text}` : text;
}

export function formatProbability(value: number): string {
  return value < 0.001 ? '<0.001' : value.toFixed(3);
}

/** The task runs that are not in the rate: `2 errors, 1 cancelled`. */
export function formatNotJudged({ errors, cancelled }: DiffSide): string {
  const parts = [
    ...(errors > 0 ? [`${errors} ${errors === 1 ? 'error' : 'errors'}`] : []),
    ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
  ];
  return parts.join(', ');
}

/** `p = 0.031, exact sign-flip over 30 tasks`. */
export function formatMethod(total: TotalDiff): string {
  const { pValue, method, tasks, variants } = total;
  if (pValue === null || method === null) return 'nothing was judged on both sides';
  const value = pValue < 0.001 ? 'p < 0.001' : `p = ${pValue.toFixed(3)}`;
  const units =
    variants === undefined ? plural(tasks, 'task') : `${tasks} pairs of task and variant`;
  return `${value}, ${method} over ${units}${formatEditedTasks(total)}`;
}

function formatEditedTasks({ judgedDifferently }: TotalDiff): string {
  if (!judgedDifferently) return '';
  const { tasks, leftOut } = judgedDifferently;
  return leftOut
    ? `; left out: ${plural(tasks, 'task')} judged differently`
    : `, of which ${tasks} ${tasks === 1 ? 'is' : 'are'} judged differently`;
}

export interface AmountChange {
  what: string;
  amount: keyof MeanAmounts;
  before: number;
  now: number;
  /** `+12.5%`; `new` where there was none before. */
  change: string;
}

const amountNames: Record<keyof MeanAmounts, string> = {
  durationMs: 'duration',
  calls: 'calls',
  callErrors: 'call errors',
  inputTokens: 'input tokens',
  outputTokens: 'output tokens',
  cost: 'cost',
};

/** Changes of the mean amounts of a task run that both sides have. */
export function listAmountChanges({ base, current }: TotalDiff): AmountChange[] {
  return (Object.keys(amountNames) as (keyof MeanAmounts)[]).flatMap((amount) => {
    const before = base.amounts[amount];
    const now = current.amounts[amount];
    if (before === null || now === null || (before === 0 && now === 0)) return [];
    return [
      { what: amountNames[amount], amount, before, now, change: formatAmountChange(before, now) },
    ];
  });
}

function formatAmountChange(before: number, now: number): string {
  if (before === 0) return 'new';
  const text = ((now / before - 1) * 100).toFixed(1);
  if (Number(text) === 0) return 'same';
  return now > before ? `+${text}%` : `${text}%`;
}

/** Steps that would settle what the diff leaves open. */
export function listDiffNextSteps({ tasks, total }: ResultsDiff): string[] {
  return [...suggestSameJudging(tasks), ...suggestMoreRuns(tasks), ...suggestMoreTasks(total)];
}

function suggestSameJudging(tasks: readonly TaskDiff[]): string[] {
  const edited = tasks.filter(({ judging }) => judging.length > 0);
  if (edited.length === 0) return [];
  const isByAssertions = edited.every(({ judging }) =>
    judging.every(({ part }) => part === 'assertion'),
  );
  const how = isByAssertions
    ? 'judge the base by the assertions of today (recheck --out)'
    : 'run the base again with the tasks of today';
  return [`to compare what is judged differently, ${how}`];
}

function suggestMoreRuns(tasks: readonly TaskDiff[]): string[] {
  const open = tasks.filter(({ verdict }) => verdict === 'not enough data');
  const differing = open.filter(({ difference }) => difference !== 0);
  // Equal rates need no settling: only a few runs are missing to say so.
  const alike = open.filter(({ difference }) => difference === 0);
  return [
    ...formatMoreRuns(differing, () => 'could confirm the difference if the rates stay'),
    ...formatMoreRuns(alike, (they) => `could confirm that ${they} did not change`),
  ];
}

function formatMoreRuns(open: readonly TaskDiff[], describe: (they: string) => string): string[] {
  const more = open.flatMap(({ moreRuns }) => moreRuns ?? []);
  if (more.length === 0) return [];
  const least = more.reduce((a, b) => Math.min(a, b));
  const most = more.reduce((a, b) => Math.max(a, b));
  const range = least === most ? `${most}` : `${least} to ${most}`;
  const have = `${plural(more.length, 'task')} ${more.length === 1 ? 'has' : 'have'} too few runs`;
  const they = more.length === 1 ? 'it' : 'they';
  return [`${have}: ${range} more on each side ${describe(they)} (check --runs N)`];
}

function suggestMoreTasks({ verdict, moreTasks, difference }: TotalDiff): string[] {
  if (verdict !== 'not enough data' || moreTasks === null) return [];
  const isAlike = Math.abs(difference ?? 0) < 1e-9;
  const what = isAlike ? 'no change' : 'the difference';
  return [`overall: about ${moreTasks} more tasks on both sides are needed to confirm ${what}`];
}
