import { describe, expect, it } from 'vitest';
import { browsing } from '../support/report-browsing.js';
import { type OpenReport, textOf } from '../support/report-in-browser.js';

const reports = browsing(async (folder) => {
  await folder.results('base.json', { tasks: 4 });
  await folder.written('base.json');
});

async function heading({ page }: OpenReport, name: string): Promise<void> {
  await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
}

function runs({ page }: OpenReport) {
  return page.getByRole('navigation', { name: 'task runs' });
}

/** As text: it runs in the page, which has no time to do anything in between. */
function pressAtOnce(keys: readonly string[]): string {
  return `for (const key of ${JSON.stringify(keys)}) {
    document.dispatchEvent(new KeyboardEvent('keydown', { key }));
  }`;
}

describe('reading one task run after another', () => {
  it('takes every key from where the one before led, however fast they come', async () => {
    const report = await reports.open('base.html', { hash: '#/?sort=task' });
    const { page } = report;
    await page.getByRole('table', { name: 'Task runs' }).getByRole('link').nth(7).click();
    await heading(report, 'task 1');
    await report.page.evaluate(pressAtOnce(['n', 'n', 'p']));
    expect(await report.hash()).toBe('#/run/0/task%201/4');
    await runs(report).getByText('9 of 20').waitFor();
    expect(await report.complaints()).toEqual([]);
  });

  it('goes through what the filters showed, in the order in which they did', async () => {
    const report = await reports.open('base.html', { hash: '#/?q=task+2&sort=-run' });
    const { page } = report;
    await page.getByRole('table', { name: 'Task runs' }).getByRole('link').nth(1).click();
    await heading(report, 'task 2');
    expect(await report.hash()).toBe('#/run/0/task%202/4');
    expect(await textOf(runs(report))).toContain('2 of 5 that match the filters');
    await page.keyboard.press('n');
    expect(await report.hash()).toBe('#/run/0/task%202/3');
    await runs(report)
      .getByRole('link', { name: /^Previous \w+: task 2, run 4/ })
      .click();
    await page.keyboard.press('p');
    expect(await report.hash()).toBe('#/run/0/task%202/5');
    await page.keyboard.press('p');
    expect(await report.hash()).toBe('#/run/0/task%202/5');
    expect(await report.complaints()).toEqual([]);
  });

  it('goes through all as the overview has them where a link led to one', async () => {
    const overview = await reports.open('base.html');
    const links = overview.page.getByRole('table', { name: 'Task runs' }).getByRole('link');
    const [first, second] = await links.evaluateAll((all) => all.map(({ hash }) => hash));
    const report = await reports.open('base.html', { hash: first });
    await runs(report).getByText('1 of 20', { exact: true }).waitFor();
    await report.page.keyboard.press('n');
    expect(await report.hash()).toBe(second);
  });

  it('goes on in the same way when the page is loaded again', async () => {
    const report = await reports.open('base.html', { hash: '#/?q=task+2&sort=-run' });
    const { page } = report;
    await page.getByRole('table', { name: 'Task runs' }).getByRole('link').nth(1).click();
    await runs(report).getByText('2 of 5 that match the filters').waitFor();
    await page.reload();
    await runs(report).getByText('2 of 5 that match the filters').waitFor();
    await page.keyboard.press('n');
    expect(await report.hash()).toBe('#/run/0/task%202/3');
    await runs(report).getByRole('link', { name: 'All task runs' }).click();
    expect(await report.hash()).toBe('#/?q=task+2&sort=-run');
  });
});

it('draws no frame around the page that has just been opened by a key', async () => {
  const report = await reports.open('base.html');
  await report.page.keyboard.press('t');
  await heading(report, 'Tools');
  expect(await report.page.locator('main:focus').count()).toBe(1);
  const style = 'getComputedStyle(document.activeElement).outlineStyle';
  expect(await report.page.evaluate(style)).toBe('none');
});

it.for([
  ['colours', `CSS.supports = () => false`],
  ['gzip', `delete globalThis.DecompressionStream`],
] as const)('says so where a browser is too old for its %s', async ([, change]) => {
  const report = await reports.open('base.html');
  await report.page.addInitScript(change);
  await report.page.reload();
  await heading(report, 'This report cannot be shown');
  expect(await textOf(report.page.getByRole('main'))).toContain('this browser is too old');
});
