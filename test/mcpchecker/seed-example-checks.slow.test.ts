import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fixtures } from '../support/cli.js';
import { ModelServer } from '../support/model-server/model-server.js';
import type { TurnToolCall } from '../support/model-server/turn.js';
import { type Play, playing } from '../support/playing-agents.js';
import { type CheckedSuite, SuiteFolder } from '../support/suite-folder.js';

/**
 * The five complete examples of the eval reference, word for word, with the files they mention. What
 * their files start (npx, claude, my-agent, kubectl) is in test/fixtures/agents/players/bin.
 */
async function example(name: string): Promise<SuiteFolder> {
  const suite = await SuiteFolder.create({});
  await cp(path.join(fixtures, 'seed', name), suite.path, { recursive: true });
  return suite;
}

async function check(name: string, plays: Record<string, Play>): Promise<CheckedSuite> {
  const suite = await example(name);
  return suite.check(['-p', '2'], await playing(suite, plays));
}

const call = (tool: string, args?: object) => ({ call: `kubernetes/${tool}`, args });
const list = call('pods_list');
const deployments = call('deployments_list');
const create = (name: string) => call('pods_create', { name });
const remove = (name: string) => call('pods_delete', { name });
const readSecret = { read: 'k8s://default/secrets/database', server: 'kubernetes' };
const done = { say: 'Done.' };

/** Each task with its outcome and category, and the assertions that do not hold. */
function outline({ taskRuns }: CheckedSuite) {
  return Object.fromEntries(
    taskRuns.map(({ task, outcome, failure, verified, assertions }) => [
      task,
      {
        outcome,
        verified,
        category: failure?.category,
        broken: assertions
          .filter(({ passed }) => !passed)
          .map(({ name, at }) => `${name}@${at?.file}:${at?.line}`),
      },
    ]),
  );
}

const passed = { outcome: 'passed', verified: true, category: undefined, broken: [] };
const failed = (category: string, verified: boolean | null, ...broken: string[]) => ({
  outcome: 'failed',
  verified,
  category,
  broken,
});

describe('builtin-agent', () => {
  it('passes when Claude Code creates the pod', async () => {
    const checked = await check('builtin-agent', {
      'create-pod': [list, create('create-pod'), done],
    });
    expect(outline(checked), checked.stderr).toEqual({ 'create-pod': passed });
    expect(checked.exitCode).toBe(0);
    const [taskRun] = checked.taskRuns;
    expect(taskRun).toMatchObject({ output: 'Done.', cost: 0.01, usage: { outputTokens: 20 } });
    expect(taskRun?.calls.map(({ server, name }) => `${server}.${name}`)).toEqual([
      'kubernetes.pods_list',
      'kubernetes.pods_create',
    ]);
  });

  it('fails when it only says so, or takes too many calls', async () => {
    const lazy = await check('builtin-agent', { 'create-pod': [deployments, done] });
    expect(lazy.exitCode, lazy.stderr).toBe(1);
    expect(outline(lazy)).toEqual({
      'create-pod': failed('verification-failed', false, 'toolsUsed@eval.yaml:11'),
    });
    expect(lazy.stdout).toContain('pods "create-pod" not found');
    const busy = await check('builtin-agent', {
      'create-pod': [list, list, list, list, list, create('create-pod')],
    });
    expect(outline(busy)).toEqual({
      'create-pod': failed('assertion-failed', true, 'maxToolCalls@eval.yaml:15'),
    });
  });
});

describe('agent-file', () => {
  it('passes when the program creates the pod', async () => {
    const checked = await check('agent-file', { 'create-pod': [create('create-pod'), done] });
    expect(outline(checked), checked.stderr).toEqual({ 'create-pod': passed });
    expect(checked.taskRuns).toMatchObject([{ output: 'Done.\n' }]);
  });

  it('fails when it calls nothing, and is an error when it gives up', async () => {
    const idle = await check('agent-file', { 'create-pod': [done] });
    expect(outline(idle), idle.stderr).toEqual({
      'create-pod': failed(
        'verification-failed',
        false,
        'toolsUsed@eval.yaml:12',
        'minToolCalls@eval.yaml:15',
      ),
    });
    const broken = await check('agent-file', {
      'create-pod': [create('create-pod'), { say: 'out of ideas', exit: 3 }],
    });
    expect(broken.exitCode).toBe(1);
    expect(broken.taskRuns).toMatchObject([
      { outcome: 'error', failure: { category: 'agent-failed' }, verified: null, assertions: [] },
    ]);
    expect(broken.stdout).toContain('out of ideas');
  });
});

