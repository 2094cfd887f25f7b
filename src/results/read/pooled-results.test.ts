import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ended, JournalBuilder, started } from '../../../testing/journals.js';
import type { Outcome } from '../../journal/task-run-events.js';
import { mergeResults } from '../merge/merge-results.js';
import { writeResults } from '../write/write-results.js';
import { openPooled } from './pooled-results.js';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pooled-'));
});

afterEach(() => rm(folder, { recursive: true }));

interface Run {
  task: string;
  attempt?: number;
  outcome?: Outcome;
}

/** Writes a journal and its results. */
async function evaluation(name: string, id: string, runs: Run[]) {
  const builder = new JournalBuilder({ id, taskRuns: runs.length });
  for (const { task, attempt = 1, outcome = 'passed' } of runs) {
    builder.add(started({ taskRun: `${task}-1`, task, attempt }));
    builder.add(ended({ taskRun: `${task}-1`, task, outcome }));
  }
  const journal = join(folder, `${name}.jsonl`);
  const results = join(folder, `${name}.json`);
  await writeFile(journal, builder.text);
  await writeResults(journal, results);
  return { journal, results };
}

async function pooled(...paths: string[]) {
  const { taskRuns } = await openPooled(paths);
  const found: [string, string, Outcome][] = [];
  for await (const { file, taskRun } of taskRuns()) {
    found.push([file.path, taskRun.task, taskRun.outcome]);
  }
  return found;
}

describe('openPooled', () => {
  it('can be stopped between any two task runs', async () => {
    const { journal, results } = await evaluation('one', 'e1', [{ task: 'a' }, { task: 'b' }]);
    // Two files, four task runs to see which file has which, and four to read.
    for (let times = 1; times <= 11; times++) {
      let asked = 0;
      const throwIfAborted = () => {
        asked += 1;
        if (asked === times) throw new Error('stopped');
      };
      const read = async () => {
        const found: string[] = [];
        const { taskRuns } = await openPooled([results, journal], { stop: { throwIfAborted } });
        for await (const { taskRun } of taskRuns()) found.push(taskRun.task);
        return found;
      };
      if (times <= 10) await expect(read()).rejects.toThrow('stopped');
      else expect(await read()).toEqual(['a', 'b']);
    }
  });

  it('takes the results and the journal of one evaluation for one', async () => {
    const { journal, results } = await evaluation('one', 'e1', [{ task: 'a' }, { task: 'b' }]);
    expect(await pooled(results, journal)).toEqual([
      [results, 'a', 'passed'],
      [results, 'b', 'passed'],
    ]);
  });

  it('takes each evaluation for itself', async () => {
    const one = await evaluation('one', 'e1', [{ task: 'a' }]);
    const other = await evaluation('other', 'e2', [{ task: 'a', outcome: 'failed' }]);
    expect(await pooled(one.results, other.results)).toEqual([
      [one.results, 'a', 'passed'],
      [other.results, 'a', 'failed'],
    ]);
  });

  it('takes the latest attempt, whichever file has it', async () => {
    const early = await evaluation('early', 'e1', [{ task: 'a', outcome: 'error' }, { task: 'b' }]);
    const late = await evaluation('late', 'e1', [{ task: 'a', attempt: 2 }, { task: 'b' }]);
    expect(await pooled(early.results, late.results)).toEqual([
      [early.results, 'b', 'passed'],
      [late.results, 'a', 'passed'],
    ]);
  });

  it('refuses a task run that two files record differently', async () => {
    const one = await evaluation('one', 'e1', [{ task: 'a' }]);
    const other = await evaluation('other', 'e1', [{ task: 'a', outcome: 'failed' }]);
    await expect(openPooled([one.results, other.results])).rejects.toMatchObject({
      code: 'contradicting-results',
      message: `run 1 of a is recorded in two ways: passed in ${one.results}, failed in ${other.results}; both belong to the same check, so leave one out`,
    });
  });

  it('counts a file once, by whatever name, also without an id', async () => {
    const path = join(folder, 'mcpchecker.json');
    const link = join(folder, 'link.json');
    await writeFile(
      path,
      JSON.stringify([{ taskName: 'a', taskPassed: true, allAssertionsPassed: true }]),
    );
    await symlink(path, link);
    expect(await pooled(path, link, path)).toEqual([[path, 'a', 'passed']]);
  });

  it('takes a copy of results without an id for one, and what they were merged into', async () => {
    const at = (name: string) => join(folder, `${name}.json`);
    const [one, copy, all] = [at('one'), at('copy'), at('all')];
    const text = JSON.stringify([
      { taskName: 'a', taskPassed: true, allAssertionsPassed: true },
      { taskName: 'b', taskPassed: false },
    ]);
    for (const path of [one, copy]) await writeFile(path, text);
    await mergeResults([one], all, { force: false });
    const once = [
      [one, 'a', 'passed'],
      [one, 'b', 'failed'],
    ];
    expect(await pooled(one, copy)).toEqual(once);
    expect(await pooled(one, all)).toEqual(once);
  });
});
