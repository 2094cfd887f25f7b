import { describe, expect, it } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { browsing } from '../support/report-browsing.js';
import { textOf } from '../support/report-in-browser.js';

const failure = { category: 'verification-failed', message: 'no', evidence: 8 } as const;

/** In the base task 1 never passes, by an assertion that is gone in current. */
const judged =
  (passes: boolean, assertions: Record<string, string>) =>
  (taskRun: TaskRunResult): TaskRunResult => {
    if (taskRun.task !== 'task 1') return { ...taskRun, outcome: 'passed', failure: null };
    const judging = { ...taskRun.judging, assertions };
    return passes
      ? { ...taskRun, judging, outcome: 'passed', failure: null }
      : { ...taskRun, judging, outcome: 'failed', failure };
  };

const reports = browsing(async (folder) => {
  const size = { tasks: 3, runs: 6 };
  await folder.results('base.json', { ...size, change: judged(false, { callOrder: '1' }) });
  await folder.results('current.json', { ...size, id: 'generated-2', change: judged(true, {}) });
  await folder.written('base.json', 'current.json', '--out', 'both.html');
  await folder.written('base.json', 'current.json', '--pool', '--out', 'pooled.html');
});

const note = 'judged differently: the assertion callOrder is gone';

describe('a report of results that are judged differently', () => {
  it('does not call it better, and says what changed', async () => {
    const { page } = await reports.open('both.html', { hash: '#/compare' });
    const main = await textOf(page.getByRole('main'));
    expect(main).toContain('1 task is judged differently');
    expect(main).toContain(note);
    expect(main).not.toContain('Better');
    expect(main).not.toContain('improvement');
    expect(main).toContain('1 task is judged differently and left out.');
  });

  it('says so on the page of a task run', async () => {
    const { page } = await reports.open('both.html', { hash: '#/compare' });
    await page.getByText(note).click();
    await page.getByRole('main').getByRole('link').first().click();
    const main = page.getByRole('main');
    // The page before says the same, and stays until the task run's page takes its place.
    await main.getByText('All task runs').waitFor();
    await main.getByText(note).first().waitFor();
    expect(await textOf(main)).toContain(`current.json ${note}`);
  });

  it('says on the overview that what was pooled is not judged alike', async () => {
    const { page } = await reports.open('pooled.html');
    expect(await textOf(page.getByRole('main'))).toContain(
      'task 1 is judged differently between files: the assertion callOrder is gone',
    );
  });
});
