import { describe, expect, it } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { accessibilityFlaws } from '../support/report-axe.js';
import { browsing } from '../support/report-browsing.js';
import { textOf } from '../support/report-in-browser.js';

const turned = '\u202eevil\u202c';
const names = ['', ' ', turned, '\u05e2\u05d1\u05e8\u05d9\u05ea: (run) [x]'];

/** Everything that has a name gets this one. */
function renamed(taskRun: TaskRunResult): TaskRunResult {
  const place = Number(taskRun.task.replace('task ', ''));
  const name = names[place] ?? '';
  return {
    ...taskRun,
    task: name,
    difficulty: name,
    labels: { [name]: name },
    calls: taskRun.calls.map((call) => ({ ...call, server: name, name, isError: true })),
    assertions: taskRun.assertions.map((assertion) => ({ ...assertion, name })),
  };
}

const reports = browsing(async (folder) => {
  await folder.results('odd.json', { tasks: names.length, runs: 2, change: renamed });
  await folder.written('odd.json');
  // A report has room for more findings than a screen shows at once.
  await folder.results('tools.json', {
    tasks: 2,
    calls: 8,
    change: (taskRun) => ({
      ...taskRun,
      calls: taskRun.calls.map((call, place) => ({
        ...call,
        name: `tool_${place}`,
        isError: true,
      })),
    }),
  });
  await folder.written('tools.json');
});

describe('names from outside', () => {
  it.for(['#/', '#/tools', '#/run/0//1'])('leave nothing without a name: %s', async (hash) => {
    const report = await reports.open('odd.html', { hash });
    if (hash.startsWith('#/run')) {
      await report.page.getByRole('region', { name: 'What happened' }).waitFor();
      const heading = report.page.getByRole('heading', { level: 1 });
      expect(await textOf(heading)).toBe('(empty)');
    }
    expect(await accessibilityFlaws(report.page)).toEqual([]);
    expect(await report.complaints()).toEqual([]);
  });

  it('do not read as others, and look the same in both tables', async () => {
    const { page } = await reports.open('odd.html');
    for (const table of ['.matrix', '.run-list']) {
      const shown = await page.locator(`${table} tbody th bdi`).allTextContents();
      expect(shown).toContain('[U+202E]evil[U+202C]');
      expect(shown).not.toContain(turned);
    }
  });
});

describe('the tools page', () => {
  it('says which call was made again', async () => {
    const { page } = await reports.open('tools.html', { hash: '#/tools?tool=pets%2Ftool_0' });
    const links = await page.locator('.tool-details a').allTextContents();
    for (const link of links.filter((text) => text.includes('run '))) {
      expect(link).toMatch(/^task \d, run \d, call \d+$/);
    }
  });

  it('has all findings on paper, and no button', async () => {
    const { page } = await reports.open('tools.html', { hash: '#/tools' });
    const more = page.getByRole('button', { name: /^Show \d+ more/ });
    expect(await more.count()).toBeGreaterThan(0);
    const shown = page.getByRole('region', { name: 'Worth a look' }).locator('.finding');
    expect(await shown.count()).toBe(5);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    await expect.poll(() => shown.count()).toBe(8);
    expect(await more.count()).toBe(0);
  });
});
