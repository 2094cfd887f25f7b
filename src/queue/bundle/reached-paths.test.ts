import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Problems } from '../../config/problems/problem.js';
import { makePlan } from '../../plan/plan.js';
import { loadSuite } from '../../plan/suite.js';
import { temporaryFolder, writeTree } from '../../testing/file-tree.js';
import { reachedPaths } from './reached-paths.js';

it('names every file that a suite is known to use, wherever it is', async () => {
  const folder = await realpath(await temporaryFolder());
  const builtin = { type: 'claude-code' };
  const files = {
    'agents/claude.yaml': { kind: 'Agent', builtin },
    'prices.yaml': { kind: 'Prices', models: {} },
    'suite/eval.yaml': {
      kind: 'Eval',
      metadata: { name: 'suite' },
      config: {
        agent: { type: 'file', path: '../agents/claude.yaml' },
        mcpConfigFile: 'mcp.yaml',
        prices: '../prices.yaml',
        taskSets: [{ glob: 'tasks/*.yaml' }],
      },
    },
    'suite/mcp.yaml': { mcpServers: { one: { command: 'x', enableAllTools: true } } },
    'suite/tasks/one.yaml': {
      kind: 'Task',
      metadata: { name: 'one' },
      steps: { prompt: { file: 'prompt.md' }, verify: { file: '../verify.sh' } },
    },
  };
  const texts = Object.entries(files).map(([path, data]) => [path, JSON.stringify(data)]);
  await writeTree(folder, Object.fromEntries(texts));
  await writeTree(folder, { 'suite/tasks/prompt.md': 'Do it.', 'suite/verify.sh': 'true' });
  const problems = new Problems();
  const suite = loadSuite(join(folder, 'suite/eval.yaml'), { environment: {} }, problems);
  if (!suite) throw new Error('the suite cannot be read');
  const paths = reachedPaths([suite], makePlan(suite, {}, problems));
  const expected = [...Object.keys(files), 'suite/tasks/prompt.md', 'suite/verify.sh'];
  expect(paths.sort()).toEqual(expected.map((path) => join(folder, path)).sort());
});
