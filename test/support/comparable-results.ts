import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** What differs from one run to the next by itself: who, where, when, how long, at which place of a journal. */
const ofOneRunAlone = new Set([
  'id',
  'journal',
  'seq',
  'evidence',
  'startedAt',
  'durationMs',
  'waitedMs',
  'worker',
  'environment',
  // Of what was merged: which results it comes from.
  'from',
  'sources',
]);

interface Results {
  taskRuns: { task: string; variant: string | null; run: number; id?: string }[];
}

/** The results in a file as far as two runs of one suite agree, with the outputs kept beside them. */
export async function comparableResults(file: string): Promise<unknown> {
  const { taskRuns, ...rest } = JSON.parse(await readFile(file, 'utf8')) as Results;
  const keyOf = ({ task, variant, run }: Results['taskRuns'][number]) =>
    `${task} ${variant} ${String(run).padStart(4, '0')}`;
  const sorted = [...taskRuns].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  const told = sorted.map(({ id, ...taskRun }) => ({ ...taskRun, name: id }));
  return withoutAccidents({ ...rest, taskRuns: told }, path.dirname(file));
}

async function withoutAccidents(value: unknown, folder: string): Promise<unknown> {
  if (Array.isArray(value)) {
    return Promise.all(value.map((each) => withoutAccidents(each, folder)));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !ofOneRunAlone.has(key));
  const kept = entries.map(async ([key, each]) => [
    key,
    key === 'files' && isNames(each)
      ? await contents(each, folder)
      : await withoutAccidents(each, folder),
  ]);
  return Object.fromEntries(await Promise.all(kept));
}

function isNames(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((name) => typeof name === 'string' && name.endsWith('.txt'))
  );
}

async function contents(names: Record<string, string>, folder: string) {
  const texts = Object.entries(names).map(async ([output, name]) => [
    output,
    await readFile(path.join(folder, name), 'utf8'),
  ]);
  return Object.fromEntries(await Promise.all(texts));
}
