import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { proctorProgram } from './proctor-process.js';

/** Makes a home folder for every program that tests start, so that nothing of the user's is touched. */
export default async function setup({ provide }: TestProject) {
  checkBuild();
  const folder = await mkdtemp(path.join(tmpdir(), 'proctor-home-'));
  provide('homeFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * Throws if there is no build, and warns if it is older than the source: end-to-end tests run what was built, and a
 * change would seem to make no difference.
 */
function checkBuild(): void {
  const built = statSync(proctorProgram, { throwIfNoEntry: false })?.mtimeMs;
  if (built === undefined) throw new Error('dist/ is missing: npm run build');
  const source = path.resolve(import.meta.dirname, '../../src');
  const changed = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .find((file) => statSync(file).mtimeMs > built);
  if (changed !== undefined) {
    const file = path.relative(process.cwd(), changed);
    console.warn(`dist/ is older than the source, such as ${file}: npm run build`);
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    homeFolder: string;
  }
}
