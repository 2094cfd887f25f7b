import { describe, expect, it } from 'vitest';
import { resultsSample } from '../../../testing/report-samples.js';
import type { PooledResults } from './pooled-results.js';
import { listVariants, selectVariants } from './variant-selection.js';

const opus = { name: 'claude-code', type: 'claude-code', model: 'opus' };
const gpt = { name: 'openai-agent', type: 'openai-agent', model: 'gpt-5' };

const matrix = resultsSample(
  {
    feed: { runs: 'PP', change: { variant: 'opus + old' } },
    walk: { runs: 'PF', change: { variant: 'opus + new' } },
    bark: { runs: 'F', change: { variant: 'gpt + new' } },
  },
  {
    agent: null,
    variants: [
      { name: 'opus + old', agent: opus, mcpConfigFile: 'old.yaml' },
      { name: 'opus + new', agent: opus, mcpConfigFile: 'new.yaml' },
      { name: 'gpt + new', agent: gpt, mcpConfigFile: 'new.yaml' },
    ],
    mcpServers: [
      { name: 'pets', transport: 'stdio', mcpConfigFile: 'old.yaml' },
      { name: 'pets', transport: 'stdio', mcpConfigFile: 'new.yaml' },
      { name: 'clock', transport: 'stdio' },
    ],
    planned: 7,
    open: [{ task: 'bark', run: 2, variant: 'gpt + new' }],
  },
);
const plain = resultsSample({ feed: 'P' }, { id: 'plain' });

async function tasksOf(pooled: PooledResults): Promise<string[]> {
  const tasks: string[] = [];
  for await (const { taskRun } of pooled.taskRuns()) tasks.push(taskRun.task);
  return tasks;
}

describe('chosenVariants', () => {
  it('is the task runs of some variants, with their agent and their servers', async () => {
    const { files, taskRuns } = await selectVariants(matrix, (name) => /new$/.test(name ?? ''));
    expect(await tasksOf({ files, taskRuns })).toEqual(['walk', 'walk', 'bark']);
    expect(files).toHaveLength(1);
    expect(files[0]?.header).toMatchObject({
      agent: null,
      variants: [{ name: 'opus + new' }, { name: 'gpt + new' }],
      mcpServers: [{ mcpConfigFile: 'new.yaml' }, { name: 'clock' }],
      open: [{ task: 'bark' }],
    });
  });

  it('has the agent that the variants have in common', async () => {
    const { files } = await selectVariants(matrix, (name) => /^opus/.test(name ?? ''));
    expect(files[0]?.header).toMatchObject({ agent: opus, open: [] });
  });

  it('counts what nobody did as missing, whichever variant it was to be', async () => {
    const { files } = await selectVariants(matrix, (name) => name === 'opus + old');
    // 7 were planned, and the others did 3: of 4, two are missing.
    expect(files[0]?.header.planned).toBe(4);
  });

  it('leaves files out that have no such variant, and keeps what is asked for as it is', async () => {
    const both: PooledResults = {
      files: [...matrix.files, ...plain.files],
      async *taskRuns() {
        yield* matrix.taskRuns();
        yield* plain.taskRuns();
      },
    };
    const chosen = await selectVariants(both, (name) => name === null);
    expect(chosen.files).toEqual([
      { ...plain.files[0], taskRuns: expect.any(Function), leftOut: expect.any(Function) },
    ]);
    expect(await tasksOf(chosen)).toEqual(['feed']);
    expect(await selectVariants(both, () => true)).toBe(both);
    expect((await selectVariants(both, () => false)).files).toEqual([]);
  });

  it('can be read file by file', async () => {
    const asked: unknown[] = [];
    const { files, taskRuns } = await selectVariants(
      {
        files: matrix.files,
        taskRuns(options) {
          asked.push(options?.of);
          return matrix.taskRuns(options);
        },
      },
      (name) => name === 'gpt + new',
    );
    const [file] = files;
    if (file) for await (const each of taskRuns({ of: file })) expect(each.file).toBe(file);
    expect(asked.at(-1)).toBe(matrix.files[0]);
  });

  it('knows which variants there are', () => {
    expect(listVariants([...matrix.files, ...plain.files])).toEqual([
      'opus + old',
      'opus + new',
      'gpt + new',
      null,
    ]);
  });
});
