import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { TaskRunResult } from '../../src/results/schema/task-run-schema.js';
import { fencedText } from '../../testing/judging.js';
import { type HttpServer, startEverything } from '../support/mcp-servers.js';
import { ModelServer } from '../support/model-server/model-server.js';
import { judgeAt, literalJudge, OldSuite } from '../support/old-suite.js';
import type { CheckedSuite } from '../support/suite-folder.js';

let everything: HttpServer;
let model: ModelServer;
beforeAll(async () => {
  everything = await startEverything('streamableHttp');
  model = await ModelServer.start(literalJudge);
});
afterAll(async () => {
  await everything.stop();
  await model.close();
});

describe('a suite of the first shape', () => {
  let suite: OldSuite;
  let checked: CheckedSuite;

  beforeAll(async () => {
    suite = await OldSuite.copy('gevals-style', judgeAt(model.url));
    checked = await suite.check(['-p', '2']);
  }, 120_000);

  it('has no problem', async () => {
    expect(await suite.proctor('validate', '--strict', 'eval.yaml')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('5 tasks, 3 task sets, 1 server'),
      stderr: '',
    });
  });

  it('is listed', async () => {
    expect(await suite.plan()).toMatchObject({
      'create-pod': { runs: 2, difficulty: 'easy' },
      'How many pods?': { runs: 2, difficulty: 'medium', labels: { suite: 'core' } },
      'exact-answer': { runs: 1 },
      'wrong-answer': { runs: 1, difficulty: 'hard' },
      quote: { runs: 1 },
    });
  });

  it('runs to its end', () => {
    expect(checked.exitCode, checked.stderr).toBe(1);
    expect(checked.taskRuns.map(inShort).toSorted()).toEqual([
      'How many pods? 1/2 passed',
      'How many pods? 2/2 passed',
      'create-pod 1/2 passed',
      'create-pod 2/2 passed',
      'exact-answer 1/1 passed',
      'quote 1/1 passed',
      'wrong-answer 1/1 failed',
    ]);
  });

  it('runs scripts from files', () => {
    expect(runOf(checked, 'create-pod')).toMatchObject({
      verified: true,
      assertionsHeld: true,
      difficulty: 'easy',
      output: 'The pod web-server is there.\n',
      calls: [{ name: 'pods_list' }, { name: 'pods_create' }],
    });
    expect(stepsOf(runOf(checked, 'create-pod'))).toEqual([
      'setup script passed',
      'verify script passed',
      'cleanup script passed',
    ]);
  });

  it('runs scripts that are written down, and lets the judge decide', () => {
    expect(runOf(checked, 'How many pods?')).toMatchObject({
      labels: { suite: 'core' },
      prompt: 'How many pods are there (count-pods)?\nSay which.\n',
      phases: {
        setup: { steps: [{ outputs: { stdout: 'nothing to prepare' } }] },
        verify: { steps: [{ judgement: { mode: 'contains', model: 'judge-1' } }] },
        cleanup: { steps: [{ outputs: { stdout: 'nothing to clean up' } }] },
      },
    });
  });

  it('checks assertions that stand in a task, beside its steps or among them', () => {
    const of = (task: string) =>
      runOf(checked, task).assertions.map(({ name, passed }) => ({ name, passed }));
    expect(of('exact-answer')).toContainEqual({ name: 'maxToolCalls', passed: true });
    expect(of('quote')).toEqual([{ name: 'maxToolCalls', passed: true }]);
  });

  it('fails by the reason of the judge', () => {
    const said = '"There is one pod: coredns."';
    const reason = `${said} is not "There are two pods: coredns and web-server.".`;
    expect(runOf(checked, 'wrong-answer')).toMatchObject({
      outcome: 'failed',
      verified: false,
      failure: { category: 'verification-failed', message: expect.stringContaining(reason) },
      phases: {
        verify: {
          steps: [
            {
              kind: 'llmJudge',
              judgement: { mode: 'exact', reason, failureCategory: 'semantic_mismatch' },
            },
          ],
        },
        cleanup: { steps: [{ outputs: { stdout: 'cleaned up' } }] },
      },
    });
    expect(checked.stdout).toContain(reason);
  });

  it('asks the judge with prompt and answer as data', () => {
    const request = model.requests.find(({ prompt }) => prompt.includes('(count-pods)'));
    expect(request).toMatchObject({
      api: 'openai-chat',
      path: '/v1/chat/completions',
      model: 'judge-1',
      headers: { authorization: 'Bearer key-of-the-judge' },
      tools: [{ name: 'submit_judgement' }],
    });
    const prompt = request?.prompt ?? '';
    expect(fencedText(prompt, 'TASK').text).toBe(
      'How many pods are there (count-pods)?\nSay which.\n',
    );
    expect(fencedText(prompt, 'ANSWER').text).toContain('There is one pod, coredns, and it');
    expect(fencedText(prompt, 'REFERENCE').text).toBe('one pod, coredns');
  });
});

