import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLedger, stopLeftovers } from '../../base/processes/leftover-processes.js';
import type { ProcessIdentity } from '../../base/processes/process-identity.js';
import { isWorkspace, nameFolderPrefix, processLedgerName, removeWorkspace } from '../workspace.js';
import type { PreviousRun } from './previous-run.js';

/**
 * Cleans up after a Proctor process that was killed: stops what it started, and removes folders that no
 * journal mentions. Those of its task runs stay: their cleanup may need them.
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
    // What is no workspace was there for the preflight alone.
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
export async function stopLeftoversOfRun({ evaluation, workspaces }: PreviousRun): Promise<number> {
  const ledger = workspaces.flatMap((workspace) => readLedger(join(workspace, processLedgerName)));
  // Extensions of this process run already, and the run keeps its id.
  return stopLeftovers({ ledger, runId: evaluation.id, spareOwn: true });
}

/** Removes the folders of a killed run, but for working directories that were asked for. */
export async function removeFoldersOfRun({ workspaces, kept }: PreviousRun): Promise<void> {
  for (const workspace of workspaces.filter(isWorkspace)) await removeWorkspace(workspace, kept);
}
