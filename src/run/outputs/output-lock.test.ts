import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getOwnIdentity } from '../../base/processes/process-identity.js';
import { lockOutputs, nameLock } from './output-lock.js';

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'output-lock-'));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const filesOf = (folder: string, name: string) => ({
  results: join(folder, `${name}.json`),
  journal: join(folder, `${name}.jsonl`),
});

describe('locks of output files', () => {
  it('are there until they are released', () =>
    withFolder(async (folder) => {
      const { release } = await lockOutputs([filesOf(folder, 'one'), filesOf(folder, 'two')]);
      expect((await readdir(folder)).sort()).toEqual(['one.jsonl.lock', 'two.jsonl.lock']);
      await release();
      expect(await readdir(folder)).toEqual([]);
    }));

  it('are all released if one of them is refused', () =>
    withFolder(async (folder) => {
      const [free, used] = [filesOf(folder, 'free'), filesOf(folder, 'used')];
      await writeFile(nameLock(used.journal), JSON.stringify(getOwnIdentity()));
      await expect(lockOutputs([free, used])).rejects.toThrow(`${used.results} is in use`);
      expect(await readdir(folder)).toEqual(['used.jsonl.lock']);
    }));

  it('count for nothing if their process is gone', () =>
    withFolder(async (folder) => {
      const files = filesOf(folder, 'left');
      const gone = { ...getOwnIdentity(), startTime: 'another process with this number' };
      await writeFile(nameLock(files.journal), JSON.stringify(gone));
      const { release } = await lockOutputs([files]);
      await release();
      expect(await readdir(folder)).toEqual([]);
    }));
});
