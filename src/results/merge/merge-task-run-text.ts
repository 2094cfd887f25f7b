import { open } from 'node:fs/promises';
import { escapeTerminalCharacters, visitMembers } from '../../base/json-text.js';
import { readOwnTaskRun, withoutVerdict } from '../own-task-run.js';
import type { TaskRunRecord } from '../task-run-record.js';
import { jsonOf } from './json-of.js';
import type { MergeTaskRun } from './merge-input.js';

export interface TaskRunText {
  /** Its members as JSON, but for those that merging gives it. */
  body: string;
  /** What it says, however it is written: as much as tells two accounts apart. */
  content: string;
}

/** Reads a task run again. */
export async function readTaskRun(taskRun: MergeTaskRun): Promise<TaskRunText> {
  const text = await textOf(taskRun);
  // It was valid when it was first read.
  return { body: bodyOf(text), content: contentOf(JSON.parse(text)) };
}

/** The task run as JSON, in its place among the runs of its task. */
export async function mergedText(
  taskRun: MergeTaskRun,
  { run, runs }: { run: number; runs: number },
): Promise<string> {
  const { id, run: ownRun, runs: ownRuns } = taskRun.from;
  const numbers = { run, runs, from: { id, run: ownRun, runs: ownRuns } };
  return `${JSON.stringify(numbers).slice(0, -1)},${bodyOf(await textOf(taskRun))}}`;
}

async function textOf(taskRun: MergeTaskRun): Promise<string> {
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
    return isMended ? mendedText(taskRun, text) : text;
  } finally {
    await handle.close();
  }
}

/** As it was read the first time, which named what is left out. */
function mendedText({ file, isDisputed }: MergeTaskRun, text: string): string {
  const record = readOwnTaskRun(JSON.parse(text), '', () => {});
  return jsonOf(file.path, record && isDisputed ? withoutVerdict(record) : record);
}

const given = new Set(['run', 'runs', 'from']);

/** As it stands there: parsed and written again it could change. */
function bodyOf(text: string): string {
  const members: string[] = [];
  visitMembers(text, (key, start, end) => {
    if (!given.has(key)) members.push(`${JSON.stringify(key)}:${text.slice(start, end)}`);
  });
  return escapeTerminalCharacters(members.join(','));
}

function contentOf(record: TaskRunRecord): string {
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
