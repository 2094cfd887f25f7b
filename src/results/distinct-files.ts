import { access, realpath } from 'node:fs/promises';

/** However a file is named: it is one. */
export async function distinctFiles(paths: readonly string[]): Promise<string[]> {
  const byRealPath = new Map<string, string>();
  for (const path of paths) {
    const real = await realOf(path);
    if (!byRealPath.has(real)) byRealPath.set(real, path);
  }
  return [...byRealPath.values()];
}

/** A pipe, such as /dev/stdin, is there without being anywhere: whoever reads it says what it is. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
    throw error;
  }
}
