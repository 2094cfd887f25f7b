import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixtures } from '../support/cli.js';
import { journalOfRuns, times } from '../support/journal-of-runs.js';
import { ScratchSuite } from '../support/scratch-suite.js';

let suite: ScratchSuite;

beforeAll(async () => {
  suite = await ScratchSuite.create({ tasks: {} });
  await suite.write('in.jsonl', journalOfRuns('in', times(3, { outcome: 'passed' })));
});

afterAll(() => suite.remove());

const preload = pathToFileURL(path.join(fixtures, 'interrupted-when-writing.mjs')).href;

it.each([
  [['result', 'convert', 'csv', 'in.jsonl', '--output-file', 'out']],
  [['result', 'convert', 'junit', 'in.jsonl', '--output-file', 'out']],
  [['result', 'convert', 'markdown', 'in.jsonl', '--output-file', 'out']],
  [['result', 'convert', 'mcpchecker', 'in.jsonl', '--output-file', 'out']],
  [['result', 'merge', 'in.jsonl', '--out', 'out']],
  [['report', 'in.jsonl', '--out', 'out']],
])('%j that is stopped while it writes leaves nothing behind', async (args) => {
  const before = await readdir(suite.folder);
  const { exitCode, stdout, stderr } = await suite.proctor(args, {
    NODE_OPTIONS: `--import ${preload}`,
  });
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 130, stdout: '', stderr: '' });
  expect(await readdir(suite.folder)).toEqual(before);
});
