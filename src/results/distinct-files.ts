import { realpath } from 'node:fs/promises';

/** However a file is named: it is one. */
export async function distinctFiles(paths: readonly string[]): Promise<string[]> {
  const byRealPath = new Map<string, string>();
  for (const path of paths) {
    const real = await realpath(path);
    if (!byRealPath.has(real)) byRealPath.set(real, path);
  }
  return [...byRealPath.values()];
}
