import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect } from 'vitest';
import { checkInPod, containerOf, runContainer } from '../support/example-container.js';
import { programs, run } from '../support/example-shell.js';
import { exampleManifest } from '../support/kubernetes-manifests.js';
import { testNode } from '../support/proctor-process.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

const parallel = { parallel: true };
const failing = { ...parallel, spec: { verify: [script('exit 1')] } };
const tasks = {
  ...{ a: {}, b: parallel, c: parallel, d: parallel, e: parallel, f: parallel, g: parallel },
  ...{ h: parallel, i: parallel, fails: failing },
};

describe('the Job with shards', () => {
  const shard = (suite: ScratchSuite, index: number) =>
    runContainer(suite, containerOf('Job', 'evals-run-1'), { JOB_COMPLETION_INDEX: String(index) });
  const results = (suite: ScratchSuite) =>
    runContainer(suite, containerOf('Job', 'evals-run-1-results'));

  it('runs everything once, and the second Job decides', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await programs(suite.folder);
    const { spec } = exampleManifest('Job', 'evals-run-1');
    const indexes = Array.from({ length: spec.completions ?? 0 }, (_, index) => index);
    const pods = await Promise.all(indexes.map((index) => shard(suite, index)));
    for (const { exitCode, log } of pods) expect(exitCode, log).toBe(0);
    const { exitCode, log } = await results(suite);
    expect(exitCode, log).toBe(0);
    expect(log).toContain('10 task runs of 10 tasks from 4 evaluations\n');
    expect(log).toContain('passed: ');
    expect(await suite.read('results/run-1/report.html')).toContain('<html');
  });

  it('goes on where a pod left off, and does nothing twice', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    await programs(suite.folder);
    await shard(suite, 0);
    const before = await suite.read('results/run-1/shard-0.jsonl');
    expect((await shard(suite, 0)).exitCode).toBe(0);
    expect(await suite.read('results/run-1/shard-0.jsonl')).toBe(before);
  });

  it('does not pass if a shard is missing', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: { a: parallel, b: parallel } });
    await programs(suite.folder);
    await shard(suite, 0);
    const { exitCode, log } = await results(suite);
    expect(exitCode, log).toBe(1);
    expect(log).toContain('shards 2/4, 3/4, 4/4 are missing');
  });

  it('fails as a whole if the suite is wrong', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: {} });
    await programs(suite.folder);
    expect((await shard(suite, 0)).exitCode).toBe(2);
  });
});

describe('check-in-pod.sh', () => {
  /** Ends by itself only so that nothing is left if nobody tells it to. */
  const waiting = `
    process.on("SIGTERM", () => console.log("cleaned up") ?? process.exit(130));
    setTimeout(process.exit, 60_000, 1);
    console.log("ready");
  `;

  it('takes a failure for a result, and everything else as it is', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: {} });
    const bin = await programs(suite.folder, { proctor: 'exit "$2"' });
    const env = { RESULTS: suite.path('new/folder') };
    const exitCodeOf = async (code: string) =>
      (await run([checkInPod, code], { cwd: suite.folder, bin, env })).exitCode;
    expect(await exitCodeOf('0')).toBe(0);
    expect(await exitCodeOf('1')).toBe(0);
    expect(await exitCodeOf('2')).toBe(2);
    expect(await exitCodeOf('70')).toBe(70);
    expect(await exitCodeOf('130')).toBe(130);
  });

  it('passes on that it is to end, and waits for it', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks: {} });
    const bin = await programs(suite.folder, { proctor: `exec '${testNode}' -e '${waiting}'` });
    const child = spawn(checkInPod, ['eval.yaml'], {
      env: { PATH: `${bin}:${process.env.PATH}`, RESULTS: suite.path('results') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (text.includes('ready')) child.kill('SIGTERM');
    });
    const [exitCode] = await once(child, 'close');
    expect({ exitCode, output }).toEqual({ exitCode: 130, output: 'ready\ncleaned up\n' });
  });
});
