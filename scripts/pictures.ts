/**
 * Makes the pictures of the README that show a run and its report: the demo is run with an agent that
 * makes a mistake, compared with a run without, and looked at in a terminal and in a browser. They show
 * times, so they are different each time, and CI does not compare them.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { startBrowser } from '../test/support/browser.js';
import { terminalPicture } from './terminal-picture.js';

const root = path.resolve(import.meta.dirname, '..');
const quickstart = path.join(root, 'examples/quickstart');
const images = path.join(root, 'docs/images');
const folder = mkdtempSync(path.join(tmpdir(), 'proctor-pictures-'));

/** What a command prints on a terminal that is as wide as a page. */
function proctor(...words: string[]): string {
  const program = path.join(root, 'dist/proctor.cjs');
  const { PATH = '' } = process.env;
  try {
    return execFileSync(process.execPath, [program, ...words], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH, HOME: folder, TMPDIR: folder, FORCE_COLOR: '1', LANG: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch (error) {
    // Something did not pass, which is what the pictures show.
    const { status, stdout } = error as { status: number; stdout: string };
    if (status === 1) return stdout;
    throw error;
  }
}

function writeTerminal(name: string, ...words: string[]): void {
  const picture = terminalPicture(`proctor ${words.join(' ')}`, proctor(...words));
  writeFileSync(path.join(images, name), picture);
}

async function writePage(browser: Browser, name: string, hash: string, scheme: 'light' | 'dark') {
  const page = await browser.newPage({
    viewport: { width: 1200, height: 760 },
    deviceScaleFactor: 1.5,
    colorScheme: scheme,
  });
  await page.goto(`${pathToFileURL(path.join(folder, 'report.html'))}${hash}`);
  await page.getByRole('main').waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: path.join(images, name) });
  await page.close();
}

try {
  const evalFile = path.join(quickstart, 'eval.yaml');
  // Under the name of the agent that it is compared with, as diff compares like with like.
  const agent = path.join(folder, 'hasty.yaml');
  const hasty = readFileSync(path.join(quickstart, 'agents/hasty.yaml'), 'utf8');
  writeFileSync(agent, hasty.replace('name: hasty', 'name: scripted'));
  const base = path.join(quickstart, 'agents/scripted.yaml');
  proctor('check', evalFile, '-n', '5', '--agent', base, '--out', 'main.json');
  proctor('check', evalFile, '-n', '5', '--agent', agent, '--out', 'change.json');
  writeTerminal('view.svg', 'view', 'change.json', '--task', 'green-tea', '--run', '1');
  writeTerminal('diff.svg', 'diff', '--base', 'main.json', '--current', 'change.json');
  proctor('report', 'change.json', '--title', 'quickstart', '--out', 'report.html');
  const { browser, close } = await startBrowser();
  try {
    await writePage(browser, 'report-overview.png', '', 'light');
    await writePage(browser, 'report-task-run.png', '#/run/0/merge-green-tea/1', 'dark');
  } finally {
    await close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
