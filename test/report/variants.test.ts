import { describe, expect, it } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { withOutcome } from '../../testing/report-samples.js';
import { accessibilityFlaws } from '../support/report-axe.js';
import { browsing } from '../support/report-browsing.js';
import { type OpenReport, textOf } from '../support/report-in-browser.js';

const variants = ['fast', 'slow / large'];

/** What the second variant does always fails in task 1, so that there is something to compare. */
function worseInTask1(taskRun: TaskRunResult): TaskRunResult {
  if (taskRun.task !== 'task 1') return taskRun;
  if (taskRun.variant === 'fast') return withOutcome(taskRun, 'passed');
  const failure = { category: 'verification-failed', message: 'too slow', evidence: 8 } as const;
  return { ...withOutcome(taskRun, 'failed'), failure };
}

const reports = browsing(async (folder) => {
  await folder.results('matrix.json', { tasks: 3, runs: 6, variants, change: worseInTask1 });
  await folder.results('later.json', { tasks: 3, runs: 6, variants, id: 'generated-2' });
  await folder.results('plain.json', { tasks: 3, runs: 2, id: 'generated-3' });
  await folder.written('matrix.json');
  await folder.written('matrix.json', 'later.json', '--out', 'both.html');
  await folder.written('matrix.json', 'plain.json', '--pool', '--out', 'pooled.html');
});

const status = ({ page }: OpenReport) => textOf(page.getByRole('status'));
const grid = ({ page }: OpenReport) => page.getByRole('grid', { name: 'tasks by runs' });

describe('the overview of a matrix', () => {
  it('has a row for each task and variant, those of a task together', async () => {
    const report = await reports.open('matrix.html', { hash: '#/?tasks=name' });
    const rows = grid(report).getByRole('rowheader');
    const names = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('bdi')].map((each) => each.textContent).join(': ')),
    );
    expect(names).toEqual(
      ['task 0', 'task 1', 'task 2'].flatMap((task) => variants.map((name) => `${task}: ${name}`)),
    );
    expect(await textOf(report.page.getByRole('main'))).toContain('agent of fast (model of fast)');
  });

  it('is filtered by variant, also by text', async () => {
    const report = await reports.open('matrix.html');
    expect(await status(report)).toBe('all 36 task runs');
    await report.page.getByRole('combobox', { name: 'variant' }).selectOption('slow / large');
    expect(await status(report)).toBe('18 of 36 task runs');
    expect(await report.hash()).toBe('#/?variant=slow+%2F+large');
    await report.page.getByRole('button', { name: 'clear filters' }).click();
    await report.page.getByRole('searchbox').fill('LARGE');
    expect(await status(report)).toBe('18 of 36 task runs');
  });

  it('knows variants and files apart', async () => {
    const report = await reports.open('both.html', { hash: '#/?set=1&variant=fast' });
    expect(await status(report)).toBe('18 of 72 task runs');
    const table = report.page.getByRole('table', { name: 'Task runs' });
    const headers = await table.getByRole('columnheader').allTextContents();
    expect(headers.map((name) => name.trim())).toEqual(
      expect.arrayContaining(['variant', 'results']),
    );
    expect(await textOf(table.getByRole('row').nth(1))).toContain('later.json');
  });

  it('fits on every screen with all of its columns', async () => {
    const report = await reports.open('both.html');
    for (const width of [1001, 1000, 640, 390]) {
      await report.page.setViewportSize({ width, height: 800 });
      const row = await report.page.getByRole('table', { name: 'Task runs' }).boundingBox();
      const cell = await report.page.locator('.run-row .of-cost').last().boundingBox();
      const end = (box: typeof row) => (box?.x ?? Number.NaN) + (box?.width ?? Number.NaN);
      expect(end(cell)).toBeLessThanOrEqual(end(row));
    }
  });

  it('also shows what was pooled with it and has no variant', async () => {
    const report = await reports.open('pooled.html');
    expect(await status(report)).toBe('all 42 task runs');
    expect(await textOf(report.page.getByRole('main'))).toContain('without a variant');
  });

  it('has nothing of it where there is no matrix', async () => {
    await reports.folder.written('plain.json');
    const report = await reports.open('plain.html');
    expect(await report.page.getByRole('combobox', { name: 'variant' }).count()).toBe(0);
    expect(await report.page.getByRole('columnheader', { name: 'variant' }).count()).toBe(0);
  });
});

describe('a task run of a matrix', () => {
  it('is another one for each variant, and leads to the others', async () => {
    const report = await reports.open('matrix.html', { hash: '#/run/0/task%201/fast/2' });
    const { page } = report;
    const facts = page.locator('.run-facts');
    await facts.waitFor();
    expect(await textOf(facts)).toContain('Variantfast');
    expect(await textOf(facts)).toContain('agent of fast (model of fast)');
    expect(await page.title()).toBe('task 1, fast, run 2 · pets');

    const others = page.getByRole('navigation', { name: 'variants' });
    await others.getByRole('link', { name: 'slow / large, failed' }).click();
    await page.getByText('too slow').first().waitFor();
    expect(await report.hash()).toBe('#/run/0/task%201/slow%20%2F%20large/2');
    expect(await textOf(facts)).toContain('agent of slow / large');
    expect(await accessibilityFlaws(page)).toEqual([]);
    expect(await report.complaints()).toEqual([]);
  });
});

describe('tools of a matrix', () => {
  it('are those of one variant at a time', async () => {
    const report = await reports.open('matrix.html', { hash: '#/tools' });
    const { page } = report;
    expect(await textOf(page.getByRole('main'))).toContain('in 18 task runs');
    await page.getByLabel('Variant').selectOption('slow / large');
    expect(await report.hash()).toBe('#/tools?variant=slow+%2F+large');
    await page.getByRole('button', { name: 'feed_pet' }).first().click();
    await page.getByRole('link', { name: 'All task runs that used it' }).click();
    await page.getByRole('searchbox').waitFor();
    expect(await status(report)).toBe('18 of 36 task runs');
  });
});

describe('the comparison of a matrix', () => {
  it('holds each variant against the first, by their names', async () => {
    const report = await reports.open('matrix.html');
    await report.page.getByRole('link', { name: 'Compare' }).click();
    await report.page.getByRole('heading', { name: 'Compare', level: 1 }).waitFor();
    const main = await textOf(report.page.getByRole('main'));
    expect(main).toContain('fast (base) with  slow / large (current)');
    expect(main).toContain('Worse in 1 task');
    // The variants are there to differ, and no evaluation is compared with itself.
    expect(main).not.toContain('Before you trust this');
    expect(await accessibilityFlaws(report.page)).toEqual([]);
  });

  it('holds a variant of another file against the same one', async () => {
    const { index } = await reports.folder.content('both.html');
    const names = index.diffs.map(({ base, set }) => [base, set].map((at) => index.sets[at]?.name));
    expect(names).toEqual([
      ['matrix.json: fast', 'matrix.json: slow / large'],
      ['matrix.json: fast', 'later.json: fast'],
      ['matrix.json: slow / large', 'later.json: slow / large'],
    ]);
  });
});