describe('a suite of the second shape', () => {
  let suite: OldSuite;
  let checked: CheckedSuite;

  beforeAll(async () => {
    const env = { ...judgeAt(model.url), EVERYTHING_URL: everything.url, CLUSTER: 'west' };
    suite = await OldSuite.copy('mcpchecker-style', env);
    checked = await suite.check(['-p', '4']);
  }, 120_000);

  it('has no problem', async () => {
    expect(await suite.proctor('validate', '--strict', 'eval.yaml')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('5 tasks, 4 task sets, 2 servers'),
      stderr: '',
    });
  });

  it('is listed', async () => {
    expect(await suite.plan()).toMatchObject({
      'create-pod': { runs: 1, mode: 'sequential', limits: limits('5m', '1m30s') },
      'old-shape': { runs: 1, mode: 'sequential', limits: limits('5m', '1m30s') },
      json: { runs: 1, mode: 'sequential', limits: limits('1m30s', '1m30s') },
      tour: { runs: 2, mode: 'parallel', limits: limits('2m', '1m') },
      'wrong-answer': { runs: 2, mode: 'parallel', limits: limits('5m', '1m30s') },
    });
  });

  it('runs to its end', () => {
    expect(checked.exitCode, checked.stderr).toBe(1);
    expect(checked.taskRuns.map(inShort).toSorted()).toEqual([
      'create-pod 1/1 passed',
      'json 1/1 failed',
      'old-shape 1/1 passed',
      'tour 1/2 passed',
      'tour 2/2 passed',
      'wrong-answer 1/2 failed',
      'wrong-answer 2/2 failed',
    ]);
  });

  it('means the extension by the name that a server has too, if a task requires it', async () => {
    const taskRun = runOf(checked, 'create-pod');
    expect(stepsOf(taskRun)).toEqual([
      'setup kubernetes.delete passed',
      'setup kubernetes.create passed',
      'verify kubernetes.wait passed',
      'verify script passed',
      'cleanup kubernetes.delete passed',
      'cleanup kubernetes.delete failed',
    ]);
    expect(taskRun).toMatchObject({
      verified: true,
      cleanupFailed: true,
      labels: { suite: 'core', project: 'kubernetes' },
      phases: {
        setup: { steps: [{}, { outputs: { context: 'west', user: 'admin@west' } }] },
        verify: { steps: [{ outputs: { condition: 'Ready', timeout: '120s' } }, {}] },
        cleanup: { steps: [{}, { message: expect.stringContaining('never-made is not there') }] },
      },
    });
    const home = suite.folder.environment().HOME ?? '';
    expect(await readFile(`${home}/.kube/config`, 'utf8')).toBe('[]');
  });

  it.each([1, 2])('runs every kind of step: run %i', (run) => {
    const taskRun = runOf(checked, 'tour', run);
    expect(stepsOf(taskRun)).toEqual([
      'setup k8s.create passed',
      'setup script failed',
      'setup script passed',
      'setup http passed',
      'setup kubernetes.pods_create passed',
      'setup all.echo passed',
      'verify script passed',
      'verify http passed',
      'verify http passed',
      'verify kubernetes.pods_list passed',
      'verify all.get-structured-content passed',
      'verify script passed',
      'verify all.echo passed',
      'verify llmJudge passed',
      'verify llmJudge passed',
      'cleanup script failed',
      'cleanup k8s.delete passed',
    ]);
    expect(taskRun.phases.verify?.steps.at(-1)?.judgement?.votes).toHaveLength(3);
  });

  it('checks every assertion that the task and its two task sets have', async () => {
    const { assertions, assertionsHeld, calls } = runOf(checked, 'tour');
    expect(assertionsHeld).toBe(true);
    const read = async (file: string) =>
      parse(await readFile(path.join(suite.folder.path, file), 'utf8'));
    const written = (file: string, places: { assertions?: object }[]) =>
      places.flatMap(({ assertions = {} }) =>
        Object.keys(assertions).map((name) => `${file} ${name}`),
      );
    const names = assertions.map(({ name, at }) => `${path.basename(at?.file ?? '')} ${name}`);
    expect(names.toSorted()).toEqual(
      [
        ...written('eval.yaml', (await read('eval.yaml')).config.taskSets),
        ...written('tour.yaml', [(await read('tasks/core/tour.yaml')).spec]),
      ].toSorted(),
    );
    expect(calls.map(({ name }) => name)).toEqual([
      'pods_list',
      'pods_create',
      'get-sum',
      'demo://resource/static/document/features.md',
      'simple-prompt',
    ]);
  });

  it('ends a step at its own time limit, and goes on with the next', () => {
    const taskRun = runOf(checked, 'json');
    expect(taskRun.prompt).toBe('Read this (json) for json.\n');
    expect(stepsOf(taskRun)).toEqual(['verify script timeout', 'verify script passed']);
  });

  it('fails by the reason of the judge', () => {
    const reason = '"There are three pods." is not "Four pods.".';
    expect(runOf(checked, 'wrong-answer', 2)).toMatchObject({
      outcome: 'failed',
      verified: false,
      labels: { suite: 'judge' },
      failure: { category: 'verification-failed', message: expect.stringContaining(reason) },
      phases: {
        verify: {
          steps: [{ judgement: { passed: true } }, { judgement: { passed: false, reason } }],
        },
      },
    });
  });

  it('does not tell the judge what is for people', () => {
    const requests = model.requests.filter(({ prompt }) => prompt.includes('(tour)'));
    expect(requests).toHaveLength(8);
    expect(requests.map(({ body }) => body).join()).not.toContain('why this is asked');
    const [first] = requests.filter(({ prompt }) => prompt.includes('BEGIN REFERENCE'));
    const prompt = first?.prompt ?? '';
    expect(fencedText(prompt, 'TASK').text).toMatch(
      /^Go on a tour of west \(tour\)\.\nLeave \{this/,
    );
    expect(fencedText(prompt, 'ANSWER').text).toBe('Hello, this was a tour of west.');
    expect(fencedText(prompt, 'REFERENCE').text).toBe('a tour of west');
  });
});

function runOf({ taskRuns }: CheckedSuite, task: string, run = 1): TaskRunResult {
  const found = taskRuns.find((each) => each.task === task && each.run === run);
  if (!found) throw new Error(`${task} has no run ${run}`);
  return found;
}

function inShort({ task, run, runs, outcome }: TaskRunResult): string {
  return `${task} ${run}/${runs} ${outcome}`;
}

function stepsOf({ phases }: TaskRunResult): string[] {
  return (['setup', 'verify', 'cleanup'] as const).flatMap((phase) =>
    (phases[phase]?.steps ?? []).map(({ kind, outcome }) => `${phase} ${kind} ${outcome}`),
  );
}

function limits(timeout: string, cleanupTimeout: string): object {
  return { timeout: { value: timeout }, cleanupTimeout: { value: cleanupTimeout } };
}
