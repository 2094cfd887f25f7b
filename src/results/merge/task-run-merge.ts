import { open } from 'node:fs/promises';
import { visitMembers } from '../../events/json-members.js';
import { printableJson } from '../../events/printable-json.js';
import { dropVerdict, parseTaskRun } from '../read/task-run-parser.js';
import { ContradictingResultsError } from '../results-errors.js';
import type { ResultsSource } from '../schema/results-schema.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { stringifyFileValue } from '../write/json-output.js';
import type { MergeTaskRun } from './merge-input.js';
import { compareByTime, compareValues } from './source-merge.js';

/**
 * Each run of each evaluation once: in its latest attempt. Throws ContradictingResults where it is
 * told in two ways.
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
  // They say the same in other words, such as other spaces: which it is must not be for the order.
  return left.body <= right.body ? one : other;
}

function pickOutcome({ file, summary }: MergeTaskRun) {
  return { path: file.path, outcome: summary.outcome };
}

export interface TaskRunText {
  /** Its members as JSON, but for those that merging gives it. */
  body: string;
  /** What it says, however it is written: as much as tells two accounts apart. */
  content: string;
}

/** Reads a task run again. */
async function readTaskRunText(taskRun: MergeTaskRun): Promise<TaskRunText> {
  const text = await readJson(taskRun);
  // It was valid when it was first read.
  return { body: extractBody(text), content: summarizeContent(JSON.parse(text)) };
}

/** The task run as JSON, in its place among the runs of its task. */
export async function formatMergedTaskRun(
  taskRun: MergeTaskRun,
  { run, runs }: { run: number; runs: number },
): Promise<string> {
  const { id, run: ownRun, runs: ownRuns } = taskRun.from;
  const numbers = { run, runs, from: { id, run: ownRun, runs: ownRuns } };
  return `${JSON.stringify(numbers).slice(0, -1)},${extractBody(await readJson(taskRun))}}`;
}

async function readJson(taskRun: MergeTaskRun): Promise<string> {
  const { file, isMended } = taskRun;
  const { start, length } = taskRun.place;
  const handle = await open(file.document, 'r');
  try {
    const bytes = Buffer.allocUnsafe(length);
    let done = 0;
    while (done < length) {
      const { bytesRead } = await handle.read(bytes, done, length - done, start + done);
      if (bytesRead === 0) throw new Error(`${file.path} was changed while it was read`);
      done += bytesRead;
    }
    const text = bytes.toString('utf8');
    return isMended ? formatMended(taskRun, text) : text;
  } finally {
    await handle.close();
  }
}

/** As it was read the first time, which named what is left out. */
function formatMended({ file, isDisputed }: MergeTaskRun, text: string): string {
  const record = parseTaskRun(JSON.parse(text), '', () => {});
  return stringifyFileValue(file.path, record && isDisputed ? dropVerdict(record) : record);
}

const renumberedMembers = new Set(['run', 'runs', 'from']);

/** As it stands there: parsed and written again it could change. */
function extractBody(text: string): string {
  const members: string[] = [];
  visitMembers(text, (key, start, end) => {
    if (!renumberedMembers.has(key))
      members.push(`${JSON.stringify(key)}:${text.slice(start, end)}`);
  });
  return printableJson(members.join(','));
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

/** A task run in its place among all of its task. */
interface NumberedTaskRun {
  taskRun: MergeTaskRun;
  run: number;
  runs: number;
}

/**
 * By task and run. The runs of shards keep their numbers; where evaluations did the same run of a
 * task, all of its runs are counted anew. Only what the evaluations first said decides, so that it
 * does not matter what was merged before.
 */
export function numberTaskRuns(
  taskRuns: Iterable<MergeTaskRun>,
  sources: readonly ResultsSource[],
): NumberedTaskRun[] {
  const sourceOf = new Map(sources.map((source) => [source.id, source]));
  const byTask = new Map<string, MergeTaskRun[]>();
  for (const taskRun of taskRuns) {
    const { task, variant } = taskRun.summary;
    const key = JSON.stringify([task, variant]);
    const ofTask = byTask.get(key) ?? [];
    byTask.set(key, ofTask);
    ofTask.push(taskRun);
  }
  const startOf = ({ from: { id } }: MergeTaskRun) => ({
    id,
    startedAt: sourceOf.get(id)?.startedAt ?? null,
  });
  return [...byTask]
    .sort(([one], [other]) => compareValues(one, other))
    .flatMap(([, ofTask]) =>
      numberRunsOfTask(
        ofTask.sort(
          (one, other) =>
            compareByTime(startOf(one), startOf(other)) ||
            compareValues(one.from.run, other.from.run),
        ),
      ),
    );
}

function numberRunsOfTask(ofTask: readonly MergeTaskRun[]): NumberedTaskRun[] {
  const ownRuns = new Set(ofTask.map(({ from }) => from.run));
  if (ownRuns.size < ofTask.length) {
    return ofTask.map((taskRun, index) => ({ taskRun, run: index + 1, runs: ofTask.length }));
  }
  const runs = ofTask.reduce((most, { from }) => Math.max(most, from.run, from.runs), 1);
  return ofTask
    .map((taskRun) => ({ taskRun, run: taskRun.from.run, runs }))
    .sort((one, other) => compareValues(one.run, other.run));
}
