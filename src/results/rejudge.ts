import { holdsRedaction } from '../config/redactor.js';
import type { Judgement } from '../journal/step-events.js';
import type { Judging } from '../journal/task-run-events.js';
import type { PlannedTask } from '../plan/plan.js';
import { resolvedReference } from '../steps/judge-settings.js';
import type { JudgeQuestion } from '../steps/step-services.js';
import { UnresolvedPlaceholder } from '../steps/unresolved-placeholder.js';
import { type JudgeStep, judgeStepsOf } from './judge-steps.js';
import { rejudgedJudging } from './judging.js';
import type { Recheck } from './recheck.js';
import type { RecordedStep, RecordedTaskRun } from './recorded-task-run.js';
import { recordedValues } from './recorded-values.js';
import { type Rejudgement, recordedSteps } from './rejudgement.js';

type JudgedTask = Pick<PlannedTask, 'name' | 'definition' | 'judging'>;

export interface RejudgeContext {
  /** Absolute; places are told from here. */
  evalFolder: string;
  environment: NodeJS.ProcessEnv;
  /** How many task runs at once. */
  parallel: number;
  /** As records have it. */
  redact(text: string): string;
  ask(question: JudgeQuestion, timeoutMs: number): Promise<Judgement>;
  onJudged(): void;
  /** Aborted: what was not judged by then is left out. */
  signal: AbortSignal;
}

/** A recorded task run of a task that asks a judge today. */
export interface RejudgedTaskRun {
  /** Why it could not be judged: the agent did not come to its end. */
  unfinished: string | undefined;
  judgements: Rejudgement[];
  /** What judges the task today. */
  today: Judging;
}

/** By their place among the recorded task runs of the tasks. */
type RejudgedTaskRuns = ReadonlyMap<number, RejudgedTaskRun>;

interface RecordedAnswers {
  /** How many there are to judge. */
  count: number;
  /** Names of the tasks that ask a judge today, as recorded. */
  tasks: ReadonlySet<string>;
}

export interface Rejudged {
  answers: RecordedAnswers;
  taskRuns: RejudgedTaskRuns;
}

export async function surveyAnswers(
  recorded: AsyncIterable<RecordedTaskRun>,
  tasks: readonly JudgedTask[],
  context: Pick<RejudgeContext, 'evalFolder' | 'redact'>,
): Promise<RecordedAnswers> {
  let count = 0;
  const names = new Set<string>();
  for await (const { steps, recorded: each } of judgeable(recorded, tasks, context)) {
    names.add(each.task);
    if (each.unfinished === undefined) count += steps.length;
  }
  return { count, tasks: names };
}

/** Asks a judge about recorded answers, with the questions of tasks as they are now. */
export async function rejudge(
  recorded: AsyncIterable<RecordedTaskRun>,
  tasks: readonly JudgedTask[],
  context: RejudgeContext,
): Promise<RejudgedTaskRuns> {
  const rejudged = new Map<number, RejudgedTaskRun>();
  const queue = judgeable(recorded, tasks, context);
  const inTurn = async () => {
    for (;;) {
      const next = context.signal.aborted ? await queue.return(undefined) : await queue.next();
      if (next.done) return;
      const { index, recorded: each, task } = next.value;
      const { unfinished } = each;
      const isOver = unfinished !== undefined;
      const judgements = isOver ? [] : await rejudgeTaskRun(next.value, context);
      rejudged.set(index, { unfinished, judgements, today: task.judging });
    }
  };
  await Promise.all(Array.from({ length: context.parallel }, inTurn));
  return rejudged;
}

/** What assertions and the judge say together. */
export function withJudgements(
  recheck: Recheck,
  { answers, taskRuns: rejudged }: Rejudged,
): Recheck {
  const taskRuns = recheck.taskRuns.map((taskRun, index) => {
    const found = rejudged.get(index);
    if (!found) return taskRun;
    const { judgements, unfinished, today } = found;
    const judging = rejudgedJudging(taskRun.judging, today);
    return { ...taskRun, judging, judgements, ...(unfinished !== undefined && { unfinished }) };
  });
  const judged = taskRuns.reduce((sum, { judgements = [] }) => sum + judgements.length, 0);
  const nothingToCheck = recheck.nothingToCheck.filter((task) => !answers.tasks.has(task));
  return { ...recheck, taskRuns, nothingToCheck, notJudged: answers.count - judged };
}

