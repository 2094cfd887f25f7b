import { describe, expect, it, vi } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { browsing } from '../support/report-browsing.js';
import { type OpenReport, textOf } from '../support/report-in-browser.js';

const reports = browsing(async (folder) => {
  await folder.results('base.json', { tasks: 12 });
  await folder.results('current.json', { tasks: 13, passing: 35, id: 'generated-2' });
  const change = (taskRun: TaskRunResult) => ({ ...taskRun, worker: 'gpu-1' });
  await folder.results('workers.json', { tasks: 1, runs: 1, change, id: 'generated-3' });
  const block = (taskRun: TaskRunResult) => ({
    ...taskRun,
    calls: taskRun.calls.map((call) => ({
      ...call,
      blocked: true,
      blockedBy: 'alwaysAllow of pets in mcp.yaml',
    })),
  });
  await folder.results('blocked.json', { tasks: 1, runs: 1, change: block, id: 'generated-4' });
  await folder.written('blocked.json');
  await folder.written('base.json');
  await folder.written('workers.json');
  await folder.written('base.json', 'current.json', '--out', 'compared.html');
});

const status = ({ page }: OpenReport) => textOf(page.getByRole('status'));

/** Text of the column of the task runs that are shown, from the top. */
async function column({ page }: OpenReport, number: number): Promise<string[]> {
  const table = page.getByRole('table', { name: 'Task runs' });
  await table.scrollIntoViewIfNeeded();
  const rows = table.getByRole('rowgroup').last().getByRole('row');
  await rows.first().waitFor();
  const cells = await rows.all();
  return Promise.all(cells.map((row) => textOf(row.locator('td, th').nth(number))));
}

async function expectNoComplaints(report: OpenReport): Promise<void> {
  expect(await report.complaints()).toEqual([]);
}

describe('the overview', () => {
  it('tells what passed, and loads nothing from anywhere', async () => {
    const report = await reports.open('base.html');
    expect(await report.page.title()).toBe('pets');
    expect(await status(report)).toBe('all 60 task runs');
    const totals = report.page.getByRole('region', { name: 'totals' });
    expect(await textOf(totals)).toMatch(/\d+ of \d+ judged/);
    await expectNoComplaints(report);
  });

  it('says which calls were blocked, and by which setting', async () => {
    const report = await reports.open('blocked.html');
    const notice = report.page.getByText(/tool calls were blocked by alwaysAllow of pets in mcp/);
    expect(await textOf(notice)).toMatch(/: pets\.\w+ \(\d+\)/);
    await expectNoComplaints(report);
  });

  it('filters by outcome, and keeps the filter in the address', async () => {
    const report = await reports.open('base.html');
    await report.page.getByRole('button', { name: /^timeout \d/ }).click();
    const shown = await status(report);
    expect(shown).toMatch(/^\d+ of 60 task runs$/);
    expect(await report.hash()).toBe('#/?outcome=timeout');
    await report.page.keyboard.press('End');
    await vi.waitFor(async () => {
      const outcomes = await column(report, 0);
      expect(new Set(outcomes)).toEqual(new Set(['timeout']));
      expect(shown).toBe(`${outcomes.length} of 60 task runs`);
    });

    await report.page.getByRole('button', { name: 'clear filters' }).click();
    expect(await status(report)).toBe('all 60 task runs');
    expect(await report.hash()).toBe('#/');
    await expectNoComplaints(report);
  });

  it.for([
    ['difficulty', 'easy', '20 of 60 task runs'],
    ['label', 'pets', '30 of 60 task runs'],
    ['tool', 'rename_pet', '30 of 60 task runs'],
  ] as const)('filters by %s', async ([name, value, expected]) => {
    const report = await reports.open('base.html');
    await report.page.getByRole('combobox', { name, exact: true }).selectOption({ label: value });
    expect(await status(report)).toBe(expected);
    await expectNoComplaints(report);
  });

  it('filters by text, in the names of tasks and in failures', async () => {
    const report = await reports.open('base.html');
    const search = report.page.getByRole('searchbox');
    await search.fill('TASK 11');
    expect(await status(report)).toBe('5 of 60 task runs');
    await search.fill('time limit');
    expect(new Set(await column(report, 0))).toEqual(new Set(['timeout']));
    await search.fill('nothing has this');
    expect(await status(report)).toBe('0 of 60 task runs');
    await expectNoComplaints(report);
  });

  it('sorts by a column, one way and the other', async () => {
    const report = await reports.open('base.html');
    const header = report.page.getByRole('columnheader', { name: 'run', exact: true }).last();
    await header.getByRole('button').click();
    const first = await header.getAttribute('aria-sort');
    const one = await column(report, 2);
    await header.getByRole('button').click();
    const second = await header.getAttribute('aria-sort');
    const other = await column(report, 2);
    expect([first, second].sort()).toEqual(['ascending', 'descending']);
    const [rising, falling] = first === 'ascending' ? [one, other] : [other, one];
    expect(rising[0]).toMatch(/1$/);
    expect(falling[0]).toMatch(/5$/);
    await expectNoComplaints(report);
  });

  it('is restored by its address', async () => {
    const report = await reports.open('base.html', {
      hash: '#/?q=task&outcome=failed&difficulty=easy&sort=-duration',
    });
    expect(await report.page.getByRole('searchbox').inputValue()).toBe('task');
    const difficulty = report.page.getByRole('combobox', { name: 'difficulty' });
    expect(await textOf(difficulty.getByRole('option', { selected: true }))).toBe('easy');
    const failed = report.page.getByRole('button', { name: /^failed \d/ });
    expect(await failed.getAttribute('aria-pressed')).toBe('true');
    const duration = report.page.getByRole('columnheader', { name: 'duration' });
    expect(await duration.getAttribute('aria-sort')).toBe('descending');
    expect(new Set(await column(report, 0))).toEqual(new Set(['failed']));
    await expectNoComplaints(report);
  });

  it('says so where an address names nothing', async () => {
    const report = await reports.open('base.html', { hash: '#/run/0/no%20such%20task/1' });
    const heading = report.page.getByRole('heading', { level: 1 });
    expect(await textOf(heading)).toBe('Not in this report');
    await expectNoComplaints(report);
  });
});

