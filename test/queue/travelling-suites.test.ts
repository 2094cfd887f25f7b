import { mkdtemp, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { readResults } from '../support/check-results.js';
import { it } from '../support/queue-suites.js';

const out = ['--out', 'out.json'];

describe('a suite that cannot travel', () => {
  it('because a file of it is outside of its root is refused, and travels with --bundle-root', async ({
    makeServed,
  }) => {
    const { suite, site } = await makeServed({
      tasks: {},
      files: {
        'common/prompt.md': 'Do it.',
        'evals/agent.yaml': JSON.stringify({
          kind: 'Agent',
          metadata: { name: 'agent' },
          scripted: [{ do: [{ say: 'done' }] }],
        }),
        'evals/eval.yaml': JSON.stringify({
          kind: 'Eval',
          metadata: { name: 'inner' },
          config: {
            agent: { type: 'file', path: 'agent.yaml' },
            mcpConfigFile: '../mcp.yaml',
            taskSets: [{ path: 'task.yaml' }],
          },
        }),
        'evals/task.yaml': JSON.stringify({
          kind: 'Task',
          metadata: { name: 'a' },
          spec: {
            prompt: { file: '../common/prompt.md' },
            verify: [{ script: { inline: 'true' } }],
          },
        }),
      },
    });
    await site.worker('one');

    const refused = await site.ask('check', 'evals/eval.yaml', ...out);

    expect(refused.exitCode, refused.stderr).toBe(2);
    expect(refused.stderr).toContain('common/prompt.md');
    expect(refused.stderr).toContain('--bundle-root');
    const travelled = await site.ask('check', 'evals/eval.yaml', ...out, '--bundle-root', '.');
    expect(travelled.exitCode, travelled.stderr).toBe(0);
    const { taskRuns } = JSON.parse(await suite.read('out.json'));
    expect(taskRuns).toMatchObject([{ task: 'a', worker: 'one', prompt: 'Do it.' }]);
  });

  it('because it is too large is refused, with what takes up most', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { a: {} } });
    await writeFile(path.join(suite.folder, 'film.bin'), Buffer.alloc(1_500_000, 1));
    await site.worker('one');

    const refused = await site.ask('check', 'eval.yaml', ...out, '--bundle-max-size', '1');

    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('film.bin');
    expect(refused.stderr).toContain('.proctorignore');
    expect((await site.ask('check', 'eval.yaml', ...out)).exitCode).toBe(0);
    const wrong = await site.ask('check', 'eval.yaml', ...out, '--bundle-max-size', '2000');
    expect(wrong.exitCode).toBe(2);
    expect(wrong.stderr).toContain(
      '--bundle-max-size: expected a whole number of MiB from 1 to 1024',
    );
  });
});

it('a suite that has travelled needs nothing of its own folder', async ({ makeGated }) => {
  const { suite, site } = await makeGated({ agent: 'scripted' });
  suite.close('setup', 'a');
  const worker = await site.worker('one');
  expect((await site.check(['--detach']).ended).exitCode).toBe(0);
  await suite.reached('setup', 'a');
  const away = await mkdtemp(path.join(suite.folder, 'home', 'away-'));
  const names = ['eval.yaml', 'agent.yaml', 'mcp.yaml', 'step.sh', 'tasks'];
  const move = (from: string, to: string) =>
    Promise.all(names.map((name) => rename(path.join(from, name), path.join(to, name))));
  await move(suite.folder, away);
  suite.release('setup', 'a');

  await worker.says('ended c#1');

  await move(away, suite.folder);
  const { exitCode, stderr } = await site.check(['--resume']).ended;
  expect(exitCode, stderr).toBe(0);
  expect(readResults(suite.results).taskRuns).toMatchObject(
    ['a', 'b', 'c'].map((task) => ({ task, outcome: 'passed', attempt: 1 })),
  );
});
