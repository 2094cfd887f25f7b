import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { examples } from '../support/cli.js';
import { programs, run } from '../support/example-shell.js';
import { gitlabFile, listedPipeline, type Pipeline } from '../support/gitlab-ci.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

const text = await readFile(gitlabFile, 'utf8');
const pipeline: Pipeline = parse(text);

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'proctor-gitlab-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the pipeline for GitLab', () => {
  test('is one that GitLab takes', async () => {
    const listed = await listedPipeline(folder, text);
    expect(listed).toContain('json schema validated');
    for (const shard of [1, 2, 3, 4]) expect(listed).toContain(`shard: [${shard}/4]`);
  });

  test.each([
    ['  parallel: 4\n', '  paralel: 4\n', "'paralel' property is not expected to be here at shard"],
    ['  parallel: 4\n', '  parallel: all\n', "'parallel' property type must be integer"],
    ['    when: always\n', '    when: ever\n', 'must be one of [on_success, on_failure, always]'],
    ['  stage: results\n', '  stage: report\n', 'stage:report not found for results'],
  ])('with a mistake is found: %j', async (right, wrong, problem) => {
    const broken = text.replace(right, wrong);
    expect(broken).not.toBe(text);
    const listed = await listedPipeline(folder, broken);
    expect(listed).toContain(problem);
    expect(listed).not.toContain('shard: [1/4]');
  });

  test('installs the version that it is written for', async () => {
    const { version } = JSON.parse(
      await readFile(path.resolve(examples, '../package.json'), 'utf8'),
    );
    expect(pipeline.variables.PROCTOR).toBe(`mcp-proctor@${version}`);
  });
});

const parallel = { parallel: true };
const tasks = {
  ...{ a: {}, b: parallel, c: parallel, d: parallel, e: parallel },
  fails: { ...parallel, spec: { verify: [script('exit 1')] } },
};

describe('a run of it', () => {
  /** All jobs share a folder, which artifacts make of theirs. */
  const job = (suite: ScratchSuite, lines: readonly string[], index = 0) =>
    run(['bash', '-eo', 'pipefail', '-c', lines.join('\n')], {
      cwd: suite.folder,
      bin: suite.path('bin'),
      env: {
        ...{ HOME: inject('homeFolder'), TMPDIR: suite.temporaryFolder },
        ...{ PROCTOR: 'mcp-proctor', EVAL: 'eval.yaml' },
        ...{ CI_NODE_INDEX: String(index), CI_NODE_TOTAL: String(pipeline.shard.parallel) },
      },
    });

  it('puts its shards together, and does not pass without one of them', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await programs(suite.folder);
    const shards = Array.from({ length: pipeline.shard.parallel }, (_, index) => index + 1);
    const ends = await Promise.all(shards.map((index) => job(suite, pipeline.shard.script, index)));
    for (const { exitCode, log } of ends) expect(exitCode, log).toBe(0);
    const { exitCode, log } = await job(suite, pipeline.results.script);
    expect(exitCode, log).toBe(0);
    expect(log).toContain('6 task runs of 6 tasks from 4 evaluations\n');
    expect(await suite.read('junit.xml')).toContain('<testsuite');
    expect(await suite.read('report.html')).toContain('<html');

    await rm(suite.path('shard-2.json'));
    const missing = await job(suite, pipeline.results.script);
    expect(missing.exitCode, missing.log).toBe(1);
    expect(missing.log).toContain('unfinished: shard 2/4 is missing');
  });
});
