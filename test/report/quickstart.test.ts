import path from 'node:path';
import { expect, it } from 'vitest';
import { examples, proctor } from '../support/cli.js';
import { browsing } from '../support/report-browsing.js';
import { textOf } from '../support/report-in-browser.js';

const reports = browsing(async (folder) => {
  const evalFile = path.join(examples, 'quickstart/eval.yaml');
  const results = folder.file('out.json');
  await proctor(['check', evalFile, '--out', results], { cwd: folder.path });
  await folder.written('out.json');
  await folder.written('out.jsonl', '--out', 'journal.html');
});

it.for(['out.html', 'journal.html'])('a real check can be read in its report: %s', async (name) => {
  const { index, taskRuns } = await reports.folder.content(name);
  expect(taskRuns.length).toBeGreaterThan(0);
  const report = await reports.open(name);
  expect(await report.page.title()).toBe('quickstart');
  for (const [place, { task, run, calls, outcome }] of taskRuns
    .flatMap((each) => each ?? [])
    .entries()) {
    expect(index.taskRuns.outcome[place]).toBe(outcome);
    await report.page.goto(`${report.url}#/run/0/${encodeURIComponent(task)}/${run}`);
    await report.page.getByRole('heading', { name: task, level: 1 }).waitFor();
    const story = report.page.getByRole('region', { name: 'What happened' });
    for (const call of calls) expect(await textOf(story)).toContain(call.name);
  }
  expect(await report.complaints()).toEqual([]);
});
