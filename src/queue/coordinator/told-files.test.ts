import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ToldFiles } from './told-files.js';

let folder: string;
let files: ToldFiles;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proctor-told-files-'));
  files = new ToldFiles(join(folder, 'out.jsonl'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const content = (name: string) => readFile(join(folder, 'out.files', name), 'utf8');

test('a file is put together from its parts, also from one that comes twice', async () => {
  await files.write('a.txt', 0, 'one 🦊 ');
  await files.write('a.txt', 0, 'one 🦊 ');
  await files.write('a.txt', Buffer.byteLength('one 🦊 '), 'two');

  expect(await content('a.txt')).toBe('one 🦊 two');
});

test('one that is begun anew keeps nothing of what was there', async () => {
  await files.write('a.txt', 0, 'a long output of an attempt that was lost');
  await files.write('a.txt', 0, 'short');

  expect(await content('a.txt')).toBe('short');
});

test.each(['../a.txt', '/tmp/a.txt', '.a.txt', 'a.sh', 'sub/a.txt', ''])(
  'nothing is written to %j',
  async (name) => {
    await files.write(name, 0, 'hostile');

    expect(await readdir(folder)).toEqual([]);
  },
);
