import { expect, it } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { browsing } from '../support/report-browsing.js';
import { textOf } from '../support/report-in-browser.js';

const noTable = 'Database error: no such table: pet';

/** Its first call is answered with an error as text, its second one malformed; a script failed. */
const faulty = (taskRun: TaskRunResult): TaskRunResult => {
  const { calls, phases } = taskRun;
  const [first, second, ...others] = calls;
  const verify = phases.verify;
  if (!first || !second || !verify) throw new Error('the generated task run has too little');
  const result = { content: [{ type: 'text', text: noTable }] };
  const suspect = { ...first, result, isError: false };
  const malformed = { ...second, isError: true, malformed: 'content is missing' };
  const script = { text: './show-stock | grep kettle' };
  const steps = verify.steps.map((step) => ({ ...step, kind: 'script', script, passed: false }));
  return {
    ...taskRun,
    calls: [suspect, malformed, ...others],
    phases: { ...phases, verify: { ...verify, steps } },
  };
};

const reports = browsing(async (folder) => {
  await folder.results('faulty.json', { tasks: 1, runs: 2, change: faulty });
  await folder.written('faulty.json');
});

it('shows suspected errors, malformed answers and what scripts ran', async () => {
  const { page } = await reports.open('faulty.html');
  expect(await textOf(page.getByRole('region', { name: 'totals' }))).toContain('; 2 look like one');
  await page.getByRole('table', { name: 'Task runs' }).getByRole('link').first().click();
  const story = page.locator('.task-run');
  await story.getByText('suspected error').first().waitFor();
  const text = await textOf(story);
  expect(text).toContain(`looks like an error but is not marked isError: ${noTable}`);
  expect(text).toContain('malformed answer: content is missing');
  expect(text).toContain('1 suspected error');
  expect(text).toMatch(/\d+ tokens? in, \d+ out/);
  expect(text).toContain('./show-stock | grep kettle');
  // A word, not a cross that looks like a button to close something.
  expect(await textOf(page.getByRole('link', { name: /^Next \w+: / }))).toMatch(/^Next ?\w+$/);
  expect(await page.getByRole('button', { name: 'keys (?)' }).getAttribute('title')).toBe(
    'keyboard shortcuts (?)',
  );
});

it('says on the page of tools which results look like errors', async () => {
  const { page } = await reports.open('faulty.html', { hash: '#/tools' });
  const findings = page.getByRole('region', { name: 'Worth a look' });
  await findings.waitFor();
  expect(await textOf(findings)).toContain('not marked isError');
  expect(await textOf(findings)).toContain(noTable);
});
