import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { GitRepository } from '../../testing/git-repository.js';
import { resolveSources } from './resolve-sources.js';

it('takes files that came in a bundle without those that do not travel, and no others', async ({
  onTestFinished,
}) => {
  const repository = await GitRepository.create({ '.env': 'TOKEN=x\n', 'tasks/a.yaml': '' });
  onTestFinished(() => repository.remove());
  const folder = await mkdtemp(path.join(tmpdir(), 'proctor-sources-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const evalPath = path.join(folder, 'eval.yaml');
  const config = {
    agent: { type: 'file', path: 'agent.yaml' },
    mcpConfigFile: 'mcp.yaml',
    sources: { upstream: { repo: repository.folder } },
    taskSets: [{ source: 'upstream', glob: 'tasks/*.yaml' }],
  };
  await writeFile(evalPath, JSON.stringify({ kind: 'Eval', metadata: { name: 'e' }, config }));
  const environment = {
    PATH: process.env.PATH,
    HOME: folder,
    PROCTOR_CACHE_DIR: path.join(folder, 'cache'),
  };
  const resolve = async (options: Partial<Parameters<typeof resolveSources>[1]>) => {
    const all = { mode: 'offline' as const, environment, onProgress: () => {}, ...options };
    return (await resolveSources(evalPath, all)).get('upstream');
  };

  const made = await resolve({ mode: 'fetch', besideEval: true });
  const beside = made && 'folder' in made ? made.folder : '';
  expect(path.dirname(beside)).toBe(path.join(folder, '.proctor', 'sources'));
  await rm(path.join(beside, '.env'));
  const elsewhere = { ...environment, PROCTOR_CACHE_DIR: path.join(folder, 'other') };

  expect(await resolve({ environment: elsewhere, isBundled: true })).toEqual(made);
  expect(await resolve({ environment: elsewhere })).toMatchObject({
    reason: 'its files are not in the cache',
  });
});
