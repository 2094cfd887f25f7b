import type { BrowserContextOptions } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { accessibilityFlaws } from '../support/report-axe.js';
import { browsing } from '../support/report-browsing.js';
import { type OpenReport, textOf } from '../support/report-in-browser.js';

const reports = browsing(async (folder) => {
  await folder.results('base.json', { change: longWinded });
  await folder.results('current.json', { passing: 30, id: 'generated-2', tasks: 7 });
  await folder.written('base.json', 'current.json', '--out', 'report.html');
});

/** Many things of the same name, and too long to be shown at once. */
function longWinded(taskRun: TaskRunResult): TaskRunResult {
  const { agent } = taskRun.phases;
  const own = { kind: 'tool-call', tool: 'Bash', args: { command: 'ls' } } as const;
  const steps = [
    { ...own, seq: 7, id: 'a' },
    { ...own, seq: 8, id: 'b' },
  ];
  return {
    ...taskRun,
    output: 'long '.repeat(500),
    phases: { ...taskRun.phases, agent: agent && { ...agent, steps: [...agent.steps, ...steps] } },
  };
}

const pages = {
  overview: '#/',
  'filtered overview': '#/?outcome=failed&q=task',
  'overview of nothing': '#/?q=nothing',
  'passed task run': '#/run/0/task%204/1',
  'failed task run': '#/run/1/task%203/1',
  'chosen assertion': '#/run/0/task%203/1?at=assertion-0',
  tools: '#/tools',
  compare: '#/compare',
  'unknown page': '#/nowhere',
};

const cases = Object.entries(pages).flatMap(([name, hash]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ name, hash, colorScheme })),
);

/** In pixels; 0 on a page that does not scroll sideways. */
const surplusWidth = `document.documentElement.scrollWidth - innerWidth`;

/** Folds, and buttons that unfold; it ends when the page shows it. */
const unfoldAll = `new Promise((resolve) => {
  for (const fold of document.querySelectorAll('main details')) fold.open = true;
  for (const button of document.querySelectorAll('main [aria-expanded=false]')) button.click();
  requestAnimationFrame(() => requestAnimationFrame(resolve));
})`;

/** A page with all that belongs on it. */
async function open(hash: string, options: BrowserContextOptions = {}): Promise<OpenReport> {
  const report = await reports.open('report.html', { hash, ...options });
  if (hash.startsWith('#/run/')) {
    await report.page.getByRole('region', { name: 'What happened' }).waitFor();
  }
  return report;
}

describe('every page', () => {
  it.for(cases)('is accessible: $name, $colorScheme', async ({ hash, colorScheme }) => {
    const report = await open(hash, { colorScheme });
    expect(await accessibilityFlaws(report.page)).toEqual([]);
    expect(await report.complaints()).toEqual([]);
  });

  it.for(Object.entries(pages))('is accessible with all unfolded: %s', async ([, hash]) => {
    const report = await open(hash);
    // What is unfolded can hold something to unfold.
    for (let times = 0; times < 3; times += 1) await report.page.evaluate(unfoldAll);
    expect(await accessibilityFlaws(report.page)).toEqual([]);
    expect(await report.complaints()).toEqual([]);
  });

  it.for(Object.entries(pages))('fits on a phone: %s', async ([, hash]) => {
    const viewport = { width: 360, height: 740 };
    const report = await open(hash, { viewport });
    expect(await report.page.evaluate(surplusWidth)).toBe(0);
    expect(await accessibilityFlaws(report.page)).toEqual([]);
    expect(await report.complaints()).toEqual([]);
  });

  it.for(Object.entries(pages))('can be printed: %s', async ([, hash]) => {
    const report = await open(hash);
    const navigation = report.page.getByRole('banner');
    expect(await navigation.isVisible()).toBe(true);
    await report.page.emulateMedia({ media: 'print' });
    expect(await navigation.isVisible()).toBe(false);
    expect((await report.page.pdf()).length).toBeGreaterThan(1000);
    expect(await report.complaints()).toEqual([]);
  });
});

describe('colours', () => {
  const background = `getComputedStyle(document.documentElement).backgroundColor`;

  it('follow the system, until somebody chooses', async () => {
    const light = await reports.open('report.html', { colorScheme: 'light' });
    const dark = await reports.open('report.html', { colorScheme: 'dark' });
    const ofLight = await light.page.evaluate(background);
    const ofDark = await dark.page.evaluate(background);
    expect(ofLight).not.toBe(ofDark);

    await dark.page.getByRole('button', { name: /change to light/ }).click();
    expect(await dark.page.evaluate(background)).toBe(ofLight);
    await dark.page.getByRole('button', { name: /change to dark/ }).click();
    expect(await dark.page.evaluate(background)).toBe(ofDark);
    expect(await dark.complaints()).toEqual([]);
  });
});

describe('the help on keys', () => {
  it('is accessible', async () => {
    const report = await reports.open('report.html');
    await report.page.getByRole('button', { name: /^keys/ }).click();
    expect(await textOf(report.page.getByRole('dialog'))).toContain('search');
    expect(await accessibilityFlaws(report.page)).toEqual([]);
  });
});
