import { EvaluationsFold } from '../../analysis/summary/evaluations.js';
import type { PooledResults } from '../../results/pooled-results.js';
import { plainVerdict } from '../plain-verdict.js';
import { junitCase, missingSuite } from './junit-case.js';
import { countAttributes, type JunitCounts, JunitSuite } from './junit-suite.js';

const reading = { withoutCallResults: true } as const;

/**
 * Results as JUnit XML, piece by piece: a suite for each file, a case for each task run. Every
 * program that reads JUnit shows the names of cases; what it makes of suites differs. The counts come
 * first, so the results are read twice.
 *
 * A case has no place for properties in the schema of Jenkins: those of task runs are the suite's,
 * under the name of the case.
 */
export async function* junitReport(source: PooledResults): AsyncGenerator<string> {
  const { suites, notRun } = await surveyed(source);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  const counts = sumOf([...suites.map((suite) => suite.counts), ...(notRun > 0 ? [missing] : [])]);
  yield `<testsuites name="proctor" ${countAttributes(counts).join(' ')}>\n`;
  let open: JunitSuite | undefined;
  for await (const { file, taskRun } of source.taskRuns(reading)) {
    const suite = suites.find((each) => each.file === file);
    if (!suite) continue;
    if (suite !== open) {
      if (open) yield ' </testsuite>\n';
      yield* suite.start();
      open = suite;
    }
    yield junitCase(taskRun, plainVerdict(taskRun, file.header), suite.name);
  }
  if (open) yield ' </testsuite>\n';
  if (notRun > 0) yield missingSuite(notRun);
  yield '</testsuites>\n';
}

async function surveyed(source: PooledResults) {
  const suites = source.files.map((file) => new JunitSuite(file));
  const evaluations = new EvaluationsFold(source.files);
  for await (const { file, taskRun } of source.taskRuns(reading)) {
    evaluations.add(file, taskRun);
    const suite = suites.find((each) => each.file === file);
    suite?.add(taskRun, plainVerdict(taskRun, file.header));
  }
  return { suites, notRun: evaluations.notRun };
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
