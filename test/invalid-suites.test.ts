import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Problem } from '../src/config/problems/problem.js';
import { problemCodes } from '../src/config/problems/problem-codes.js';
import { fixtures, proctor } from './support/cli.js';

/**
 * Each folder below `invalid` is a suite with something wrong. Its expected.txt has a line per
 * problem, `FILE:LINE:COLUMN-ENDLINE:ENDCOLUMN SEVERITY CODE`, and optionally, first, `$ ` with the
 * arguments to run (default: `validate eval.yaml`) and `NAME=value` lines for the environment.
 */
const folder = path.join(fixtures, 'invalid');
const names = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
  .map((entry) => entry.name);

interface Expected {
  args: string[];
  env: Record<string, string>;
  problems: string[];
}

function readExpected(name: string): Expected {
  const expected: Expected = { args: ['validate', 'eval.yaml'], env: {}, problems: [] };
  const text = readFileSync(path.join(folder, name, 'expected.txt'), 'utf8');
  for (const line of text.split('\n')) {
    const variable = /^([A-Z_]+)=(.*)$/.exec(line);
    if (line.startsWith('$ ')) expected.args = line.slice(2).split(' ');
    else if (variable) expected.env[variable[1] ?? ''] = variable[2] ?? '';
    else if (line.trim() !== '' && !line.startsWith('#')) expected.problems.push(line.trim());
  }
  return expected;
}

function summary({ file, line, column, endLine, endColumn, severity, code }: Problem): string {
  return `${file}:${line}:${column}-${endLine}:${endColumn} ${severity} ${code}`;
}

describe('invalid suites', () => {
  it('are at least 120', () => {
    expect(names.length).toBeGreaterThanOrEqual(120);
  });

  it('show every problem there is', () => {
    const shown = new Set(names.flatMap((name) => readExpected(name).problems.map(codeOf)));
    const missing = Object.keys(problemCodes).filter((code) => !shown.has(code));
    expect(missing).toEqual([]);
  });

  it.concurrent.each(names)('%s', async (name) => {
    const { args, env, problems } = readExpected(name);
    const cwd = path.join(folder, name);
    const { exitCode, stdout, stderr } = await proctor([...args, '-o', 'json'], { cwd, env });
    expect(stderr).toBe('');
    const report = JSON.parse(stdout) as { problems: Problem[]; errors: number };
    expect(report.problems.map(summary)).toEqual(problems);
    expect(exitCode).toBe(report.errors > 0 ? 2 : 0);
    for (const problem of report.problems) expect(problem.message).toMatch(/^\S.*\S$/);
  });
});

const codeOf = (line: string) => line.split(' ').at(-1) ?? '';
