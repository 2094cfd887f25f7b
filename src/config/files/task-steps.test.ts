import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Problems } from '../problems/problem.js';
import { readDataFile } from '../yaml/data-file.js';
import { readTask } from './task-file.js';
import { canNeverFail } from './task-steps.js';

/** Reads a task that has only this step. */
function read(step: object) {
  const folder = mkdtempSync(join(tmpdir(), 'proctor-task-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'task.json');
  const spec = { prompt: { inline: 'Do it.' }, verify: [step] };
  writeFileSync(path, JSON.stringify({ kind: 'Task', metadata: { name: 'task' }, spec }));
  const problems = new Problems();
  const file = readDataFile(path, problems);
  const task = file && readTask(file, problems);
  return { steps: task?.steps, problems: problems.report().problems };
}

const url = 'http://localhost/';

it('takes the time limit of an http step from within it, unless one stands beside it', () => {
  expect(read({ http: { url, timeout: '3s' } }).steps).toMatchObject([{ timeout: '3s' }]);
  expect(read({ timeout: '2s', http: { url, timeout: '3s' } }).steps).toMatchObject([
    { timeout: '2s' },
  ]);
  expect(read({ http: { url } }).steps?.[0]).not.toHaveProperty('timeout');
});

it('keeps a null that a field must equal', () => {
  const fields = [{ path: 'a', equals: null }];
  const { steps, problems } = read({ http: { url, expect: { body: { fields } } } });
  expect(problems).toEqual([]);
  expect(steps).toMatchObject([{ data: { expect: { body: { fields } } } }]);
});

it('takes a placeholder in a path, and nothing that is no path', () => {
  const withPath = (path: string) =>
    read({ http: { url, expect: { body: { fields: [{ path }] } } } }).problems;
  expect(withPath('items[{steps.find.stdout}].{random.id}')).toEqual([]);
  expect(withPath('items[first]')).toMatchObject([{ code: 'invalid-value' }]);
});

it.each([
  [{ statusCode: 500 }, 'unknown-expectation'],
  [{ body: { feilds: [{ path: 'name' }] } }, 'unknown-expectation'],
  [{ body: { fields: [{ path: 'name', equal: 'x' }] } }, 'unknown-expectation'],
  [{ status: null }, 'wrong-type'],
  [{ body: null }, 'missing-field'],
  [{ body: {} }, 'missing-field'],
  [{ body: { match: null } }, 'wrong-type'],
  [{ body: { fields: null } }, 'empty-list'],
  [{ body: { fields: [{ path: 'name', match: null }] } }, 'wrong-type'],
])('refuses %j, which would expect nothing', (expected, code) => {
  const { problems } = read({ http: { url, expect: expected } });
  expect(problems).toMatchObject([{ code, severity: 'error' }]);
});

it('needs no expectation', () => {
  expect(read({ http: { url } }).problems).toEqual([]);
});

it.each([null, {}])('refuses %j as an expectation, as it would expect nothing', (expected) => {
  expect(read({ http: { url, expect: expected } }).problems).toMatchObject([
    { code: 'missing-field' },
  ]);
});

describe('cannotFail', () => {
  it.each([
    'true',
    ':',
    'exit 0',
    ' true ;',
    'exit 1 | true',
    'kubectl get pod web || true',
    'grep -q x file; exit 0',
    'grep -q x file\nexit 0\n',
    '#!/usr/bin/env bash\n# to do\ntrue\n',
    '#!/bin/sh\nset -euo pipefail\ntrue\n',
    '#!/bin/bash -e\ntrue\n',
    'echo checking\ncat file | grep x\n:',
  ])('sees that %j exits with 0 whatever happened', (text) => {
    expect(canNeverFail(text)).toBe(true);
  });

  it.each([
    'test -f file',
    'false',
    'exit 1',
    'exit 1 || true',
    'exit 01',
    'grep -q x file\nexit',
    'true && test -f file',
    'set -e\ngrep -q x file\ntrue',
    '#!/bin/bash -e\ngrep -q x file\ntrue',
    '#!/bin/sh -ue\ngrep -q x file\nexit 0',
    'set -o pipefail; exit 1 | true',
    'set -o pipefail\nexit 1 | true',
    'grep -q x file || exit 1\nexit 0',
    'if ! grep -q x file; then exit 1; fi\ntrue',
    ': "${NAME:?must be set}"\ntrue',
    ': "${NAME:?must be set}"',
    'eval "$CHECK"\ntrue',
    '. ./check.sh\ntrue',
    'exec ./check\ntrue',
    '#!/usr/bin/env python3\nimport check\ntrue',
    'echo it is true',
    'cat <<END\nexit 0\nEND\ntest -f file',
    './check \\\n  true',
    '[ "$answer" = true ]',
    'test "$x" = :',
  ])('takes %j to be in order', (text) => {
    expect(canNeverFail(text)).toBe(false);
  });
});
