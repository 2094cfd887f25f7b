import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { onLoneTestFinished } from '../../testing/test-end.js';
import { type OwnBrowser, startBrowser } from './browser.js';
import { ReportFolder } from './report-folder.js';
import { OpenReport } from './report-in-browser.js';

interface Browsing {
  /** For the results that reports are made of; empty before `prepare`. */
  folder: ReportFolder;
  /** Opens a report of the folder until the test ends. */
  open(name: string, options?: BrowserContextOptions & { hash?: string }): Promise<OpenReport>;
}

/** As for a test. */
const longEnough = 120_000;

/** One browser and one folder for all tests of a file. */
export function browsing(prepare: (folder: ReportFolder) => Promise<void>): Browsing {
  let browser: OwnBrowser | undefined;
  let folder: ReportFolder | undefined;
  beforeAll(async () => {
    folder = await ReportFolder.create();
    [browser] = await Promise.all([startBrowser(), prepare(folder)]);
  }, longEnough);
  afterAll(async () => {
    await browser?.close();
    await folder?.remove();
  });
  const made = () => {
    if (!browser || !folder) throw new Error('the browser has not been started');
    return { browser, folder };
  };
  return {
    get folder() {
      return made().folder;
    },
    async open(name, options) {
      const { browser, folder } = made();
      const report = await OpenReport.open(browser.browser, folder.file(name), options);
      onLoneTestFinished(() => report.close());
      return report;
    },
  };
}
