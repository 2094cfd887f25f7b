import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { browserProgram } from './browser-program.js';

const flags = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
];

export interface OwnBrowser {
  browser: Browser;
  close(): Promise<void>;
}

/** A Chromium with a home of its own; nothing of the machine's settings gets in. */
export async function startBrowser(): Promise<OwnBrowser> {
  const { executable, libraries, fonts } = await browserProgram();
  const home = await mkdtemp(path.join(tmpdir(), 'proctor-browser-'));
  const browser = await chromium.launch({
    executablePath: executable,
    args: flags,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: home,
      TMPDIR: home,
      LD_LIBRARY_PATH: libraries,
      FONTCONFIG_PATH: fonts,
    },
  });
  return {
    browser,
    async close() {
      await browser.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
