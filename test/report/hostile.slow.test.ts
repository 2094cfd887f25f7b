import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { browsing } from '../support/report-browsing.js';
import { hostileRun, hostileTexts, longRun } from '../support/report-hostile-run.js';
import { type OpenReport, textOf } from '../support/report-in-browser.js';

const title = hostileTexts.join(' ').replaceAll('\0', '');

const reports = browsing(async (folder) => {
  for (const name of ['base.json', 'current.json']) {
    // Every task has a text of its own.
    const texts = [...hostileTexts];
    await folder.results(name, {
      id: name,
      tasks: hostileTexts.length + 1,
      runs: 1,
      calls: 2,
      change(taskRun) {
        const text = texts.shift();
        return text === undefined ? longRun(taskRun) : hostileRun(taskRun, text);
      },
    });
  }
  await folder.written('base.json', 'current.json', '--title', title, '--out', 'hostile.html');
});

/** What only data could have brought into the page. */
const foreignElements = `[...document.querySelectorAll([
  'script:not([type="text/plain"]):not(body > script:last-of-type)',
  'iframe', 'object', 'embed', 'link:not([rel=icon])', 'style:not(head > style)', 'base', 'form',
  'img:not([src^="data:image/"])', 'a[href]:not([href^="#/"])',
  '[onerror]', '[onload]', '[onfocus]', '[onclick]', '[onmouseover]', '[srcdoc]',
].join())].map((element) => element.outerHTML.slice(0, 200))`;

async function expectInert(report: OpenReport): Promise<void> {
  expect(await report.page.evaluate(foreignElements)).toEqual([]);
  expect(await report.complaints()).toEqual([]);
  const polluted = await report.page.evaluate(`'polluted' in {} || ({}).isError !== undefined`);
  expect(polluted).toBe(false);
}

async function showRun({ page, url }: OpenReport, hash: string): Promise<void> {
  await page.goto(`${url}${hash}`);
  await page.getByRole('region', { name: 'What happened' }).waitFor();
}

/** Unfolds all there is, in several rounds: what is folded can hold what is folded. */
const unfold = `for (const details of document.querySelectorAll('details')) details.open = true;
for (const button of document.querySelectorAll('main button')) {
  if (/^(show|more)/i.test(button.textContent)) button.click();
}`;

async function unfoldAll({ page }: OpenReport): Promise<void> {
  for (let round = 0; round < 3; round += 1) await page.evaluate(unfold);
}

describe('hostile content stays text', () => {
  it('in the title and on the overview', async () => {
    const report = await reports.open('hostile.html');
    expect(await textOf(report.page.getByRole('heading', { level: 1 }))).toContain('onerror');
    await expectInert(report);
    await report.page.getByRole('searchbox').fill('</script>');
    expect(await textOf(report.page.getByRole('status'))).toMatch(/^[1-9]\d* of \d+ task runs$/);
    await expectInert(report);
  });

  it.for(hostileTexts.map((text, task) => ({ text, task })))(
    'in a task run: $text',
    async ({ text, task }) => {
      const report = await reports.open('hostile.html');
      await report.page.getByRole('searchbox').fill(`task ${task} `);
      const link = report.page.locator(`a[href^="#/run/0/task%20${task}%20"]`).first();
      await showRun(report, (await link.getAttribute('href')) ?? '');
      await unfoldAll(report);
      const shown = await textOf(report.page.getByRole('main'));
      // What no letter shows, pages may show as they like.
      const visible = /^[\x20-\x7e]*/.exec(text)?.[0];
      expect(shown).toContain(visible);
      await expectInert(report);
    },
  );

  it.for(['#/tools', '#/compare'])('on the page %s', async (hash) => {
    const report = await reports.open('hostile.html', { hash });
    await unfoldAll(report);
    expect(await textOf(report.page.getByRole('main'))).toContain('onerror');
    await expectInert(report);
  });
});

describe('five megabytes of text', () => {
  it('are cut, and say so', async () => {
    const report = await reports.open('hostile.html');
    await showRun(report, `#/run/0/task%20${hostileTexts.length}/1`);
    await unfoldAll(report);
    const shown = await textOf(report.page.getByRole('main'));
    expect(shown).toContain('<b>long</b>');
    expect(shown.length).toBeLessThan(5_000_000);
    await expectInert(report);
  });
});

describe('the policy of the page', () => {
  it('stops what gets into it all the same', async () => {
    const { folder } = reports;
    const html = await readFile(folder.file('hostile.html'), 'utf8');
    const smuggled = `<script>globalThis.hacked=1</script><img src="https://example.com/x.png">
      <b onclick="globalThis.hacked=1" style="color:red">x</b>`;
    await writeFile(folder.file('broken.html'), html.replace('</body>', `${smuggled}</body>`));
    const report = await reports.open('broken.html');
    await report.page.locator('body > b').click();
    for (const violation of [
      'script-src-elem inline',
      'script-src-attr inline',
      'style-src-attr inline',
      'img-src https://example.com/x.png',
    ]) {
      await vi.waitFor(async () => {
        expect(await report.complaints()).toContain(`console: policy: ${violation}`);
      });
    }
    expect(await report.complaints()).not.toContain('code of the data ran');
  });

  it('is watched by something that notices code of the data', async () => {
    const report = await reports.open('hostile.html');
    await report.page.evaluate('globalThis.hacked = 1');
    expect(await report.complaints()).toEqual(['code of the data ran']);
  });
});
