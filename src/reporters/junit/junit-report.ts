import { reachedText } from '../../analysis/budget-text.js';
import { EvaluationsFold } from '../../analysis/summary/evaluations.js';
import type { PooledResults } from '../../results/pooled-results.js';
import { plainVerdict } from '../plain-verdict.js';
import { junitCase, missingSuite } from './junit-case.js';
import { propertiesOf } from './junit-properties.js';
import { countAttributes, type JunitCounts, JunitSuite } from './junit-suite.js';

const reading = { withoutCallResults: true } as const;

/**
 * Results as JUnit XML, piece by piece: a suite for each file, a case for each task run. Every
 * program that reads JUnit shows the names of cases; what it makes of suites differs. The counts and the
 * properties come first and would fill the memory, so the results are read three times.
 */
export async function* junitReport(source: PooledResults): AsyncGenerator<string> {
  const { suites, notRun, reasons } = await surveyed(source);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  const counts = sumOf([...suites.map((suite) => suite.counts), ...(notRun > 0 ? [missing] : [])]);
  yield `<testsuites name="proctor" ${countAttributes(counts).join(' ')}>\n`;
  for (const suite of suites) {
    if (suite.counts.tests > 0) yield* suiteText(suite, source);
  }
  if (notRun > 0) yield missingSuite(notRun, reasons);
  yield '</testsuites>\n';
}

async function* suiteText(suite: JunitSuite, source: PooledResults): AsyncGenerator<string> {
  const { name, file, startTag, properties } = suite;
  const all = { ...reading, of: file };
  yield `${startTag}  <properties>\n${properties.join('')}`;
  for await (const { taskRun } of source.taskRuns(all)) yield propertiesOf(taskRun).join('');
  yield '  </properties>\n';
  for await (const { taskRun } of source.taskRuns(all)) {
    yield junitCase(taskRun, plainVerdict(taskRun, file.header), name);
  }
  yield ' </testsuite>\n';
}

async function surveyed(source: PooledResults) {
  const suites = source.files.map((file) => new JunitSuite(file));
  const evaluations = new EvaluationsFold(source.files);
  for await (const { file, taskRun } of source.taskRuns(reading)) {
    evaluations.add(file, taskRun);
    const suite = suites.find((each) => each.file === file);
    suite?.add(taskRun, plainVerdict(taskRun, file.header));
  }
  const { notRun, budgets } = evaluations;
  return { suites, notRun, reasons: budgets.map(reachedText) };
}

/** What `missingSuite` has. */
const missing: JunitCounts = { tests: 1, failures: 0, errors: 1, milliseconds: 0 };

function sumOf(all: readonly JunitCounts[]): JunitCounts {
  const sum = { tests: 0, failures: 0, errors: 0, milliseconds: 0 };
  for (const counts of all) {
    sum.tests += counts.tests;
    sum.failures += counts.failures;
    sum.errors += counts.errors;
    sum.milliseconds += counts.milliseconds;
  }
  return sum;
}