describe('several-task-sets', () => {
  it('passes when each task is done within its bounds', async () => {
    const checked = await check('several-task-sets', {
      'list-pods': [list, create('list-pods')],
      'count-pods': [list],
      'create-after-list': [list, deployments, create('create-after-list')],
      scale: [list, create('scale')],
    });
    expect(outline(checked), checked.stderr).toEqual({
      'list-pods': passed,
      'count-pods': passed,
      'create-after-list': passed,
      scale: passed,
    });
    expect(checked.exitCode).toBe(0);
  });

  it('fails each task by the assertions of its own set', async () => {
    const checked = await check('several-task-sets', {
      'list-pods': [list, create('list-pods'), list],
      'count-pods': [list, deployments, create('a'), create('b')],
      'create-after-list': [create('create-after-list'), list],
      scale: [create('scale')],
    });
    expect(outline(checked), checked.stderr).toEqual({
      'list-pods': failed('assertion-failed', true, 'noDuplicateCalls@eval.yaml:14'),
      'count-pods': failed('assertion-failed', true, 'maxToolCalls@eval.yaml:13'),
      'create-after-list': failed('assertion-failed', true, 'callOrder@eval.yaml:28'),
      scale: failed('assertion-failed', true, 'minToolCalls@eval.yaml:22'),
    });
    expect(checked.exitCode).toBe(1);
  });
});

describe('forbidden-actions', () => {
  it('passes when nothing forbidden happens', async () => {
    const checked = await check('forbidden-actions', {
      top: [list, create('top')],
      nested: [deployments, list, create('nested')],
    });
    expect(outline(checked), checked.stderr).toEqual({ top: passed, nested: passed });
    expect(checked.exitCode).toBe(0);
  });

  it('fails when a pod is deleted, a secret read, or a pod created unseen', async () => {
    const checked = await check('forbidden-actions', {
      top: [list, create('top'), remove('coredns')],
      nested: [create('nested'), list, readSecret, list],
    });
    expect(outline(checked), checked.stderr).toEqual({
      top: failed('assertion-failed', true, 'toolsNotUsed@eval.yaml:21'),
      nested: failed(
        'assertion-failed',
        true,
        'callOrder@eval.yaml:12',
        'resourcesNotRead@eval.yaml:26',
        'noDuplicateCalls@eval.yaml:32',
      ),
    });
  });
});

describe('flexible', () => {
  /** With a model that makes these calls at once, and then says that it is done. */
  async function checkWithModel(...toolCalls: TurnToolCall[]): Promise<CheckedSuite> {
    const calls = toolCalls.length > 0 ? [{ toolCalls }] : [];
    const model = await ModelServer.start([...calls, { text: 'Done.' }]);
    onTestFinished(() => model.close());
    const suite = await example('flexible');
    const checked = await suite.check([], {
      ...(await playing(suite, {})),
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'of-no-use-elsewhere',
    });
    const [request] = model.requests;
    expect(request, checked.stderr).toMatchObject({ api: 'openai-chat', model: 'gpt-4' });
    expect(request?.headers.authorization).toBe('Bearer of-no-use-elsewhere');
    expect(await readFile(suite.journal, 'utf8')).not.toContain('of-no-use-elsewhere');
    return checked;
  }
  const createPod = { tool: 'pods_create', args: { name: 'creative-task' } };

  it('passes when the model uses any tool and the pod is there', async () => {
    const checked = await checkWithModel(createPod);
    expect(outline(checked), checked.stderr).toEqual({ 'creative-task': passed });
    expect(checked.exitCode).toBe(0);
    expect(checked.taskRuns).toMatchObject([{ output: 'Done.', usage: { outputTokens: 10 } }]);
  });

  it('fails when the model only talks, or does not stop', async () => {
    const talk = await checkWithModel();
    expect(outline(talk)).toEqual({
      'creative-task': failed('verification-failed', false, 'requireAny@eval.yaml:13'),
    });
    const busy = await checkWithModel(...Array.from({ length: 21 }, () => createPod));
    expect(outline(busy)).toEqual({
      'creative-task': failed('assertion-failed', true, 'maxToolCalls@eval.yaml:16'),
    });
  });
});
