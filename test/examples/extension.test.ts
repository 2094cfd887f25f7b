import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { examples, proctor } from '../support/cli.js';
import { ExtensionProcess } from '../support/extension-process.js';

const folder = path.join(examples, 'extension');

let scratch = '';
beforeEach(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'proctor-extension-'));
});
afterEach(() => rm(scratch, { recursive: true, force: true }));

describe('the extension of the example', () => {
  const inPhase = (phase: string) => ({
    workdir: scratch,
    phase,
    env: {},
    timeout: '1m',
    agent: {},
  });
  const mug = { name: 'Mug', quantity: 8, shelf: 'B' };

  it('prepares a stock, checks it, and removes it', async () => {
    const extension = new ExtensionProcess(path.join(folder, 'extensions/stock.mjs'));
    expect((await extension.initialize({ file: 'stock.json' })).result).toMatchObject({
      name: 'stock',
      protocolVersion: '0.0.1',
      operations: { prepare: { params: { required: ['items'] } }, clear: {} },
    });

    const prepared = await extension.execute('prepare', { items: [mug] }, inPhase('setup'));
    expect(prepared.result).toEqual({
      success: true,
      outputs: { first: 'Mug', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(extension.messages).toContainEqual({
      jsonrpc: '2.0',
      method: 'log',
      params: { level: 'info', message: 'the stock is ready', data: { items: 1 } },
    });

    const { outputs } = prepared.result as { outputs: { fingerprint: string } };
    const checks = [
      ['expectItem', { name: 'Mug', quantity: 8 }, undefined],
      ['expectItem', { name: 'Mug', quantity: 6 }, 'Mug has quantity 8 instead of 6'],
      ['expectItem', { name: 'Cup' }, 'there are 0 items named Cup'],
      ['expectUnchanged', { fingerprint: outputs.fingerprint }, undefined],
      ['expectUnchanged', { fingerprint: 'f00' }, expect.stringContaining('has changed')],
    ] as const;
    for (const [operation, args, error] of checks) {
      const { result } = await extension.execute(operation, args, inPhase('verify'));
      expect(result).toMatchObject({ success: error === undefined, ...(error && { error }) });
    }

    expect(await readdir(scratch)).toEqual(['stock.json']);
    await extension.execute('clear', {}, inPhase('cleanup'));
    expect(await readdir(scratch)).toEqual([]);
    await extension.ask('shutdown', {});
    expect(await extension.ended).toBe(0);
    expect(extension.stderr).toBe('');
  });
});

describe('the eval of the example', () => {
  async function check(...args: string[]) {
    const out = path.join(scratch, 'out.json');
    const evalFile = path.join(folder, 'eval.yaml');
    const { exitCode, stdout, stderr } = await proctor(['check', evalFile, '--out', out, ...args], {
      cwd: scratch,
      env: { TMPDIR: scratch },
    });
    const results: { taskRuns: TaskRunResult[] } = JSON.parse(await readFile(out, 'utf8'));
    return { exitCode, taskRuns: results.taskRuns, output: stdout + stderr };
  }

  it('passes with the scripted agent, and leaves only its results', async () => {
    const { exitCode, taskRuns, output } = await check();
    expect(exitCode, output).toBe(0);
    expect(taskRuns).toMatchObject([
      { task: 'sell-mugs', outcome: 'passed', verified: true },
      { task: 'count-mugs', outcome: 'passed', verified: true },
    ]);
    expect((await readdir(scratch)).sort()).toEqual(['out.json', 'out.jsonl']);
  });

  it('has no task that an agent passes by doing nothing', async () => {
    const { exitCode, output } = await check('--control');
    expect(exitCode, output).toBe(0);
    expect(output).toContain('Every task fails without an agent, as it should (2 tasks)');
  });

  it('fails for an agent that miscounts, and says what the extension found', async () => {
    const agent = path.join(scratch, 'agent.yaml');
    const script = await readFile(path.join(folder, 'agent.yaml'), 'utf8');
    await writeFile(agent, script.replace('quantity: 6', 'quantity: 7'));
    const { exitCode, taskRuns, output } = await check('--agent', agent, '--run', 'sell-mugs');
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      { task: 'sell-mugs', outcome: 'failed', failure: { category: 'verification-failed' } },
    ]);
    expect(output).toContain('has quantity 7 instead of 6');
  });
});

describe('docs/extensions.md', () => {
  /** The first piece of code in a language that has some words. */
  async function snippet(language: string, words: string): Promise<string> {
    const page = await readFile(path.join(folder, '../../docs/extensions.md'), 'utf8');
    const all = [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)];
    const [, , code = ''] =
      all.find(([, each, text]) => each === language && text?.includes(words)) ?? [];
    expect(code).toContain(words);
    return code;
  }

  it('shows an eval, a task and an extension that work together', async () => {
    const files = {
      'eval.yaml': [
        'kind: Eval\nmetadata: { name: printed }',
        await snippet('yaml', 'package: ./extensions/stock.mjs'),
        '  agent: { type: file, path: agent.yaml }',
        '  mcpConfigFile: mcp-config.yaml',
        '  taskSets: [{ path: task.yaml }]',
      ],
      'task.yaml': ['kind: Task\nmetadata: { name: sell }', await snippet('yaml', 'stock.clear')],
    };
    const server = path.join(examples, 'quickstart/server.mjs');
    const mcp = await readFile(path.join(folder, 'mcp-config.yaml'), 'utf8');
    const suite = path.join(scratch, 'suite');
    await mkdir(path.join(suite, 'extensions'), { recursive: true });
    await mkdir(path.join(suite, 'node_modules'));
    await symlink(path.join(examples, '..'), path.join(suite, 'node_modules/mcp-proctor'));
    await cp(path.join(folder, 'agent.yaml'), path.join(suite, 'agent.yaml'));
    await writeFile(
      path.join(suite, 'mcp-config.yaml'),
      mcp.replace('../quickstart/server.mjs', server),
    );
    for (const [name, parts] of Object.entries(files)) {
      await writeFile(path.join(suite, name), parts.join('\n'));
    }
    const program = path.join(suite, 'extensions/stock.mjs');
    await writeFile(program, await snippet('js', 'defineExtension'), { mode: 0o755 });

    const { exitCode, stdout, stderr } = await proctor(['check', 'eval.yaml', '--out', 'r.json'], {
      cwd: suite,
      env: { TMPDIR: scratch },
    });

    expect(exitCode, stdout + stderr).toBe(0);
    expect(stdout).toContain('1 of 1 passed');
    const { taskRuns } = JSON.parse(await readFile(path.join(suite, 'r.json'), 'utf8'));
    expect(taskRuns).toMatchObject([{ outcome: 'passed', verified: true, cleanupFailed: false }]);
  });
});
