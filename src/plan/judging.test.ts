import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Problems } from '../config/problems/problem.js';
import { makePlan } from './plan.js';
import { loadSuite } from './suite.js';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'proctor-judging-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

interface Parts {
  apiVersion?: string;
  config?: object;
  spec?: object;
  judge?: object;
  environment?: Record<string, string>;
}

/** What judges the one task of an eval with these parts. */
function judgingOf({ apiVersion, config = {}, spec = {}, judge, environment = {} }: Parts) {
  const write = (name: string, data: object) =>
    writeFileSync(join(folder, name), JSON.stringify(data));
  const prompt = { inline: 'Feed it.' };
  write('task.yaml', {
    ...(apiVersion !== undefined && { apiVersion }),
    ...{ kind: 'Task', metadata: { name: 'feed' }, spec: { prompt, ...spec } },
  });
  write('mcp.yaml', { mcpServers: { pets: { command: 'pets' } } });
  if (judge) write('judge.yaml', { kind: 'Agent', builtin: judge });
  const agent = { type: 'builtin.claude-code' };
  const taskSets = [{ path: 'task.yaml' }];
  write('eval.yaml', {
    kind: 'Eval',
    metadata: { name: 'pets' },
    config: { agent, mcpConfigFile: 'mcp.yaml', taskSets, ...config },
  });
  const problems = new Problems();
  const suite = loadSuite(join(folder, 'eval.yaml'), { environment }, problems);
  const plan = suite && makePlan(suite, {}, problems);
  const judging = plan?.tasks[0]?.judging;
  if (!judging) throw new Error(JSON.stringify(problems.report()));
  return judging;
}

const asked = { verify: [{ llmJudge: { contains: 'fed' } }] };

describe('the digest of what judges a task', () => {
  it('has every part', () => {
    expect(judgingOf({ spec: { verify: [{ script: { inline: 'true' } }] } })).toEqual({
      prompt: expect.stringMatching(/^[0-9a-f]{32}$/),
      assertions: {},
      setup: [],
      verify: [{ type: 'script', digest: expect.stringMatching(/^[0-9a-f]{32}$/) }],
      judge: null,
      timeoutMs: null,
    });
  });

  it('is the same wherever an assertion is written', () => {
    const assertions = { maxToolCalls: 3 };
    const inSet = judgingOf({ config: { taskSets: [{ path: 'task.yaml', assertions }] } });
    expect(judgingOf({ spec: { assertions } })).toEqual(inSet);
  });

  it('is the same for assertions that mean the same', () => {
    const [echo, any] = [{ server: 'pets', tool: 'echo' }, { server: 'pets' }];
    const of = (assertions: object, inSet?: object) =>
      judgingOf({
        spec: { assertions },
        config: { taskSets: [{ path: 'task.yaml', ...(inSet && { assertions: inSet }) }] },
      }).assertions;
    const args = { text: 'hi' };
    const before = of({ toolsUsed: [{ ...echo, args }, any] });
    expect(of({ toolsUsed: [any, { ...echo, argumentsMatch: args }] })).toEqual(before);
    const toolsUsed = [{ ...echo, args }, any];
    expect(of({ toolsUsed }, { toolsUsed })).toEqual(before);
    expect(of({ toolsUsed, minToolCalls: 0, noDuplicateCalls: false })).toEqual(before);
    expect(of({ toolsUsed: [echo, any] })).not.toEqual(before);
    expect(of({ toolsUsed }, { toolsUsed: [echo] })).not.toEqual(before);
    const [one, two] = [
      { type: 'tool', server: 'pets', name: 'a' },
      { type: 'tool', server: 'pets', name: 'b' },
    ];
    expect(of({ callOrder: [one, two] })).not.toEqual(of({ callOrder: [two, one] }));
  });

  it('differs where scripts run in the login shell', () => {
    const of = (apiVersion: string) =>
      judgingOf({ apiVersion, spec: { verify: [{ script: { inline: 'true' } }] } });
    expect(of('mcpchecker/v1alpha2')).not.toEqual(of('proctor/v1'));
  });

  it('is the same for limits and timeouts that mean the same', () => {
    const step = { inline: 'true' };
    const one = { limits: { timeout: '60s' }, verify: [{ timeout: '60s', script: step }] };
    const two = { limits: { timeout: '1m' }, verify: [{ script: { ...step, timeout: '1m' } }] };
    expect(judgingOf({ spec: one })).toEqual(judgingOf({ spec: two }));
  });

  it('takes a script for its content, not for its name', () => {
    writeFileSync(join(folder, 'a.sh'), 'true');
    writeFileSync(join(folder, 'b.sh'), 'true');
    const of = (file: string) => judgingOf({ spec: { verify: [{ script: { file } }] } });
    const before = of('a.sh');
    expect(of('b.sh')).toEqual(before);
    writeFileSync(join(folder, 'a.sh'), 'exit 0');
    expect(of('a.sh')).not.toEqual(before);
  });

  it('takes an extension for its program and settings, whatever a task calls it', () => {
    writeFileSync(join(folder, 'program'), 'one');
    const of = (alias: string, extension: object = {}) =>
      judgingOf({
        config: { extensions: { db: { package: './program', ...extension } } },
        spec: {
          requires: [{ extension: 'db', as: alias }],
          verify: [{ [`${alias}.count`]: { table: 'pets' } }],
        },
      }).verify?.[0]?.digest;
    const before = of('db');
    expect(of('store')).toBe(before);
    expect(of('db', { package: join(folder, 'program') })).toBe(before);
    expect(of('db', { config: { name: 'test' } })).not.toBe(before);
    writeFileSync(join(folder, 'program'), 'two');
    expect(of('db')).not.toBe(before);
  });

  it('takes a judge for its model and settings, not for its address and key', () => {
    const ref = { type: 'file', path: 'judge.yaml' };
    const of = (more: object) =>
      judgingOf({
        config: { llmJudge: { ref } },
        spec: asked,
        judge: { type: 'openai-agent', model: 'small', ...more },
      }).judge;
    const before = of({ baseUrl: 'http://127.0.0.1:1', apiKey: 'ONE' });
    expect(before).toMatchObject({ model: 'small' });
    expect(of({ baseUrl: 'http://127.0.0.1:2', apiKey: 'TWO' })).toEqual(before);
    expect(of({ model: 'large' })).not.toEqual(before);
    expect(of({ params: { temperature: 1 } })).not.toEqual(before);
  });

  it('takes the model of a judge out of the environment, and nothing secret', () => {
    const env = { baseUrlKey: 'URL', apiKeyKey: 'KEY', modelNameKey: 'MODEL' };
    const of = (environment: Record<string, string>) =>
      judgingOf({ config: { llmJudge: { env } }, spec: asked, environment }).judge;
    const before = of({ URL: 'http://a', KEY: 'secret', MODEL: 'small' });
    expect(before).toMatchObject({ model: 'small' });
    expect(of({ URL: 'http://b', KEY: 'other', MODEL: 'small' })).toEqual(before);
    expect(of({ URL: 'http://a', KEY: 'secret', MODEL: 'large' })).not.toEqual(before);
  });

  it('has no judge where no step asks one', () => {
    const env = { baseUrlKey: 'URL', apiKeyKey: 'KEY', modelNameKey: 'MODEL' };
    expect(judgingOf({ config: { llmJudge: { env } } }).judge).toBeNull();
  });
});
