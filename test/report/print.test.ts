import { describe, expect, it } from 'vitest';
import { browsing } from '../support/report-browsing.js';
import type { OpenReport } from '../support/report-in-browser.js';

const reports = browsing(async (folder) => {
  await folder.results('runs.json', { tasks: 2, runs: 90, calls: 1 });
  await folder.written('runs.json');
  await folder.results('tasks.json', { tasks: 900, runs: 1, calls: 1 });
  await folder.written('tasks.json');
});

/** As on paper, landscape: about a thousand pixels are wide enough for it. */
async function printed(report: OpenReport): Promise<OpenReport> {
  const { page } = report;
  await page.setViewportSize({ width: 1032, height: 720 });
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
  return report;
}

describe('the overview on paper', () => {
  it('is as wide as the paper, with every run of a task', async () => {
    const { page } = await printed(await reports.open('runs.html'));
    const cells = page.getByRole('row', { name: /^task 0 / }).getByRole('link');
    await expect.poll(() => cells.count()).toBe(90);
    expect(
      await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
    const last = await cells.last().boundingBox();
    expect((last?.x ?? Number.NaN) + (last?.width ?? 0)).toBeLessThan(1032);
  });

  it('says what is left out of very long tables', async () => {
    const { page } = await printed(await reports.open('tasks.html'));
    const rows = (name: string) => page.locator(`.${name} tbody tr`);
    await page.getByText('the first 300 of 900 rows; open the report to see all').waitFor();
    await page.getByText('the first 300 of 900; open the report to see all').waitFor();
    for (const name of ['matrix', 'run-list']) {
      await expect.poll(() => rows(name).count()).toBeGreaterThanOrEqual(300);
      expect(await rows(name).count()).toBeLessThan(320);
    }
  });

  it('has no such words where all is on it', async () => {
    const { page } = await printed(await reports.open('runs.html'));
    expect(await page.getByText('open the report to see all').count()).toBe(0);
  });
});
