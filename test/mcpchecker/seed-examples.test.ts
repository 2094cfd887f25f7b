import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtures, proctor } from '../support/cli.js';

/** The five complete examples of the eval reference, word for word, with the files they mention. */
const folder = path.join(fixtures, 'seed');

async function list(name: string) {
  const { exitCode, stdout, stderr } = await proctor(['list', 'eval.yaml', '-o', 'json'], {
    cwd: path.join(folder, name),
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** Task, mode and assertions with the line of each. */
function outline(plan: {
  tasks: {
    task: string;
    mode: string;
    runs: number;
    assertions: { name: string; at: { file: string; line: number } }[];
  }[];
}) {
  return plan.tasks.map(({ task, mode, runs, assertions }) => {
    const where = assertions.map(({ name, at }) => `${name}@${at.file}:${at.line}`);
    return [task, mode, runs, ...where];
  });
}

describe("the seed's complete examples", () => {
  it.each(['builtin-agent', 'agent-file', 'several-task-sets', 'forbidden-actions', 'flexible'])(
    '%s has no problem',
    async (name) => {
      const { exitCode, stdout } = await proctor(
        ['validate', '--strict', 'eval.yaml', '-o', 'json'],
        { cwd: path.join(folder, name) },
      );
      expect(JSON.parse(stdout).problems).toEqual([]);
      expect(exitCode).toBe(0);
    },
  );

  it('builtin-agent: one task, its tools and bounds', async () => {
    const plan = await list('builtin-agent');
    expect(plan.eval).toEqual({ name: 'kubernetes-basic', file: 'eval.yaml' });
    expect(outline(plan)).toEqual([
      [
        'create-pod',
        'sequential',
        1,
        'toolsUsed@eval.yaml:11',
        'minToolCalls@eval.yaml:14',
        'maxToolCalls@eval.yaml:15',
      ],
    ]);
    expect(plan.tasks[0].assertions[0].expected).toEqual([
      { server: 'kubernetes', toolPattern: 'pods_.*' },
    ]);
  });

  it('agent-file: the same with an agent of its own', async () => {
    expect(outline(await list('agent-file'))).toEqual([
      [
        'create-pod',
        'sequential',
        1,
        'toolsUsed@eval.yaml:12',
        'minToolCalls@eval.yaml:15',
        'maxToolCalls@eval.yaml:16',
      ],
    ]);
  });

  it('several-task-sets: each set has its own assertions, at any depth', async () => {
    expect(outline(await list('several-task-sets'))).toEqual([
      ['list-pods', 'sequential', 1, 'maxToolCalls@eval.yaml:13', 'noDuplicateCalls@eval.yaml:14'],
      ['count-pods', 'sequential', 1, 'maxToolCalls@eval.yaml:13', 'noDuplicateCalls@eval.yaml:14'],
      [
        'create-after-list',
        'sequential',
        1,
        'callOrder@eval.yaml:28',
        'noDuplicateCalls@eval.yaml:35',
      ],
      [
        'scale',
        'parallel',
        1,
        'toolsUsed@eval.yaml:19',
        'minToolCalls@eval.yaml:22',
        'maxToolCalls@eval.yaml:23',
      ],
    ]);
  });

  it('forbidden-actions: order, forbidden tools and resources, bounds', async () => {
    const plan = await list('forbidden-actions');
    const assertions = [
      'callOrder@eval.yaml:12',
      'toolsNotUsed@eval.yaml:21',
      'resourcesNotRead@eval.yaml:26',
      'maxToolCalls@eval.yaml:31',
      'noDuplicateCalls@eval.yaml:32',
    ];
    expect(outline(plan)).toEqual([
      ['nested', 'sequential', 1, ...assertions],
      ['top', 'sequential', 1, ...assertions],
    ]);
  });

  it('flexible: any tool of the server', async () => {
    const plan = await list('flexible');
    expect(outline(plan)).toEqual([
      ['creative-task', 'sequential', 1, 'requireAny@eval.yaml:13', 'maxToolCalls@eval.yaml:16'],
    ]);
    expect(plan.tasks[0].assertions[0].expected).toEqual([{ server: 'kubernetes' }]);
  });
});
