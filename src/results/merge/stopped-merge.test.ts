import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ended, JournalBuilder, started } from '../../testing/journals.js';
import { writeResults } from '../write-results.js';
import { mergeResults } from './merge-results.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stopped-merge-'));
});

afterEach(() => rm(folder, { recursive: true }));

class Stopped extends Error {}

function stopAt(times: number) {
  let asked = 0;
  return {
    throwIfAborted() {
      asked += 1;
      if (asked === times) throw new Stopped();
    },
  };
}

it('leaves nothing behind, wherever it is stopped', async () => {
  const builder = new JournalBuilder({ taskRuns: 1 });
  builder.add(started());
  builder.add(ended());
  builder.add({ type: 'run-ended', durationMs: 1, calls: 0 });
  const paths = ['a.jsonl', 'b.json', 'c.json'].map((name) => join(folder, name));
  const [journal = '', results = '', theirs = ''] = paths;
  await writeFile(journal, builder.text);
  await writeResults(journal, results);
  await writeFile(
    theirs,
    JSON.stringify([{ taskName: 'x', taskPassed: true, allAssertionsPassed: true }]),
  );
  const before = await readdir(folder);
  const out = join(folder, 'out.json');

  // Two drafts, three files that are read, two task runs that are written.
  for (let times = 1; times <= 7; times++) {
    const merging = mergeResults(paths, out, { force: true, stop: stopAt(times) });
    await expect(merging).rejects.toThrow(Stopped);
    expect(await readdir(folder)).toEqual(before);
  }
  await mergeResults(paths, out, { force: true, stop: stopAt(8) });
  expect(await readdir(folder)).toEqual([...before, 'out.json']);
});