describe('a task run', () => {
  it('says which worker did it, if one did', async () => {
    const facts = async (file: string) => {
      const { page } = await reports.open(file, { hash: '#/run/0/task%200/1' });
      await page.locator('.run-facts').waitFor();
      return textOf(page.locator('.run-facts'));
    };
    expect(await facts('workers.html')).toContain('Workergpu-1');
    expect(await facts('base.html')).not.toContain('Worker');
  });

  it('is opened from the matrix, and the way back leads to the same view', async () => {
    const report = await reports.open('base.html', { hash: '#/?difficulty=medium' });
    const grid = report.page.getByRole('grid', { name: 'tasks by runs' });
    const row = grid.getByRole('row', { name: /^task 7 / });
    await row.getByRole('link', { name: /^run 1: / }).click();
    await report.page.getByRole('heading', { name: 'task 7', level: 1 }).waitFor();
    expect(await report.hash()).toBe('#/run/0/task%207/1');
    expect(await report.page.title()).toBe('task 7, run 1 · pets');

    await report.page.goBack();
    expect(await report.hash()).toBe('#/?difficulty=medium');
    expect(await status(report)).toBe('20 of 60 task runs');
    await expectNoComplaints(report);
  });

  it('tells its story, with what failed on top', async () => {
    const report = await reports.open('base.html', { hash: '#/run/0/task%207/1' });
    const main = report.page.getByRole('main');
    const text = await textOf(main);
    expect(text).toContain('verification-failed');
    expect(text).toContain('step 1 of verify failed');
    expect(text.indexOf('verification-failed')).toBeLessThan(text.indexOf('What happened'));
    expect(text).toContain('The pet may be hungry.');
    await expectNoComplaints(report);
  });

  it('leads from an assertion to the call that it is about', async () => {
    const report = await reports.open('base.html', { hash: '#/run/0/task%207/1' });
    await report.page.getByRole('button', { name: 'Show call 2' }).click();
    const focused = report.page.locator(':focus');
    expect(await textOf(focused)).toContain('pets.feed_pet');
    const address = report.page.url();
    await expectNoComplaints(report);

    const again = await reports.open('base.html', { hash: new URL(address).hash });
    const pressed = again.page.getByRole('button', { name: 'Show call 2', pressed: true });
    await pressed.waitFor();
    expect(await textOf(again.page.locator(':focus'))).toContain('pets.feed_pet');
  });

  it('shows arguments and result of a call', async () => {
    const report = await reports.open('base.html', { hash: '#/run/0/task%207/1' });
    await report.page.getByRole('button', { name: /^call 1, pets\.list_pets/ }).click();
    const entry = report.page.locator(':focus');
    expect(await textOf(entry)).toContain('pets.list_pets');
    expect(await textOf(entry)).toContain('says call 1');
    await expectNoComplaints(report);
  });
});

