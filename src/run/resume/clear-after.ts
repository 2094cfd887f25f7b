import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readLedger, stopLeftovers } from '../../base/processes/leftover-processes.js';
import type { ProcessIdentity } from '../../base/processes/process-identity.js';
import { folderPrefixOf, isWorkspace, ledgerName } from '../workspace.js';

/**
 * Clears up after a Proctor that was killed: stops what it started, and removes folders that no
 * journal tells of. Those of its task runs stay: their cleanup may need them.
 */
export async function clearAfter(dead: ProcessIdentity): Promise<void> {
  const prefix = folderPrefixOf(dead);
  const names = await readdir(tmpdir()).catch(() => []);
  const folders = names
    .filter((name) => name.startsWith(prefix))
    .map((name) => join(tmpdir(), name));
  const ledger = folders.flatMap((folder) => readLedger(join(folder, ledgerName)));
  await stopLeftovers({ ledger, startedBy: dead });
  for (const folder of folders) {
    // What is no workspace was there for the preflight alone.
    const isUnused = !isWorkspace(folder) || (await isBare(folder));
    if (isUnused) await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** No task run has begun in it. */
async function isBare(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []);
  return entries.every((entry) => entry === ledgerName);
}
