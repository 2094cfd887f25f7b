import { open } from 'node:fs/promises';
import { readTextAt } from '../../base/file-lines.js';
import { escapeTerminalCharacters, visitMembers } from '../../base/json-text.js';
import { dropVerdict, parseTaskRun } from '../read/task-run-parser.js';
import { ContradictingResultsError } from '../results-errors.js';
import type { ResultsSource } from '../schema/results-schema.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { stringifyFileValue } from '../write/json-output.js';
import type { MergeTaskRun } from './merge-input.js';
import { compareByTime, compareValues } from './source-merge.js';

/**
 * Keeps each task run once, with its latest attempt. Throws ContradictingResultsError if two records of it
 * differ.
 */
export async function mergeTaskRuns(
  taskRuns: Iterable<MergeTaskRun>,
): Promise<Iterable<MergeTaskRun>> {
  const byOrigin = new Map<string, MergeTaskRun>();
  for (const taskRun of taskRuns) {
    const { task, variant } = taskRun.summary;
    const key = JSON.stringify([taskRun.from.id, task, variant, taskRun.from.run]);
    const known = byOrigin.get(key);
    byOrigin.set(key, known ? await chooseAccount(known, taskRun) : taskRun);
  }
  return byOrigin.values();
}

async function chooseAccount(one: MergeTaskRun, other: MergeTaskRun): Promise<MergeTaskRun> {
  if (one.attempt !== other.attempt) return one.attempt > other.attempt ? one : other;
  const [left, right] = [await readTaskRunText(one), await readTaskRunText(other)];
  if (left.content !== right.content) {
    const { summary, from } = one;
    throw new ContradictingResultsError(
      { task: summary.task, run: from.run },
      pickOutcome(one),
      pickOutcome(other),
    );
  }
  // They differ in form only, such as spaces: the choice must not depend on the order of files.
  return left.body <= right.body ? one : other;
}

function pickOutcome({ file, summary }: MergeTaskRun) {
  return { path: file.path, outcome: summary.outcome };
}

export interface TaskRunText {
  /** The members as JSON, without those that merging sets. */
  body: string;
  /** The content in one form, to compare two records of a task run. */
  content: string;
}

/** Reads a task run again from its file. */
async function readTaskRunText(taskRun: MergeTaskRun): Promise<TaskRunText> {
  const text = await readJson(taskRun);
  // It was valid when it was first read.
  return { body: extractBody(text), content: summarizeContent(JSON.parse(text)) };
}

/** The task run as JSON, with its number among the runs of its task. */
export async function formatMergedTaskRun(
  taskRun: MergeTaskRun,
  { run, runs }: { run: number; runs: number },
): Promise<string> {
  const { id, run: originalRun, runs: originalRuns } = taskRun.from;
  const numbers = { run, runs, from: { id, run: originalRun, runs: originalRuns } };
  return `${JSON.stringify(numbers).slice(0, -1)},${extractBody(await readJson(taskRun))}}`;
}

async function readJson(taskRun: MergeTaskRun): Promise<string> {
  const { file, place, isMended } = taskRun;
  const handle = await open(file.document, 'r');
  try {
    const text = await readTextAt(handle, place);
    if (Buffer.byteLength(text) < place.length) {
      throw new Error(`${file.path} was changed while it was read`);
    }
    return isMended ? formatMended(taskRun, text) : text;
  } finally {
    await handle.close();
  }
}

/** Parses a malformed task run again; the first reading reported what is left out. */
function formatMended({ file, isDisputed }: MergeTaskRun, text: string): string {
  const record = parseTaskRun(JSON.parse(text), '', () => {});
  return stringifyFileValue(file.path, record && isDisputed ? dropVerdict(record) : record);
}

const renumberedMembers = new Set(['run', 'runs', 'from']);

/** The members as they are in the file: parsing and writing them again could change them. */
function extractBody(text: string): string {
  const members: string[] = [];
  visitMembers(text, (key, start, end) => {
    if (!renumberedMembers.has(key))
      members.push(`${JSON.stringify(key)}:${text.slice(start, end)}`);
  });
  return escapeTerminalCharacters(members.join(','));
}

function summarizeContent(record: TaskRunRecord): string {
  const { outcome, failure, verified, assertionsHeld, prompt, output } = record;
  const { startedAt, durationMs, callCounts, usage, cost, assertions } = record;
  return JSON.stringify([
    ...[outcome, failure?.category, failure?.message, verified, assertionsHeld, prompt, output],
    ...[startedAt, durationMs, usage?.inputTokens, usage?.outputTokens, cost, callCounts.tokens],
    assertions.map(({ name, passed, reason }) => [name, passed, reason]),
    record.calls.map(({ server, name, isError, durationMs }) => [
      server,
      name,
      isError,
      durationMs,
    ]),
  ]);
}

/** A task run with its number among all runs of its task. */
interface NumberedTaskRun {
  taskRun: MergeTaskRun;
  run: number;
  runs: number;
}

/**
 * Numbers task runs, sorted by task and run. The runs of shards keep their numbers; if several runs did the same
 * run of a task, all runs of the task are numbered anew. Only the original numbers decide, so that the result
 * does not depend on earlier merges.
 */
export function numberTaskRuns(
  taskRuns: Iterable<MergeTaskRun>,
  sources: readonly ResultsSource[],
): NumberedTaskRun[] {
  const sourceById = new Map(sources.map((source) => [source.id, source]));
  const byTask = new Map<string, MergeTaskRun[]>();
  for (const taskRun of taskRuns) {
    const { task, variant } = taskRun.summary;
    const key = JSON.stringify([task, variant]);
    const taskRunsOfTask = byTask.get(key) ?? [];
    byTask.set(key, taskRunsOfTask);
    taskRunsOfTask.push(taskRun);
  }
  const getStart = ({ from: { id } }: MergeTaskRun) => ({
    id,
    startedAt: sourceById.get(id)?.startedAt ?? null,
  });
  return [...byTask]
    .sort(([one], [other]) => compareValues(one, other))
    .flatMap(([, taskRunsOfTask]) =>
      numberRunsOfTask(
        taskRunsOfTask.sort(
          (one, other) =>
            compareByTime(getStart(one), getStart(other)) ||
            compareValues(one.from.run, other.from.run),
        ),
      ),
    );
}

function numberRunsOfTask(taskRunsOfTask: readonly MergeTaskRun[]): NumberedTaskRun[] {
  const originalRuns = new Set(taskRunsOfTask.map(({ from }) => from.run));
  if (originalRuns.size < taskRunsOfTask.length) {
    return taskRunsOfTask.map((taskRun, index) => ({
      taskRun,
      run: index + 1,
      runs: taskRunsOfTask.length,
    }));
  }
  const runs = taskRunsOfTask.reduce((most, { from }) => Math.max(most, from.run, from.runs), 1);
  return taskRunsOfTask
    .map((taskRun) => ({ taskRun, run: taskRun.from.run, runs }))
    .sort((one, other) => compareValues(one.run, other.run));
}
