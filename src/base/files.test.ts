import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TextFile } from './files.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proctor-text-file-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const place = (name: string) => join(folder, name);

describe('TextFile', () => {
  it('is there when it is finished, and not before', async () => {
    await writeFile(place('a'), 'old');
    const file = await TextFile.create(place('a'));
    await file.write('x'.repeat(300_000));
    await file.write('end');
    expect(await readFile(place('a'), 'utf8')).toBe('old');
    await file.finish();
    expect(await readFile(place('a'), 'utf8')).toBe(`${'x'.repeat(300_000)}end`);
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('leaves nothing when it is discarded', async () => {
    const file = await TextFile.create(place('a'));
    await file.write('x'.repeat(300_000));
    await file.discard();
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps symbolic links', async () => {
    await symlink('target', place('link'));
    const file = await TextFile.create(place('link'));
    await file.write('text');
    await file.finish();
    expect(await readlink(place('link'))).toBe('target');
    expect(await readFile(place('target'), 'utf8')).toBe('text');
  });

  it('names the file that was wanted where there is no folder for it', async () => {
    const path = join(folder, 'none', 'a');
    const failure = await TextFile.create(path).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'ENOENT', path });
    expect(String(failure)).not.toContain('.tmp');
  });

  it('names the file that was wanted where it cannot take its place', async () => {
    const file = await TextFile.create(place('a'));
    await mkdir(place('a'));
    const failure = await file.finish().catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'EISDIR', path: place('a') });
    expect(String(failure)).not.toContain('.tmp');
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('writes to a device, and reports its error', async () => {
    const nowhere = await TextFile.create('/dev/null');
    await nowhere.write('text');
    await nowhere.finish();
    const full = await TextFile.create('/dev/full');
    await full.write('text');
    await expect(full.finish()).rejects.toThrow('ENOSPC');
  });
});
