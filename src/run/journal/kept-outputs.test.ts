import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it as base, expect } from 'vitest';
import { KeptOutputs } from './kept-outputs.js';

const it = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants to see that nothing is used.
  folder: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'kept-outputs-'));
    await use(folder);
    await rm(folder, { recursive: true });
  },
});

const name = { taskRun: 'create pod#1', phase: 'verify', step: 2 };

it('long outputs are kept beside the journal, without their secrets', async ({ folder }) => {
  const journal = path.join(folder, 'out.jsonl');
  const spilled = path.join(folder, 'spilled');
  await writeFile(spilled, 'the password is swordfish');
  const outputs = new KeptOutputs(journal, {
    text: (text) => text.replaceAll('swordfish', '[redacted]'),
    longest: 9,
  });
  const files = await outputs.keep(name, { stdout: spilled });
  expect(files).toEqual({ stdout: 'out.files/create-pod-1-verify-2-stdout-1.txt' });
  expect(await readFile(path.join(folder, files.stdout ?? ''), 'utf8')).toBe(
    'the password is [redacted]',
  );
});

it('kept outputs of before stay when a run goes on', async ({ folder }) => {
  const journal = path.join(folder, 'out.jsonl');
  const spilled = path.join(folder, 'spilled');
  const names = [];
  // Names in another script have the same slug.
  for (const taskRun of ['東京#1', '京都#1']) {
    await writeFile(spilled, taskRun);
    const outputs = new KeptOutputs(journal, { text: (text) => text, longest: 0 });
    names.push((await outputs.keep({ ...name, taskRun }, { stdout: spilled })).stdout ?? '');
  }
  const texts = names.map((each) => readFile(path.join(folder, each), 'utf8'));
  expect(await Promise.all(texts)).toEqual(['東京#1', '京都#1']);
});

it('an output that cannot be kept is left out, and no part of it stays', async ({ folder }) => {
  const outputs = new KeptOutputs(path.join(folder, 'out.jsonl'), {
    text: (text) => text,
    longest: 0,
  });
  expect(await outputs.keep(name, { stdout: path.join(folder, 'not there') })).toEqual({});
  expect(await readdir(path.join(folder, 'out.files'))).toEqual([]);
});

it('clearing removes the kept outputs of an earlier run, and nothing else', async ({ folder }) => {
  const journal = path.join(folder, 'out.jsonl');
  await KeptOutputs.clear(journal);
  await mkdir(path.join(folder, 'out.files'));
  await writeFile(path.join(folder, 'out.files', 'a-verify-1-stdout-1.txt'), '');
  await writeFile(path.join(folder, 'out.files', 'mine.md'), '');
  await KeptOutputs.clear(journal);
  expect(await readdir(path.join(folder, 'out.files'))).toEqual(['mine.md']);
  await rm(path.join(folder, 'out.files', 'mine.md'));
  await writeFile(path.join(folder, 'out.files', 'a-verify-1-stdout-1.txt'), '');
  await KeptOutputs.clear(journal);
  expect(await readdir(folder)).toEqual([]);
});
