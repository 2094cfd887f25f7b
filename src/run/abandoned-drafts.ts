import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { getStartTime } from '../base/processes/process-identity.js';

/** A file to be put in the place of another one; whose it is can be told from its name. */
export function draftOf(path: string): string {
  return `${path}.${process.pid}.${randomUUID()}`;
}

/** Removes what killed processes did not come to put into place. Whoever calls this has the lock. */
export async function removeAbandonedDrafts(output: string): Promise<void> {
  const folder = dirname(output);
  const name = basename(output);
  for (const entry of await readdir(folder).catch(() => [])) {
    if (!entry.startsWith(`${name}.`) || !isAbandoned(entry.slice(name.length + 1))) continue;
    await rm(join(folder, entry), { force: true }).catch(() => {});
  }
}

/** Results are written by whoever has the lock, and that is nobody else. */
function isAbandoned(ending: string): boolean {
  if (/^[0-9a-f-]{36}\.tmp$/.test(ending)) return true;
  const [, pid] = /^lock\.(\d+)\.[0-9a-f-]{36}$/.exec(ending) ?? [];
  return pid !== undefined && getStartTime(Number(pid)) === undefined;
}
