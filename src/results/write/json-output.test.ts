import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, mkdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeJsonFile } from './json-output.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'whole-file-'));
});

afterEach(() => rm(folder, { recursive: true }));

it('writes to a pipe or a device, and does not take its place', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const read = once(reader.stdout, 'data');
    await writeJsonFile(pipe, (output) => output.add('{}'));
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(String((await read)[0])).toBe('{}');
  } finally {
    reader.kill();
  }
});

it('says what the device says', async () => {
  const writing = writeJsonFile('/dev/full', (output) => output.add('{}'));
  await expect(writing).rejects.toMatchObject({ code: 'ENOSPC' });
});

it('leaves what was there, and nothing else, if it cannot be made', async () => {
  const path = join(folder, 'out.json');
  await writeFile(path, 'before');
  const writing = writeJsonFile(path, async (output) => {
    await output.add('x'.repeat(1_000_000));
    throw new Error('no more');
  });
  await expect(writing).rejects.toThrow('no more');
  expect(await readdir(folder)).toEqual(['out.json']);
  expect(await readFile(path, 'utf8')).toBe('before');
});

it('leaves a folder alone, and names it', async () => {
  const path = join(folder, 'folder');
  mkdirSync(path);
  const writing = writeJsonFile(path, (output) => output.add('{}'));
  await expect(writing).rejects.toMatchObject({ code: 'EISDIR', path });
  expect(await readdir(folder)).toEqual(['folder']);
});
