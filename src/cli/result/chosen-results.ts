import { summarize } from '../../analysis/summary/summarize.js';
import type { Summary } from '../../analysis/summary/summary.js';
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/text.js';
import { compilePattern, type Pattern } from '../../config/patterns/pattern.js';
import { formatLeftOut } from '../../journal/left-out.js';
import { openRecordings, type RecordingFile } from '../../results/journal/recording-file.js';
import {
  mostNames,
  refuseUnknownTask,
  selectNamedVariants,
} from '../../results/read/name-selection.js';
import {
  openPooled,
  type PooledResults,
  type PoolOptions,
} from '../../results/read/pooled-results.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import type { LeftOutOfFile } from '../../results/results-file.js';
import { withTokenCounter } from '../../tokens/token-counter.js';
import type { CommandRun } from '../command.js';
import { type CommandIo, styleFor } from '../terminal/output.js';
import { terminalLine } from '../terminal/text.js';

/** The pattern of `--variant`; undefined if there is none. */
export function parseVariantPattern({ variant }: CommandRun['options']): Pattern | undefined {
  return parsePattern('--variant', variant);
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
    throw explainUnreadableResults(paths.join(', '), error);
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

/** What was left out of recordings, each kind once. */
export function listLeftOutOfRecordings(recordings: readonly RecordingFile[]): LeftOutOfFile[] {
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
  return variants ? selectNamedVariants(pooled, variants) : pooled;
}

interface Wanted {
  tasks?: Pattern | undefined;
  variants?: Pattern | undefined;
  schemaTokens?: boolean;
}

/** Reads files as one sample and sums them up. Throws UsageError. */
export async function summarizeFiles(
  io: CommandIo,
  paths: readonly string[],
  { tasks, variants, schemaTokens = false }: Wanted = {},
): Promise<Summary> {
  // What is left out is only named, and only if nothing else is there.
  const others = new Set<string>();
  try {
    const sample = await openChosen(io, paths, { variants });
    const isWanted = (task: string) => {
      if (!tasks || tasks.test(task)) return true;
      if (others.size < mostNames) others.add(task);
      return false;
    };
    const summary = await withTokenCounter((countTokens) =>
      summarize(sample, { isWanted, ...(schemaTokens && { countTokens }) }),
    );
    if (tasks && summary.tasks.length === 0) throw refuseUnknownTask(tasks, [...others]);
    return summary;
  } catch (error) {
    throw explainUnreadableResults(paths.join(', '), error);
  }
}

const mostShown = 5;

/** Says on stderr what was left out of files that were read: how much, and what stands where. */
export function showLeftOut(leftOut: readonly LeftOutOfFile[], io: CommandIo): void {
  const style = styleFor(io.stderr, io.environment);
  for (const { path, count, parts } of leftOut) {
    const shown = parts.slice(0, mostShown);
    const more = count - shown.length;
    const lines = [
      `${style('yellow', 'warning')} ${terminalLine(path)}: ${plural(count, 'part')} left out`,
      ...shown.map((part) => `  ${terminalLine(formatLeftOut(part))}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
    io.stderr.write(`${lines.join('\n')}\n`);
  }
}

/** The pattern of `--task`; undefined if there is none. */
export function parseTaskPattern({ task }: CommandRun['options']): Pattern | undefined {
  return parsePattern('--task', task);
}

/** The pattern that an option gives. Throws UsageError. */
function parsePattern(option: string, source: CommandRun['options'][string]): Pattern | undefined {
  if (typeof source !== 'string') return undefined;
  const result = compilePattern(source);
  if (result.ok) return result.pattern;
  const marker = `${source}\n  ${' '.repeat(result.offset)}^`;
  throw new UsageError(`${option}: invalid pattern: ${result.reason}`, marker);
}