describe('keys alone', () => {
  it('find a task run, open it, and lead back', async () => {
    const report = await reports.open('base.html');
    const { keyboard } = report.page;
    await keyboard.press('/');
    await keyboard.type('task 3');
    expect(await status(report)).toBe('5 of 60 task runs');
    await keyboard.press('Escape');
    await keyboard.press('j');
    const link = report.page.locator('a:focus');
    await link.waitFor();
    await keyboard.press('j');
    await keyboard.press('Enter');
    await report.page.getByRole('heading', { name: 'task 3', level: 1 }).waitFor();
    await keyboard.press('j');
    expect(await textOf(report.page.locator(':focus'))).toContain('pets.');
    await keyboard.press('Escape');
    await report.page.getByRole('searchbox').waitFor();
    expect(await report.hash()).toBe('#/?q=task+3');
    await expectNoComplaints(report);
  });

  it('move from cell to cell of the matrix, and open one', async () => {
    const report = await reports.open('base.html');
    const { keyboard } = report.page;
    const grid = report.page.getByRole('grid', { name: 'tasks by runs' });
    await grid.locator('a[tabindex="0"]').focus();
    const focused = () => report.page.evaluate('document.activeElement.dataset.cell');
    for (const [key, cell] of [
      ['ArrowRight', '0/1'],
      ['ArrowDown', '1/1'],
      ['End', '1/4'],
      ['Home', '1/0'],
      ['ArrowUp', '0/0'],
    ] as const) {
      await keyboard.press(key);
      await expect.poll(focused).toBe(cell);
    }
    await keyboard.press('Enter');
    await report.page.getByRole('region', { name: 'What happened' }).waitFor();
    await keyboard.press('Escape');
    await expect.poll(focused).toBe('0/0');
    await expectNoComplaints(report);
  });

  it('go from page to page', async () => {
    const report = await reports.open('compared.html');
    const { keyboard } = report.page;
    for (const [key, hash] of [
      ['t', '#/tools'],
      ['c', '#/compare'],
      ['o', '#/'],
    ] as const) {
      await keyboard.press(key);
      await report.page.waitForURL(`${report.url}${hash}`);
    }
    await expectNoComplaints(report);
  });

  it('show what they do, and put it away', async () => {
    const report = await reports.open('base.html');
    await report.page.keyboard.press('?');
    const dialog = report.page.getByRole('dialog', { name: 'Keys' });
    await dialog.waitFor();
    await report.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await expectNoComplaints(report);
  });

  it('reach the content past the navigation', async () => {
    const report = await reports.open('base.html');
    await report.page.keyboard.press('Tab');
    await report.page.keyboard.press('Enter');
    expect(await report.page.locator('main:focus').count()).toBe(1);
  });
});

describe('the tools page', () => {
  it('tells of every tool how it was used, and which never was', async () => {
    const report = await reports.open('base.html', { hash: '#/tools' });
    const main = await textOf(report.page.getByRole('main'));
    expect(main).toContain('feed_pet');
    expect(main).toContain('sell_pet');
    expect(main.toLowerCase()).toContain('never');
    await expectNoComplaints(report);
  });
});

describe('the compare page', () => {
  it('is only there if there is something to compare', async () => {
    const report = await reports.open('base.html');
    expect(await report.page.getByRole('link', { name: 'Compare' }).count()).toBe(0);
  });

  it('tells what became worse, and which tasks are new', async () => {
    const report = await reports.open('compared.html');
    await report.page.getByRole('link', { name: 'Compare' }).click();
    await report.page.getByRole('heading', { name: 'Compare', level: 1 }).waitFor();
    const main = await textOf(report.page.getByRole('main'));
    expect(main).toContain('base.json');
    expect(main).toContain('current.json');
    expect(main).toContain('task 12');
    expect(main).toMatch(/regression|worse/i);
    await expectNoComplaints(report);
  });
});
