import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

/** A home folder for every program that tests start, so that nothing of the user's is touched. */
export default async function setup({ provide }: TestProject) {
  const folder = await mkdtemp(path.join(tmpdir(), 'proctor-home-'));
  provide('homeFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}

declare module 'vitest' {
  interface ProvidedContext {
    homeFolder: string;
  }
}
