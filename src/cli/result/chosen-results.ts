import type { Pattern } from '../../config/pattern.js';
import { chosenVariants, variantsIn } from '../../results/chosen-variants.js';
import { openPooled, type PooledResults, type PoolOptions } from '../../results/pooled-results.js';
import { openRecordings, type RecordingFile } from '../../results/recording-file.js';
import type { LeftOutOfFile } from '../../results/results-file.js';
import { explainUnreadableResults } from '../../run/outputs/unreadable-results.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { terminalLine } from '../terminal-text.js';
import { patternOf } from './task-pattern.js';

/** The pattern of `--variant`; undefined if there is none. */
export function variantPatternOf({ variant }: CommandRun['options']): Pattern | undefined {
  return patternOf('--variant', variant);
}

/**
 * Opens the files that a command was given as one sample, and says which of them are left out. Every
 * command that reads results does it here. Throws UsageError.
 */
export async function openSample(
  io: CommandIo,
  paths: readonly string[],
  options: Omit<PoolOptions, 'onControl'> = {},
): Promise<PooledResults> {
  try {
    return await openPooled(paths, { ...options, onControl: (path) => noteControl(io, path) });
  } catch (error) {
    const { path } = error as NodeJS.ErrnoException;
    throw explainUnreadableResults(path ?? paths.join(', '), error);
  }
}

/**
 * The files that a command was given, if they are recordings of `proctor proxy`; undefined if they are
 * results. Recordings have no verdicts: the options of the command that need some are refused. Throws
 * UsageError.
 */
export async function recordingsIn(
  { arguments: paths, options }: CommandRun,
  needVerdicts: readonly string[],
): Promise<RecordingFile[] | undefined> {
  const recordings = await openRecordings(paths).catch((error: unknown) => {
    throw explainUnreadableResults(paths.join(', '), error);
  });
  const refused = needVerdicts.find((key) => options[key] !== undefined && options[key] !== false);
  if (recordings && refused !== undefined) {
    const flag = refused.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new UsageError(`--${flag} is for results: a recording has no verdicts, variants or runs`);
  }
  return recordings;
}

/** What was left out of recordings, of each once. */
export function leftOutOfRecordings(recordings: readonly RecordingFile[]): LeftOutOfFile[] {
  return recordings
    .map(({ path, leftOut }) => ({ path, ...leftOut() }))
    .filter(({ count }) => count > 0);
}

/** Says that results of a control run are left out. */
export function noteControl({ stderr }: CommandIo, path: string): void {
  stderr.write(`note: left out ${terminalLine(path)}: it comes from check --control\n`);
}

/** Opens a sample, or the part of it that the variants did which are asked for. Throws UsageError. */
export async function openChosen(
  io: CommandIo,
  paths: readonly string[],
  { variants, ...options }: Parameters<typeof openSample>[2] & { variants: Pattern | undefined },
): Promise<PooledResults> {
  const pooled = await openSample(io, paths, options);
  if (!variants) return pooled;
  const chosen = await chosenVariants(pooled, (name) => name !== null && variants.test(name));
  if (chosen.files.length === 0) throw noSuchVariant(variants, variantsIn(pooled.files));
  return chosen;
}

/** Names of tasks or variants in a hint. */
export const mostNames = 20;

export function noSuchVariant(
  { source }: Pattern,
  variants: readonly (string | null)[],
): UsageError {
  const names = variants.filter((name) => name !== null);
  const message = `--variant: no variant matches ${JSON.stringify(source)}`;
  if (names.length === 0) {
    return new UsageError(message, 'the results are of no matrix: leave it out');
  }
  const shown = names.slice(0, mostNames).map((name) => name.slice(0, 100));
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return new UsageError(message, `variants are: ${shown.join(', ')}${more}`);
}

/** The part of a sample that is of some tasks. Throws UsageError if there are none. */
export async function chosenTasks(pooled: PooledResults, tasks: Pattern): Promise<PooledResults> {
  // How many of the planned task runs these are, nobody tells.
  const parts = new Map(
    pooled.files.map((file) => [file, { ...file, header: { ...file.header, planned: null } }]),
  );
  const others = new Set<string>();
  const chosen: PooledResults = {
    files: [...parts.values()],
    async *taskRuns({ of, ...options } = {}) {
      const [whole] = [...parts].find(([, part]) => part === of) ?? [];
      for await (const { file, taskRun } of pooled.taskRuns({
        ...options,
        ...(whole && { of: whole }),
      })) {
        const part = parts.get(file);
        if (part && tasks.test(taskRun.task)) yield { file: part, taskRun };
        else if (others.size < mostNames) others.add(taskRun.task);
      }
    },
  };
  for await (const _ of chosen.taskRuns({ withoutCallResults: true })) return chosen;
  throw noSuchTask(tasks, [...others]);
}

export function noSuchTask({ source }: Pattern, names: readonly string[]): UsageError {
  const message = `--task: no task matches ${JSON.stringify(source)}`;
  if (names.length === 0) return new UsageError(message, 'the results hold no task runs');
  return new UsageError(
    message,
    `tasks are: ${names.map((name) => name.slice(0, 100)).join(', ')}`,
  );
}
