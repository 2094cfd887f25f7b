import { readdirSync, readlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { untilChanged } from '../support/appearance.js';
import { readResults } from '../support/check-results.js';
import { suiteOf } from '../support/check-suites.js';
import { expectNothingLeft } from '../support/left-behind.js';

const tasks = Array.from({ length: 20 }, (_, n) => `t${String(n + 1).padStart(2, '0')}`);
const runs = 15;

test('300 task runs, 16 at once, leave nothing behind and hold on to nothing', async () => {
  const suite = await suiteOf({ tasks, runs, parallel: true, agent: 'scripted' });
  /** When everything that goes on waits in the same place: 15 runs of a task, and one of the next. */
  const allWaitIn = async (task: string, next: string) => {
    const isThere = () =>
      suite.traces('setup', task).length === runs && suite.traces('setup', next).length === 1;
    await untilChanged(suite.folder, isThere);
  };
  const gated = ['t04', 't05', 't17', 't18'];
  for (const task of gated) suite.close('setup', task);

  const check = suite.start(['-p', '16']);
  await allWaitIn('t04', 't05');
  const early = openFiles(check.pid);
  for (const task of ['t04', 't05']) suite.release('setup', task);
  await allWaitIn('t17', 't18');
  const late = openFiles(check.pid);
  for (const task of ['t17', 't18']) suite.release('setup', task);
  const { exitCode, stderr } = await check.ended;

  expect(exitCode, stderr).toBe(0);
  expect(readResults(suite.results).taskRuns).toHaveLength(300);
  // Connections of the task runs just before may be about to close.
  expect(late.length, describe(late)).toBeLessThan(early.length + 16);
  expect(suite.traces('cleanup')).toHaveLength(300);
  expectNothingLeft(suite);
});

/** What a process has open: files, sockets, pipes. */
function openFiles(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // Closed in the meantime.
      return [];
    }
  });
}

function describe(files: readonly string[]): string {
  const kinds = new Map<string, number>();
  for (const file of files) {
    const kind = file.replace(/\[?\d+\]?/g, 'N');
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return JSON.stringify(Object.fromEntries(kinds), null, 2);
}
