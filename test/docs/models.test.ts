import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { documentedUntil, exampleModels, findShutdown } from '../../src/config/models.js';
import { Prices } from '../../src/prices/prices.js';

const root = path.resolve(import.meta.dirname, '../..');

/** Ids of models, by provider. A dot at the end belongs to the sentence. */
const ids = {
  openai: /\b(?:gpt-\d[\w.-]*\w|o[1-9](?:-mini|-pro)?\b)/g,
  anthropic: /\bclaude-(?:\d|fable|haiku|opus|sonnet)[\w.-]*\w/g,
  google: /\bgemini-\d[\w.-]*\w/g,
};

/** Every text that people read, but for the table of prices, which has models of the past too. */
const documented = ['README.md', 'action.yml', ...below('docs'), ...below('examples')].filter(
  (file) => /\.(md|ya?ml|json|svg|sh|ts|mjs)$/.test(file) && file !== 'docs/reference/prices.md',
);

function below(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

function modelsIn(text: string): { provider: string; model: string }[] {
  return Object.entries(ids).flatMap(([provider, pattern]) =>
    [...text.matchAll(pattern)].map(([model]) => ({ provider, model })),
  );
}

it('every model that documentation and examples name has a price and lives on', () => {
  const flaws = documented.flatMap((file) =>
    modelsIn(readFileSync(path.join(root, file), 'utf8')).flatMap(({ provider, model }) => {
      const shutdown = findShutdown(provider, model);
      if (!new Prices().of(provider, model)) return [`${file}: ${model} has no price`];
      if (shutdown === undefined || shutdown >= documentedUntil) return [];
      return [`${file}: ${model} is shut down on ${shutdown}`];
    }),
  );
  expect(flaws).toEqual([]);
});

it('the models of the one place are among those that are documented', () => {
  const text = documented.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const named = new Set(modelsIn(text).map(({ model }) => model));
  for (const model of Object.values(exampleModels)) expect(named).toContain(model);
});

it.each([
  ['openai', 'gpt-5-mini', '2026-12-11'],
  ['openai', 'gpt-5-mini-2025-08-07', '2026-12-11'],
  ['openai', 'gpt-4o-2024-05-13', '2026-10-23'],
  ['openai', 'gpt-4o-2024-08-06', '2027-01-14'],
  ['openai', 'gpt-5-minimal', undefined],
  ['openai-compatible', 'gpt-5-mini', undefined],
  ['constructor', 'name', undefined],
])('the shutdown of %s:%s is known as %s', (provider, model, day) => {
  expect(findShutdown(provider, model)).toBe(day);
});
