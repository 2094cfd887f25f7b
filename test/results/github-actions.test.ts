import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { proctor } from '../support/cli.js';

const command = '::error title=pwned::by an agent';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(inject('homeFolder'), 'actions-'));
  const taskRun = {
    taskName: 'ask',
    taskPassed: true,
    allAssertionsPassed: true,
    taskOutput: `Done.\n${command}\n##[error]pwned`,
    agentOutput: { Success: true },
  };
  await writeFile(path.join(folder, 'out.json'), JSON.stringify({ results: [taskRun] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the runner takes for a command to it. */
const obeyed = /^\s*::|##\[/m;

const view = (env: Record<string, string>, ...options: string[]) =>
  proctor(['view', 'out.json', ...options], { cwd: folder, env });

describe('words of an agent, in GitHub Actions', () => {
  it('are no commands in a text for people', async () => {
    expect((await view({})).stdout).toMatch(obeyed);
    const { stdout } = await view({ GITHUB_ACTIONS: 'true' });
    expect(stdout).toContain('error title=pwned');
    expect(stdout).not.toMatch(obeyed);
  });

  it('are left as they are in data', async () => {
    const { stdout } = await view({ GITHUB_ACTIONS: 'true' }, '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject([{ output: expect.stringContaining(command) }]);
  });
});
