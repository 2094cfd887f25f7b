import { findPlaceholders } from '../../config/placeholders/placeholders.js';
import { holdsRedaction } from '../../config/secrets/redactor.js';
import type { Judgement } from '../../journal/step-events.js';
import type { Judging } from '../../journal/task-run-events.js';
import type { PlannedTask } from '../../plan/plan.js';
import { resolveReference } from '../../steps/judge-step.js';
import { PlaceholderValues, UnresolvedPlaceholderError } from '../../steps/placeholder-values.js';
import type { JudgeQuestion } from '../../steps/step.js';
import { mergeRejudgedJudging } from '../judging.js';
import type { Recheck } from './recheck.js';
import type { RecordedStep, RecordedTaskRun } from './recorded-task-run.js';
import {
  type JudgeStep,
  listJudgeSteps,
  matchRecordedSteps,
  type Rejudgement,
} from './rejudgement.js';

type JudgedTask = Pick<PlannedTask, 'name' | 'definition' | 'judging'>;

export interface RejudgeContext {
  /** Absolute path of the eval's folder; the places of steps are recorded relative to it. */
  evalFolder: string;
  environment: NodeJS.ProcessEnv;
  /** How many task runs are judged at the same time. */
  parallel: number;
  /** Redacts the names of tasks, as they are redacted in records. */
  redact(text: string): string;
  ask(question: JudgeQuestion, timeoutMs: number): Promise<Judgement>;
  /** Called after each answer that was judged. */
  onJudged(): void;
  /** Stops judging: answers that are not judged by then are left out. */
  signal: AbortSignal;
}

/** The new judgements of a recorded task run. */
export interface RejudgedTaskRun {
  /** Why the task run cannot be judged, such as an agent that did not finish. Undefined if it can. */
  unfinished: string | undefined;
  judgements: Rejudgement[];
  /** Digests of the assertions and judges of the current task. */
  currentJudging: Judging;
}

/** Task runs with judge steps, by their index in `Recheck.taskRuns`. */
type RejudgedTaskRuns = ReadonlyMap<number, RejudgedTaskRun>;

/** The recorded answers of tasks that have judge steps now. */
interface RecordedAnswers {
  /** How many questions about them a judge can be asked. */
  count: number;
  /** Recorded names of the tasks. */
  tasks: ReadonlySet<string>;
}

export interface Rejudged {
  answers: RecordedAnswers;
  taskRuns: RejudgedTaskRuns;
}

/** Counts the answers that a judge would be asked about, and names their tasks. */
export async function countAnswers(
  recorded: AsyncIterable<RecordedTaskRun>,
  tasks: readonly JudgedTask[],
  context: Pick<RejudgeContext, 'evalFolder' | 'redact'>,
): Promise<RecordedAnswers> {
  let count = 0;
  const names = new Set<string>();
  for await (const { steps, recorded: taskRun } of readTaskRunsToJudge(recorded, tasks, context)) {
    names.add(taskRun.task);
    if (taskRun.unfinished === undefined) count += steps.length;
  }
  return { count, tasks: names };
}

/** Asks a judge about recorded answers, with the questions of the current tasks. */
export async function rejudge(
  recorded: AsyncIterable<RecordedTaskRun>,
  tasks: readonly JudgedTask[],
  context: RejudgeContext,
): Promise<RejudgedTaskRuns> {
  const rejudged = new Map<number, RejudgedTaskRun>();
  const queue = readTaskRunsToJudge(recorded, tasks, context);
  const judgeNext = async () => {
    for (;;) {
      const next = context.signal.aborted ? await queue.return(undefined) : await queue.next();
      if (next.done) return;
      const { index, recorded: taskRun, task } = next.value;
      const { unfinished } = taskRun;
      const judgements = unfinished !== undefined ? [] : await rejudgeTaskRun(next.value, context);
      rejudged.set(index, { unfinished, judgements, currentJudging: task.judging });
    }
  };
  await Promise.all(Array.from({ length: context.parallel }, judgeNext));
  return rejudged;
}

/** Adds new judgements to rechecked assertions. */
export function addJudgements(
  recheck: Recheck,
  { answers, taskRuns: rejudged }: Rejudged,
): Recheck {
  const taskRuns = recheck.taskRuns.map((taskRun, index) => {
    const found = rejudged.get(index);
    if (!found) return taskRun;
    const { judgements, unfinished, currentJudging } = found;
    const judging = mergeRejudgedJudging(taskRun.judging, currentJudging);
    return { ...taskRun, judging, judgements, ...(unfinished !== undefined && { unfinished }) };
  });
  const judged = taskRuns.reduce((sum, { judgements = [] }) => sum + judgements.length, 0);
  const nothingToCheck = recheck.nothingToCheck.filter((task) => !answers.tasks.has(task));
  return { ...recheck, taskRuns, nothingToCheck, notJudged: answers.count - judged };
}

/** A recorded task run whose task has judge steps now. */
interface TaskRunToJudge {
  index: number;
  recorded: RecordedTaskRun;
  task: JudgedTask;
  steps: JudgeStep[];
}