interface Judgeable {
  index: number;
  recorded: RecordedTaskRun;
  task: JudgedTask;
  steps: JudgeStep[];
}

async function* judgeable(
  recorded: AsyncIterable<RecordedTaskRun>,
  tasks: readonly JudgedTask[],
  { evalFolder, redact }: Pick<RejudgeContext, 'evalFolder' | 'redact'>,
): AsyncGenerator<Judgeable, undefined> {
  const known = new Map(
    tasks.map((task) => [
      redact(task.name),
      { task, steps: judgeStepsOf(task.definition, evalFolder) },
    ]),
  );
  let index = -1;
  for await (const each of recorded) {
    const found = known.get(each.task);
    if (!found) continue;
    index += 1;
    if (found.steps.length > 0) yield { index, recorded: each, ...found };
  }
}

async function rejudgeTaskRun(
  { recorded, task, steps }: Judgeable,
  context: RejudgeContext,
): Promise<Rejudgement[]> {
  const then = recordedSteps(steps, recorded.steps);
  const judgements: Rejudgement[] = [];
  for (const [index, step] of steps.entries()) {
    if (context.signal.aborted) break;
    const before = then[index];
    const prepared = questionOf(recorded, task, step, before, context.environment);
    const judgement =
      'unknown' in prepared
        ? withoutVerdict(step, prepared.unknown)
        : await context.ask(prepared.question, step.timeoutMs);
    // It was stopped, which says nothing about the answer.
    if (context.signal.aborted && judgement.passed === null) break;
    context.onJudged();
    judgements.push({
      step: step.step,
      ...(step.id !== undefined && { id: step.id }),
      at: step.at,
      ...judgement,
      notes: 'unknown' in prepared ? [] : prepared.notes,
      ...(before?.verdict && { before: before.verdict }),
    });
  }
  return judgements;
}

type Prepared = { question: JudgeQuestion; notes: string[] } | { unknown: string };

function questionOf(
  recorded: RecordedTaskRun,
  { name, definition }: JudgedTask,
  { mode, reference, votes, step }: JudgeStep,
  then: RecordedStep | undefined,
  environment: NodeJS.ProcessEnv,
): Prepared {
  const { output: answer } = recorded;
  if (answer === undefined) return { unknown: 'the record does not have the answer' };
  const moment = { taskName: name, step: then?.step ?? step, environment };
  const resolve = recordedValues(recorded, moment);
  try {
    const prompt = recorded.prompt ?? resolve(definition.prompt?.text ?? '');
    const resolved = resolvedReference(reference, resolve);
    const question = { mode, reference: resolved, prompt, answer, votes };
    return { question, notes: notesOn(recorded, question) };
  } catch (error) {
    if (error instanceof UnresolvedPlaceholder) return { unknown: error.message };
    throw error;
  }
}

/** What cannot be asked must not pass. */
function withoutVerdict({ mode, reference }: JudgeStep, reason: string): Judgement {
  return { mode, reference, passed: null, reason, failureCategory: 'n/a', votes: [] };
}

/** The sign at the end of a text that was cut for the record, or at its start. */
const cutSign = /^… | …$/;

function notesOn(recorded: RecordedTaskRun, { prompt, answer, reference }: JudgeQuestion) {
  const redacted = Object.entries({ prompt, answer, reference })
    .filter(([, text]) => holdsRedaction(text))
    .map(([what]) => what);
  return [
    ...(recorded.prompt === undefined
      ? ['the record does not have the prompt: that of the task today was taken']
      : []),
    ...(cutSign.test(answer) ? ['the answer looks cut: the record may have only a part'] : []),
    ...redacted.map((what) => `a part of the ${what} is redacted, and judged like that`),
  ];
}
