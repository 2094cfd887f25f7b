import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { stopLeftovers } from '../../processes/leftover-processes.js';
import { readLedger } from '../../processes/process-ledger.js';
import { folderPrefix, ledgerName } from '../workspace.js';
import type { PreviousRun } from './previous-run.js';

/** Stops what a killed run left running, and tells how many processes that were. */
export async function stopLeftoversOf({ evaluation, workspaces }: PreviousRun): Promise<number> {
  const ledger = workspaces.flatMap((workspace) => readLedger(join(workspace, ledgerName)));
  // Extensions of ours run already, and the run keeps its id.
  return stopLeftovers({ ledger, runId: evaluation.id, spareOwn: true });
}

/** Removes the folders of a killed run, but for working directories that were asked for. */
export async function removeFoldersOf({ workspaces, kept }: PreviousRun): Promise<void> {
  for (const workspace of workspaces.filter(isWorkspace)) {
    const entries = await readdir(workspace).catch(() => []);
    const isKept = (entry: string) => kept.some((path) => path.startsWith(join(workspace, entry)));
    const gone = entries.filter((entry) => !isKept(entry)).map((entry) => join(workspace, entry));
    if (gone.length === entries.length) gone.push(workspace);
    for (const path of gone) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** A journal is a file that anybody may have written: only what looks like ours is removed. */
function isWorkspace(path: string): boolean {
  return (
    resolve(path) === path &&
    dirname(path) === resolve(tmpdir()) &&
    basename(path).startsWith(folderPrefix)
  );
}
