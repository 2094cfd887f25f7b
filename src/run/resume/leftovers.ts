import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLedger, stopLeftovers } from '../../base/processes/leftover-processes.js';
import type { ProcessIdentity } from '../../base/processes/process-identity.js';
import { isWorkspace, nameFolderPrefix, processLedgerName, removeWorkspace } from '../workspace.js';
import type { PreviousRun } from './previous-run.js';

/**
 * Cleans up after a Proctor process that was killed: stops what it started, and removes its folders in which no
 * task run has begun. The folders of task runs stay: their cleanup may need them.
 */
export async function cleanUpAfterProcess(dead: ProcessIdentity): Promise<void> {
  const prefix = nameFolderPrefix(dead);
  const names = await readdir(tmpdir()).catch(() => []);
  const folders = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(tmpdir(), name));
  const ledger = folders.flatMap((folder) => readLedger(join(folder, processLedgerName)));
  await stopLeftovers({ ledger, startedBy: dead });
  for (const folder of folders) {
    // A folder that is no workspace served the preflight alone.
    const isUnused = !isWorkspace(folder) || (await isBare(folder));
    if (isUnused) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Whether no task run has begun in a workspace. */
async function isBare(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []);
  return entries.every((entry) => entry === processLedgerName);
}

/** Stops what a killed run left running, and returns how many processes that were. */
export async function stopLeftoversOfRun({ record, workspaces }: PreviousRun): Promise<number> {
  const ledger = workspaces.flatMap((workspace) => readLedger(join(workspace, processLedgerName)));
  // Extensions of this process run already, and the run keeps its id.
  return stopLeftovers({ ledger, runId: record.id, spareOwn: true });
}

/** Removes the folders of a killed run, except working directories that `--keep-workdir` kept. */
export async function removeFoldersOfRun({ workspaces, kept }: PreviousRun): Promise<void> {
  for (const workspace of workspaces.filter(isWorkspace)) await removeWorkspace(workspace, kept);
}
