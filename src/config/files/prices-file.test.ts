import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleModels } from '../models.js';
import { Problems } from '../problems/problem.js';
import { readPricesFile } from './prices-file.js';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'prices-'));
});

afterAll(() => rm(folder, { recursive: true }));

async function read(text: string) {
  const file = path.join(folder, 'prices.yaml');
  await writeFile(file, text);
  const problems = new Problems();
  const models = readPricesFile(file, problems)?.models;
  const found = problems.report().problems.map(({ line, column, code, message, hint }) => ({
    place: `${line}:${column}`,
    code,
    message,
    hint,
  }));
  return { models, found };
}

it('reads prices by provider and model, whose id may have colons too', async () => {
  const { models, found } = await read(`models:
  openai:gpt-5-mini: { input: 0.25, cachedInput: 0.025, cacheWrite: 0.3, output: 2 }
  gemini:gemini-x: { input: 1, output: 2 }
  openai-compatible:qwen3:32b: { input: 0, output: 0 }
`);
  expect(found).toEqual([]);
  expect(models).toEqual([
    {
      provider: 'openai',
      model: 'gpt-5-mini',
      price: { input: 0.25, cachedInput: 0.025, cacheWrite: 0.3, output: 2 },
    },
    { provider: 'google', model: 'gemini-x', price: { input: 1, output: 2 } },
    { provider: 'openai-compatible', model: 'qwen3:32b', price: { input: 0, output: 0 } },
  ]);
});

it('reads JSON too', async () => {
  const { models } = await read('{"models": {"openai:x": {"input": 1, "output": 2}}}');
  expect(models).toEqual([{ provider: 'openai', model: 'x', price: { input: 1, output: 2 } }]);
});

it('reports every problem at its place', async () => {
  const { found } = await read(`models:
  gpt-5-mini: { input: 1, output: 2 }
  opena:gpt-5: { input: 1, output: 2 }
  openai:a: { input: -1, output: 2 }
  openai:b: { input: 1 }
  openai:c: { input: 1, output: "2" }
  openai:d: { input: 1, output: 2, outptu: 3 }
  google:e: { input: 1, output: 2 }
  gemini:e: { input: 1, output: 3 }
`);
  expect(found).toMatchObject([
    { place: '2:3', code: 'invalid-value', hint: `such as openai:${exampleModels.small}` },
    { place: '3:3', code: 'invalid-value', hint: 'did you mean openai?' },
    { place: '4:22', code: 'out-of-range' },
    { place: '5:3', code: 'missing-field' },
    { place: '6:33', code: 'wrong-type' },
    { place: '7:36', code: 'unknown-key' },
    { place: '9:3', code: 'duplicate-key' },
  ]);
});

it('says what it expects of a file that is something else', async () => {
  const { found } = await read('kind: Eval\n');
  expect(found).toMatchObject([{ code: 'missing-field' }, { code: 'unknown-key' }]);
});
