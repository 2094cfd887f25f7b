import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { anyTaskRun, resultsOf, taskRunRecord, textOf } from '../../testing/task-run-records.js';
import type { ResultsFile } from '../results/results-file.js';
import { poolFile } from './reporter.js';
import { writeTap } from './tap.js';

const tapOf = (results: ResultsFile) => textOf(writeTap(poolFile(results)));

describe('tapReport', () => {
  it('names the variant of a point', async () => {
    const text = await tapOf(resultsOf([taskRunRecord({ variant: 'gpt-5', run: 2, runs: 3 })]));
    expect(text).toContain('ok 1 - feed [gpt-5] (run 2 of 3)\n');
  });

  it('has a point for each task run', async () => {
    const failure = { category: 'timeout', message: 'took\ntoo long', evidence: 1 } as const;
    const runs = [
      taskRunRecord({ task: 'a # skip' }),
      taskRunRecord({ task: 'b', outcome: 'timeout', failure, durationMs: null }),
    ];
    expect(await tapOf(resultsOf(runs))).toBe(
      [
        'TAP version 14',
        'ok 1 - a \\# skip',
        '  ---',
        '  duration_ms: 1000',
        '  attempt: 1',
        '  calls: 0',
        '  ...',
        'not ok 2 - b',
        '  ---',
        '  attempt: 1',
        '  calls: 0',
        '  severity: "fail"',
        '  category: "timeout"',
        '  message: "took\\ntoo long"',
        '  ...',
        '1..2',
        '',
      ].join('\n'),
    );
  });

  it('plans task runs that did not happen', async () => {
    const tap = await tapOf(resultsOf([taskRunRecord()], { planned: 3 }));
    expect(tap).toContain('1..3\nBail out! 2 planned without a verdict\n');
  });

  it('has one line for each point and YAML below it, whatever the results hold', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTaskRun), async (taskRuns) => {
        const tap = await tapOf(resultsOf(taskRuns));
        const points = tap.split('\n').filter((line) => /^(not )?ok \d+ - /.test(line));
        expect(points).toHaveLength(taskRuns.length);
        expect(points.every((point) => !/[^\\]#/.test(point.replaceAll('\\\\', '')))).toBe(true);
        const blocks = tap.match(/^ {2}---\n(?: {2}[^\n]*\n)*? {2}\.\.\.\n/gm) ?? [];
        expect(blocks).toHaveLength(taskRuns.length);
        for (const block of blocks) {
          expect(parse(block.replace(/^ {2}(---|\.\.\.)\n/gm, ''))).toHaveProperty('attempt');
        }
      }),
    );
  });
});
