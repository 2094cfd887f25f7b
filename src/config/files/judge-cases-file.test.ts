import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Problems } from '../problems/problem.js';
import { readJudgeCases } from './judge-cases-file.js';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'judge-cases-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function read(text: string) {
  const file = path.join(folder, 'cases.yaml');
  await writeFile(file, text);
  const problems = new Problems();
  return { cases: readJudgeCases(file, problems), problems: problems.report().problems };
}

const right = `- name: right
  prompt: Where is the cat?
  answer: On the mat.
  reference: on the mat
  mode: contains
  expected: pass
`;

const wrong = `
- prompt: Where is the cat?
  answer: ""
  reference: on the mat
  mode: exact
  expected: false
`;

it('reads cases with their lines, and names those that have no name', async () => {
  const { cases, problems } = await read(right + wrong);
  expect(problems).toEqual([]);
  expect(cases).toEqual([
    {
      name: 'right',
      line: 1,
      mode: 'contains',
      prompt: 'Where is the cat?',
      answer: 'On the mat.',
      reference: 'on the mat',
      expected: true,
    },
    expect.objectContaining({ name: 'case 2', line: 8, answer: '', expected: false }),
  ]);
});

it('reads a case with a key that means nothing, and says so', async () => {
  const { cases, problems } = await read(`${right}  votes: 3\n${wrong}`);
  expect(cases).toHaveLength(2);
  expect(problems).toMatchObject([{ code: 'unknown-key', severity: 'warning', line: 7 }]);
});

it.each([
  ['an empty list', '[]', 'empty-list'],
  ['a map', 'cases: []', 'wrong-type'],
  ['a case that is no map', '- x', 'wrong-type'],
  ['a case without a label', right.replace(/ {2}expected.*\n/, ''), 'missing-field'],
  ['two documents', `${right}---\n${right}`, 'several-documents'],
])('reads nothing out of %s', async (_name, text, code) => {
  const { cases, problems } = await read(text);
  expect(cases).toBeUndefined();
  expect(problems).toMatchObject([{ code, severity: 'error' }]);
});

it.each([
  ['pass', right],
  ['fail', wrong.trimStart()],
])('warns if every case is expected to %s', async (label, text) => {
  const { cases, problems } = await read(text + text);
  expect(cases).toHaveLength(2);
  expect(problems).toMatchObject([{ code: 'one-sided-cases', severity: 'warning' }]);
  expect(problems[0]?.message).toContain(`every case is expected to ${label}`);
});
