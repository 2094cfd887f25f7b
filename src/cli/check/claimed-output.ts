import { existsSync } from 'node:fs';
import { realpath, rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { explainWriteFailure } from '../../base/write-failure.js';
import { KeptOutputs, keptOutputsFolder } from '../../run/journal/kept-outputs.js';
import { lockOf, OutputInUse, OutputLock } from '../../run/outputs/output-lock.js';
import { UsageError } from '../exit-codes.js';
import type { OutputFiles } from './output-files.js';

/** Nobody else writes these files until they are released. Throws UsageError. */
export async function lockOutputs(
  all: readonly OutputFiles[],
): Promise<{ release(): Promise<void> }> {
  const locks: OutputLock[] = [];
  const release = async () => {
    for (const lock of locks) await lock.release();
  };
  try {
    for (const files of all) locks.push(await lockOutput(files));
  } catch (error) {
    await release();
    throw error;
  }
  return { release };
}

async function lockOutput({ results, journal }: OutputFiles): Promise<OutputLock> {
  try {
    return await OutputLock.take(results, journal);
  } catch (error) {
    if (error instanceof OutputInUse) {
      throw new UsageError(error.message, 'wait for it, or choose another file with --out');
    }
    throw new UsageError(`cannot write ${results}: ${explainWriteFailure(error).reason}`);
  }
}

/** Of an earlier run, so that they are not taken for those of this one. A symbolic link stays. */
export async function removeOldResults(results: string): Promise<void> {
  try {
    await rm(await targetOf(results), { force: true });
  } catch (error) {
    throw new UsageError(`cannot write ${results}: ${explainWriteFailure(error).reason}`);
  }
}

/**
 * Also the journal of an earlier run. For an eval that may not come to its turn: with what is left, --resume
 * would take that run for a part of this one.
 */
export async function removeOldOutput({ results, journal }: OutputFiles): Promise<void> {
  await removeOldResults(results);
  await removeOldResults(journal);
  await KeptOutputs.clear(journal);
}

/**
 * Gives the results and the journal of an unfinished run names with a number, under which `--out` finds them
 * again, and returns these. Throws UsageError.
 */
export async function moveOldOutputAside(files: OutputFiles): Promise<OutputFiles> {
  const [results, journal] = await Promise.all([targetOf(files.results), targetOf(files.journal)]);
  const moved = firstUnused({ results, journal });
  const steps: [from: string, to: string][] = [
    [results, moved.results],
    [keptOutputsFolder(journal), keptOutputsFolder(moved.journal)],
    // The last one: until it is gone, the next check tries again.
    [journal, moved.journal],
  ];
  for (const [from, to] of steps) {
    if (!existsSync(from)) continue;
    try {
      await rename(from, to);
    } catch (error) {
      throw new UsageError(`cannot move ${from} to ${to}: ${explainWriteFailure(error).reason}`);
    }
  }
  return moved;
}

function targetOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function firstUnused(files: OutputFiles): OutputFiles {
  for (let number = 1; ; number += 1) {
    const results = numbered(files.results, number);
    const journal = numbered(files.journal, number);
    const paths = [results, journal, keptOutputsFolder(journal), lockOf(journal)];
    if (!paths.some((path) => existsSync(path))) return { results, journal };
  }
}

function numbered(path: string, number: number): string {
  const ending = extname(path);
  const stem = ending === '' ? path : path.slice(0, -ending.length);
  return `${stem}.${number}${ending}`;
}
