import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Problem } from '../../src/config/problems/problem.js';
import { problemCodes } from '../../src/config/problems/problem-codes.js';
import {
  prepareInvalidSuites,
  readInvalidSuites,
  writeInvalidSuite,
} from '../../testing/invalid-suites.js';
import type { SuiteCase } from '../../testing/suite-table.js';
import { runInProcess } from '../support/cli-in-process.js';
import { type ProcessResult, runProctor } from '../support/proctor-process.js';
import { largeSuites } from './large-suites.js';

const topics = readInvalidSuites();
const cases = [...topics.flatMap((topic) => topic.cases), ...largeSuites];

/** What starts processes or waits for signals, and the first case of each topic: they run the built program. */
const needProcess = new Set([
  ...cases.filter(({ expected }) =>
    expected.some((line) => /^\$ (check|judge-eval|.*--connect)\b/.test(line)),
  ),
  ...topics.flatMap((topic) => topic.cases.slice(0, 1)),
]);
const byName = cases.map((suite) => [suite.name, suite] as const);

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'proctor-invalid-')));
  await prepareInvalidSuites(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('invalid suites', () => {
  it('are at least 680, each with a name of its own', () => {
    expect(cases.length).toBeGreaterThanOrEqual(680);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  it('have a case for every problem code', () => {
    const shown = new Set(cases.flatMap((suite) => readExpected(suite).problems.map(codeAtEnd)));
    const missing = Object.keys(problemCodes).filter((code) => !shown.has(code));
    expect(missing).toEqual([]);
  });

  it.each(byName.filter(([, suite]) => !needProcess.has(suite)))(
    '%s: every problem is found, at its place',
    async (_, suite) => {
      const { args, env, problems } = readExpected(suite);
      const cwd = await writeInvalidSuite(folder, suite);
      const result = await runInProcess([...args, '-o', 'json'], { cwd, env });
      expectProblems(result, problems);
    },
  );

  it.concurrent.each(byName.filter(([, suite]) => needProcess.has(suite)))(
    '%s: the program finds every problem, at its place',
    async (_, suite) => {
      const { args, env, problems } = readExpected(suite);
      const cwd = await writeInvalidSuite(folder, suite);
      expectProblems(await runProctor([...args, '-o', 'json'], { cwd, env }), problems);
    },
  );
});

interface Expected {
  args: string[];
  env: Record<string, string>;
  problems: string[];
}

function readExpected(suite: SuiteCase): Expected {
  const expected: Expected = { args: ['validate', 'eval.yaml'], env: {}, problems: [] };
  for (const line of suite.expected) {
    const variable = /^([A-Z_]+)=(.*)$/.exec(line);
    if (line.startsWith('$ ')) expected.args = line.slice(2).split(' ');
    else if (variable) expected.env[variable[1] ?? ''] = variable[2] ?? '';
    else expected.problems.push(line.trim());
  }
  return expected;
}

function expectProblems(
  { exitCode, stdout, stderr }: ProcessResult,
  problems: readonly string[],
): void {
  expect(stderr).toBe('');
  const report = JSON.parse(stdout) as { problems: Problem[]; errors: number };
  expect(report.problems.map(formatProblem)).toEqual(problems);
  expect(exitCode).toBe(report.errors > 0 ? 2 : 0);
  for (const problem of report.problems) expect(problem.message).toMatch(/^\S.*\S$/);
}

function formatProblem({ file, line, column, endLine, endColumn, severity, code }: Problem) {
  return `${file}:${line}:${column}-${endLine}:${endColumn} ${severity} ${code}`;
}

function codeAtEnd(problem: string): string {
  return problem.split(' ').at(-1) ?? '';
}
