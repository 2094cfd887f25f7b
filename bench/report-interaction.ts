import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { startBrowser } from '../test/support/browser.js';
import { writeGeneratedResults } from '../test/support/report-results.js';
import type { Benchmark } from './benchmark.js';
import { processTime, proctorProgram } from './process-time.js';

/** What people do not notice. */
const immediateMs = 100;
/** For what one does once. */
const bearableMs = 2000;

const giveUpAfterMs = 10_000;

/** Measures in the page: what it does, until the frame that shows it. */
const untilShown = (action: string, isDone: string) => `new Promise((resolve, reject) => {
  const start = performance.now();
  ${action};
  const look = () => requestAnimationFrame(() => {
    if (performance.now() - start > ${giveUpAfterMs}) return reject(new Error('nothing came of it'));
    if (!(${isDone})) return look();
    const frame = new MessageChannel();
    frame.port1.onmessage = () => resolve(performance.now() - start);
    frame.port2.postMessage(undefined);
  });
  look();
})`;

const status = `document.querySelector('[role=status]').textContent`;
const search = (text: string) => `const field = document.querySelector('input[type=search]');
  field.value = ${JSON.stringify(text)};
  field.dispatchEvent(new Event('input', { bubbles: true }))`;
const sortButton = `[...document.querySelectorAll('th button')]
  .find(({ textContent }) => textContent.includes('duration'))`;
const rowsInSight = `[...document.querySelectorAll('[data-row]')].some((row) => {
  const { top } = row.getBoundingClientRect();
  return top > 0 && top < innerHeight;
})`;

interface Interaction {
  name: string;
  does: string;
  /** Brings the page to where it begins; not measured. */
  before: { action: string; isDone: string };
  action: string;
  isDone: string;
}

const showAll = { action: search(''), isDone: `/^all /.test(${status})` };
const showList = {
  action: `${showAll.action}; document.querySelector('.run-list').scrollIntoView()`,
  isDone: rowsInSight,
};

const interactions: readonly Interaction[] = [
  {
    name: 'report-filter',
    does: 'filter 10,000 task runs by text',
    before: showAll,
    action: search('task 49'),
    isDone: `/^300 of /.test(${status})`,
  },
  {
    name: 'report-sort',
    does: 'sort 10,000 task runs',
    before: showList,
    action: `const first = document.querySelector('[data-row] a').hash; ${sortButton}.click()`,
    isDone: `document.querySelector('[data-row] a').hash !== first`,
  },
  {
    name: 'report-scroll',
    does: 'scroll to the middle of 10,000 task runs',
    before: showList,
    action: `scrollTo(0, document.documentElement.scrollHeight * (0.3 + Math.random() * 0.6))`,
    isDone: rowsInSight,
  },
  {
    name: 'report-open-run',
    does: 'open one of 10,000 task runs',
    before: {
      action: `location.hash = '#/'`,
      isDone: `document.querySelector('.run-list') !== null`,
    },
    action: `location.hash = '#/run/0/task%20' + Math.floor(Math.random() * 500) + '/7'`,
    isDone: `document.querySelector('.story li') !== null`,
  },
  {
    name: 'report-back',
    does: 'go back from a task run to all 10,000',
    before: {
      action: `location.hash = '#/run/0/task%20' + Math.floor(Math.random() * 500) + '/7'`,
      isDone: `document.querySelector('.story li') !== null`,
    },
    action: `history.back()`,
    isDone: `document.querySelector('.run-list [data-row]') !== null`,
  },
];

interface OpenReport {
  page: Page;
  url: string;
  /** Of results and report. */
  bytes: { results: number; report: number };
  close(): Promise<void>;
}

/** A report of 10,000 task runs with 200,000 calls, in a browser. */
async function openReport(folder: string): Promise<OpenReport> {
  const results = path.join(folder, 'out.json');
  const report = path.join(folder, 'out.html');
  await writeGeneratedResults(results, { tasks: 500, runs: 20, calls: 20 });
  processTime([proctorProgram, 'report', results, '--out', report]);
  const bytes = { results: (await stat(results)).size, report: (await stat(report)).size };
  const { browser, close } = await startBrowser();
  const url = pathToFileURL(report).href;
  return { page: await browser.newPage(), url, bytes, close };
}

async function loadTime({ page, url }: OpenReport): Promise<number> {
  await page.goto('about:blank');
  const start = performance.now();
  await page.goto(url);
  await page.getByText('all 10,000 task runs').waitFor();
  return performance.now() - start;
}

const opening: Benchmark = {
  name: 'report-opening',
  measures: 'report of 10,000 task runs usable after',
  against: 'what people wait for',
  unit: 'ms',
  budget: { atMost: 1 },
  rounds: 5,
  async prepare(folder) {
    const report = await openReport(folder);
    return {
      measure: () => loadTime(report),
      measureBaseline: () => bearableMs,
      close: report.close,
    };
  },
};

const size: Benchmark = {
  name: 'report-size',
  measures: 'report of 10,000 task runs',
  against: 'its results',
  unit: 'MB',
  budget: { atMost: 0.25 },
  rounds: 1,
  async prepare(folder) {
    const { bytes, close } = await openReport(folder);
    return {
      measure: () => bytes.report / 1e6,
      measureBaseline: () => bytes.results / 1e6,
      close,
    };
  },
};

function interactionBenchmark({ name, does, before, action, isDone }: Interaction): Benchmark {
  return {
    name,
    measures: does,
    against: 'what feels immediate',
    unit: 'ms',
    budget: { atMost: 1 },
    rounds: 10,
    async prepare(folder) {
      const report = await openReport(folder);
      await loadTime(report);
      return {
        async measure() {
          await report.page.evaluate(untilShown(before.action, before.isDone));
          return report.page.evaluate<number>(untilShown(action, isDone));
        },
        measureBaseline: () => immediateMs,
        close: report.close,
      };
    },
  };
}

export const reportBenchmarks: readonly Benchmark[] = [
  size,
  opening,
  ...interactions.map(interactionBenchmark),
];