async function* readTaskRunsToJudge(
  recorded: AsyncIterable<RecordedTaskRun>,
  tasks: readonly JudgedTask[],
  { evalFolder, redact }: Pick<RejudgeContext, 'evalFolder' | 'redact'>,
): AsyncGenerator<TaskRunToJudge, undefined> {
  const known = new Map(
    tasks.map((task) => [
      redact(task.name),
      { task, steps: listJudgeSteps(task.definition, evalFolder) },
    ]),
  );
  let index = -1;
  for await (const taskRun of recorded) {
    const found = known.get(taskRun.task);
    if (!found) continue;
    index += 1;
    if (found.steps.length > 0) yield { index, recorded: taskRun, ...found };
  }
}

async function rejudgeTaskRun(
  { recorded, task, steps }: TaskRunToJudge,
  context: RejudgeContext,
): Promise<Rejudgement[]> {
  const recordedSteps = matchRecordedSteps(steps, recorded.steps);
  const judgements: Rejudgement[] = [];
  for (const [index, step] of steps.entries()) {
    if (context.signal.aborted) break;
    const before = recordedSteps[index];
    const prepared = prepareQuestion(recorded, task, step, before, context.environment);
    const judgement =
      'missing' in prepared
        ? buildMissingJudgement(step, prepared.missing)
        : await context.ask(prepared.question, step.timeoutMs);
    // The judge was stopped, so the missing verdict says nothing about the answer.
    if (context.signal.aborted && judgement.passed === null) break;
    context.onJudged();
    judgements.push({
      step: step.step,
      ...(step.id !== undefined && { id: step.id }),
      at: step.at,
      ...judgement,
      notes: 'missing' in prepared ? [] : prepared.notes,
      ...(before?.verdict && { before: before.verdict }),
    });
  }
  return judgements;
}

/** A question for a judge, or what is missing to ask it. */
type PreparedQuestion = { question: JudgeQuestion; notes: string[] } | { missing: string };

function prepareQuestion(
  recorded: RecordedTaskRun,
  { name, definition }: JudgedTask,
  { mode, reference, votes, step }: JudgeStep,
  recordedStep: RecordedStep | undefined,
  environment: NodeJS.ProcessEnv,
): PreparedQuestion {
  const { output: answer } = recorded;
  if (answer === undefined) return { missing: 'the record does not have the answer' };
  const resolve = makePlaceholderResolver(recorded, {
    taskName: name,
    step: recordedStep?.step ?? step,
    environment,
  });
  try {
    const prompt = recorded.prompt ?? resolve(definition.prompt?.text ?? '');
    const resolved = resolveReference(reference, resolve);
    const question = { mode, reference: resolved, prompt, answer, votes };
    return { question, notes: noteDeviations(recorded, question) };
  } catch (error) {
    if (error instanceof UnresolvedPlaceholderError) return { missing: error.message };
    throw error;
  }
}

/** Builds the judgement for a question that cannot be asked, which must not pass. */
function buildMissingJudgement({ mode, reference }: JudgeStep, reason: string): Judgement {
  return { mode, reference, passed: null, reason, failureCategory: 'n/a', votes: [] };
}

/** Matches the mark at the start or end of a text that was truncated for the record. */
const truncationMark = /^… | …$/;

/** Says how the text that is judged may differ from what the agent was asked and answered. */
function noteDeviations(recorded: RecordedTaskRun, { prompt, answer, reference }: JudgeQuestion) {
  const redacted = Object.entries({ prompt, answer, reference })
    .filter(([, text]) => holdsRedaction(text))
    .map(([name]) => name);
  return [
    ...(recorded.prompt === undefined
      ? ['the record does not have the prompt: the current prompt of the task was used']
      : []),
    ...(truncationMark.test(answer)
      ? ['the answer looks truncated: the record may have only a part']
      : []),
    ...redacted.map((name) => `a part of the ${name} is redacted, and judged as recorded`),
  ];
}

/** The judge step for which placeholders are resolved. */
interface StepToResolve {
  taskName: string;
  /** Place of the step in `verify`, from 1: only outputs of steps before it are known. */
  step: number;
  environment: NodeJS.ProcessEnv;
}

/** Makes a function that replaces placeholders by recorded values; it throws UnresolvedPlaceholderError. */
function makePlaceholderResolver(
  { random, steps, prompt, output }: RecordedTaskRun,
  { taskName, step, environment }: StepToResolve,
): (text: string) => string {
  const values = new PlaceholderValues({
    taskName,
    random: random ?? { id: '', port: 0 },
    environment,
  });
  for (const recorded of steps) {
    if (recorded.phase === 'verify' && recorded.step >= step) continue;
    values.stepEnded(recorded, recorded.outputs, recorded.truncated);
  }
  if (prompt !== undefined) values.agentPrompted(prompt);
  if (output !== undefined) values.agentAnswered(output);
  return (text) => {
    if (!random) refuseRandom(text);
    return values.resolve(text);
  };
}

/** Throws if a text has a placeholder of random values, which the record does not have. */
function refuseRandom(text: string): void {
  const found = findPlaceholders(text).find(({ family }) => family === 'random');
  if (!found) return;
  const written = text.slice(found.offset, found.offset + found.length);
  throw new UnresolvedPlaceholderError(written, 'results do not have it, but the journal may');
}
