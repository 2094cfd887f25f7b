import { existsSync } from 'node:fs';
import { realpath, rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import { KeptOutputs, nameKeptOutputsFolder } from '../journal/kept-outputs.js';
import type { OutputFiles } from './output-files.js';
import { nameLock } from './output-lock.js';

/** Removes a file of an earlier run, so that it is not taken for one of this run. A symbolic link stays. */
export async function removeEarlierFile(path: string): Promise<void> {
  try {
    await rm(await findTarget(path), { force: true });
  } catch (error) {
    throw new UsageError(`cannot write ${path}: ${explainWriteFailure(error).reason}`);
  }
}

/**
 * Removes results and journal of an earlier run. Of several evals, one may never start: its old journal must not be
 * resumed as if this check had begun it.
 */
export async function removeEarlierOutput({ results, journal }: OutputFiles): Promise<void> {
  await removeEarlierFile(results);
  await removeEarlierFile(journal);
  await KeptOutputs.clear(journal);
}

/**
 * Gives the results and the journal of an unfinished run names with a number, under which `--out` finds them
 * again, and returns these. Throws UsageError.
 */
export async function moveOutputAside(files: OutputFiles): Promise<OutputFiles> {
  const [results, journal] = await Promise.all([
    findTarget(files.results),
    findTarget(files.journal),
  ]);
  const moved = findUnusedNames({ results, journal });
  const steps: [from: string, to: string][] = [
    [results, moved.results],
    [nameKeptOutputsFolder(journal), nameKeptOutputsFolder(moved.journal)],
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

function findTarget(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}

function findUnusedNames(files: OutputFiles): OutputFiles {
  for (let number = 1; ; number += 1) {
    const results = addNumber(files.results, number);
    const journal = addNumber(files.journal, number);
    const paths = [results, journal, nameKeptOutputsFolder(journal), nameLock(journal)];
    if (!paths.some((path) => existsSync(path))) return { results, journal };
  }
}

function addNumber(path: string, number: number): string {
  const ending = extname(path);
  const stem = ending === '' ? path : path.slice(0, -ending.length);
  return `${stem}.${number}${ending}`;
}
