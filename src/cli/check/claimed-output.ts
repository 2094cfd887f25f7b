import { realpath, rm } from 'node:fs/promises';
import { KeptOutputs } from '../../run/kept-outputs.js';
import { OutputInUse, OutputLock } from '../../run/output-lock.js';
import { explainWriteFailure } from '../../run/write-failure.js';
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
    await rm(await realpath(results).catch(() => results), { force: true });
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
