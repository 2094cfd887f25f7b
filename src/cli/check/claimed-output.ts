import { realpath, rm } from 'node:fs/promises';
import { OutputInUse, OutputLock } from '../../run/output-lock.js';
import { explainWriteFailure } from '../../run/write-failure.js';
import { UsageError } from '../exit-codes.js';
import type { OutputFiles } from './output-files.js';

/** Nobody else writes these files as long as it is held. Throws UsageError. */
export async function lockOutput({ results, journal }: OutputFiles): Promise<OutputLock> {
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
