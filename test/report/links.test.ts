import { describe, expect, it } from 'vitest';
import { browsing } from '../support/report-browsing.js';
import { textOf } from '../support/report-in-browser.js';

const reports = browsing(async (folder) => {
  await folder.results('base.json');
  await folder.results('current.json', { passing: 20, id: 'generated-2' });
  await folder.results('broken.json', {
    id: 'generated-3',
    change: (taskRun) => ({
      ...taskRun,
      outcome: 'error',
      failure: { category: 'agent-failed', message: 'the agent ended with code 1', evidence: 7 },
    }),
  });
  await folder.written('base.json', 'current.json', '--out', 'compared.html');
  await folder.report('base.json', 'broken.json', '--out', 'refused.html');
});

describe('a link restores', () => {
  it('how the tools are sorted, and leads to the one that is unfolded', async () => {
    const viewport = { width: 1200, height: 400 };
    const report = await reports.open('compared.html', { hash: '#/tools', viewport });
    await report.page.getByRole('columnheader', { name: 'Errors' }).getByRole('button').click();
    await report.page.getByRole('button', { name: 'rename_pet' }).last().click();
    expect(await report.hash()).toBe('#/tools?sort=-errors&tool=pets%2Frename_pet');

    const other = await reports.open('compared.html', { hash: await report.hash(), viewport });
    const { page } = other;
    const errors = page.getByRole('columnheader', { name: 'Errors' });
    expect(await errors.getAttribute('aria-sort')).toBe('descending');
    const tool = page.getByRole('button', { name: 'rename_pet', expanded: true });
    const distance = async () => ((await tool.boundingBox())?.y ?? Number.NaN) - 200;
    await expect.poll(async () => Math.abs(await distance())).toBeLessThan(200);
  });

  it('the part of the time that the timeline shows, beside what is pointed at', async () => {
    const hash = '#/run/1/task%203/1?zoom=verify';
    const report = await reports.open('compared.html', { hash });
    const { page } = report;
    const verify = page.getByRole('group', { name: 'Part to show' });
    await verify.getByRole('button', { name: 'verify', pressed: true }).waitFor();
    await page.getByRole('button', { name: 'Show the evidence' }).click();
    expect(await report.hash()).toBe('#/run/1/task%203/1?zoom=verify&at=step-verify-1');
    await verify.getByRole('button', { name: 'all' }).click();
    expect(await report.hash()).toBe('#/run/1/task%203/1?at=step-verify-1');
  });

  it('which tasks of a comparison are unfolded', async () => {
    const report = await reports.open('compared.html', { hash: '#/compare' });
    await report.page.getByText('task 2', { exact: true }).click();
    await expect.poll(() => report.hash()).toBe('#/compare?task=task+2');
    const other = await reports.open('compared.html', { hash: await report.hash() });
    await other.page.getByText(/^Base: \d of \d judged runs passed/).waitFor();
    expect(await other.page.getByText(/^Base: /).count()).toBe(1);
  });
});

describe('the way back', () => {
  it('leads from what an assertion shows to the assertion', async () => {
    const viewport = { width: 800, height: 500 };
    const hash = '#/run/0/task%203/1';
    const report = await reports.open('compared.html', { hash, viewport });
    const { page } = report;
    const show = page.getByRole('button', { name: 'Show call 2' });
    await show.scrollIntoViewIfNeeded();
    const before = await page.evaluate('scrollY');
    await show.click();
    await page.waitForURL(/at=assertion-1/);
    await expect.poll(() => page.evaluate('scrollY')).not.toBe(before);
    await page.goBack();
    expect(await report.hash()).toBe(hash);
    await expect.poll(() => page.evaluate('scrollY')).toBe(before);
  });
});

describe('results that cannot be compared', () => {
  it('are told as such, with the reason', async () => {
    const report = await reports.open('refused.html');
    await report.page.getByRole('link', { name: 'Compare' }).click();
    await report.page.getByRole('heading', { name: 'Compare', level: 1 }).waitFor();
    const main = await textOf(report.page.getByRole('main'));
    expect(main).toContain('They cannot be compared. no task was judged on both sides');
    expect(main).toContain('broken.json');
  });
});

describe('the colours', () => {
  it.for(['light', 'dark'] as const)('change with the first click on a %s system', async (own) => {
    const { page } = await reports.open('compared.html', { colorScheme: own });
    const background = 'getComputedStyle(document.documentElement).backgroundColor';
    const before = await page.evaluate(background);
    await page.getByRole('button', { name: /^colours: auto/ }).click();
    expect(await page.evaluate(background)).not.toBe(before);
  });
});
