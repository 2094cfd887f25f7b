import { join } from 'node:path';
import { readLedger, stopLeftovers } from '../../base/processes/leftover-processes.js';
import { isWorkspace, ledgerName, removeWorkspace } from '../workspace.js';
import type { PreviousRun } from './previous-run.js';

/** Stops what a killed run left running, and tells how many processes that were. */
export async function stopLeftoversOf({ evaluation, workspaces }: PreviousRun): Promise<number> {
  const ledger = workspaces.flatMap((workspace) => readLedger(join(workspace, ledgerName)));
  // Extensions of ours run already, and the run keeps its id.
  return stopLeftovers({ ledger, runId: evaluation.id, spareOwn: true });
}

/** Removes the folders of a killed run, but for working directories that were asked for. */
export async function removeFoldersOf({ workspaces, kept }: PreviousRun): Promise<void> {
  for (const workspace of workspaces.filter(isWorkspace)) await removeWorkspace(workspace, kept);
}
