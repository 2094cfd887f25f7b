import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.js';
import {
  fillPlaceholders,
  recordOptions,
  refuseSharedPaths,
  resolveCheckOptions,
} from './check-options.js';
import type { GivenOptions } from './parse-options.js';

function optionsOf(given: GivenOptions) {
  return resolveCheckOptions(given, {});
}

describe('the options of check', () => {
  it('are few when none is given', () => {
    expect(optionsOf({})).toEqual({
      plan: { control: false, strict: false },
      suite: { environment: {} },
      parallel: 4,
      budget: {},
      limits: { rates: [] },
      output: 'text',
      reporters: [],
      shardDurations: [],
      resume: false,
      force: false,
      control: false,
      strict: false,
      detach: false,
    });
  });

  it('are taken over', () => {
    const given = optionsOf({
      runs: '3',
      parallel: '256',
      agent: ['claude-code'],
      model: ['m'],
      out: 'out/r.json',
      bail: '2',
      keepWorkdir: 'always',
      rerunFailed: 'old.json',
      output: 'json',
      maxCost: '2.50',
      maxTokens: '1.5M',
      maxDuration: '1h30m',
      prices: '/p.yaml',
    });
    expect(given).toMatchObject({
      plan: { runs: 3 },
      parallel: 256,
      out: 'out/r.json',
      bail: 2,
      keepWorkdir: 'always',
      rerunFailed: 'old.json',
      output: 'json',
      budget: { cost: 2.5, tokens: 1_500_000, duration: 5_400_000 },
      suite: {
        agents: [{ written: 'claude-code', value: { type: 'claude-code' } }],
        models: ['m'],
        pricesFile: '/p.yaml',
      },
    });
  });

  it.each([
    [{ maxTokens: '200000' }, 200_000],
    [{ maxTokens: '500k' }, 500_000],
    [{ maxTokens: '1.1M' }, 1_100_000],
    [{ maxTokens: '2m' }, 2_000_000],
    [{ maxTokens: '1e6' }, 1_000_000],
  ])('%j is a budget', (given, tokens) => {
    expect(optionsOf(given).budget).toEqual({ tokens });
  });

  it('--runs auto has a rule, part of which can be given', () => {
    expect(optionsOf({ runs: 'auto' }).plan).toMatchObject({ autoRuns: { width: 0.4, most: 20 } });
    expect(optionsOf({ runs: 'auto', runsWidth: '.25', runsMax: '50' }).plan).toMatchObject({
      autoRuns: { width: 0.25, most: 50 },
    });
  });

  it('--bail alone means the first failure', () => {
    expect(optionsOf({ bail: true }).bail).toBe(1);
  });

  it('--control goes with a selection of tasks', () => {
    expect(optionsOf({ control: true, run: 'pod', out: 'x.json' }).control).toBe(true);
  });

  it.each([
    [{ parallel: '0' }, '--parallel: expected a whole number from 1 to 256, found "0"'],
    [{ parallel: '257' }, '--parallel: expected'],
    [{ parallel: '-1' }, '--parallel: expected'],
    [{ bail: '0' }, '--bail: expected a whole number from 1'],
    [{ maxCost: '0' }, '--max-cost: a budget is more than zero, found "0"'],
    [{ maxCost: '-1' }, '--max-cost: expected a number of dollars, found "-1"'],
    [{ maxCost: '$5' }, '--max-cost: expected a number of dollars'],
    [{ maxTokens: '0k' }, '--max-tokens: a budget is more than zero'],
    [{ maxTokens: '1.5' }, '--max-tokens: expected a whole number'],
    [{ maxTokens: '2G' }, '--max-tokens: expected a whole number'],
    [{ maxTokens: '' }, '--max-tokens: expected a whole number'],
    [{ maxDuration: '10' }, '--max-duration: invalid duration "10": missing unit'],
    [{ maxDuration: '0s' }, '--max-duration: invalid duration "0s": a budget is more than zero'],
    [{ runs: 'many' }, '--runs: expected a whole number from 1 to 10000, or auto, found "many"'],
    [{ runs: '0' }, '--runs: expected a whole number from 1 to 10000'],
    [{ runs: 'auto', runsMax: '2' }, '--runs-max: expected a whole number from 3'],
    [{ runs: 'auto', runsWidth: '0' }, '--runs-width: expected a number between 0 and 1'],
    [{ runs: 'auto', runsWidth: '40%' }, '--runs-width: expected a number between 0 and 1'],
    [{ runs: '5', runsMax: '9' }, '--runs-max goes with --runs auto alone'],
    [{ runsWidth: '0.3' }, '--runs-width goes with --runs auto alone'],
    [{ runs: 'auto', rerunFailed: 'x' }, '--runs auto and --rerun-failed do not go together'],
    [{ runs: 'auto', control: true }, '--control and --runs do not go together'],
    [{ agent: ' ' }, '--agent: expected a value, found nothing'],
    [{ out: '' }, '--out: expected a value'],
    [{ out: 'results.JSONL' }, '--out: a results file cannot end in .jsonl'],
    [{ resume: true, rerunFailed: 'r.json' }, '--resume and --rerun-failed do not go together'],
    [{ control: true, runs: '2' }, '--control and --runs do not go together'],
    [{ control: true, resume: true }, '--control and --resume do not go together'],
    [{ control: true, agent: 'acp' }, '--control and --agent do not go together'],
    [{ control: true, model: 'm' }, '--control and --model do not go together'],
    [{ control: true, bail: true }, '--control and --bail do not go together'],
    [{ control: true, rerunFailed: 'r' }, '--control and --rerun-failed do not go together'],
  ])('%j are refused', (options, message) => {
    expect(() => optionsOf(options)).toThrow(UsageError);
    expect(() => optionsOf(options)).toThrow(message);
  });
});

describe('the record of options, which --resume compares', () => {
  it('has every option that decides what runs', () => {
    const options = optionsOf({
      run: 'pod',
      labelSelector: 'team=a',
      runs: 'auto',
      runsWidth: '0.3',
      runsMax: '9',
      shard: '1/2',
      shardDurations: ['old.json'],
      agent: ['claude-code'],
      model: ['m', 'n'],
      mcpConfigFile: ['/mcp.json'],
      taskTimeout: '1m',
      defaultTaskTimeout: '2m',
      cleanupTimeout: '3m',
      defaultCleanupTimeout: '4m',
    });
    // Durations by what they say: another shard may have their files at another place.
    expect(recordOptions(options, { cut: { digest: 'abc', expectedMs: 1 } })).toEqual({
      run: 'pod',
      'label-selector': 'team=a',
      runs: 'auto',
      'runs-width': 0.3,
      'runs-max': 9,
      shard: '1/2',
      'shard-durations': 'abc',
      agent: 'claude-code',
      model: ['m', 'n'],
      'mcp-config-file': '/mcp.json',
      'task-timeout': '1m',
      'default-task-timeout': '2m',
      'cleanup-timeout': '3m',
      'default-cleanup-timeout': '4m',
    });
    expect(recordOptions(optionsOf({ control: true }), {})).toEqual({ control: true });
    const rerun = optionsOf({ rerunFailed: 'old.json' });
    expect(recordOptions(rerun, {})).toEqual({ 'rerun-failed': 'old.json' });
  });

  it('has none of the options that decide only how fast, how far or where to', () => {
    const options = optionsOf({
      parallel: '2',
      bail: true,
      maxCost: '1',
      concurrentAgents: '2',
      keepWorkdir: 'always',
      out: 'other.json',
      force: true,
    });
    expect(recordOptions(options, {})).toEqual({});
  });
});

function limitsOf(given: GivenOptions) {
  return resolveCheckOptions(given, {}).limits;
}

describe('limits of the command line', () => {
  it('are none when none is given', () => {
    expect(limitsOf({})).toEqual({ rates: [] });
  });

  it('are for every model, a provider, or a model, whatever it is called', () => {
    const requestsPerMinute = ['60', 'openai=50', 'gemini:a/b:c=d=7'];
    expect(
      limitsOf({ concurrentAgents: '2', requestsPerMinute, tokensPerMinute: ['9000'] }),
    ).toEqual({
      concurrentAgents: 2,
      rates: [
        { requestsPerMinute: 60, option: '--requests-per-minute 60' },
        { provider: 'openai', requestsPerMinute: 50, option: '--requests-per-minute openai=50' },
        {
          provider: 'google',
          model: 'a/b:c=d',
          requestsPerMinute: 7,
          option: '--requests-per-minute gemini:a/b:c=d=7',
        },
        { tokensPerMinute: 9_000, option: '--tokens-per-minute 9000' },
      ],
    });
  });

  it.each([
    [{ concurrentAgents: '0' }, '--concurrent-agents: expected a whole number from 1 to 100000'],
    [{ requestsPerMinute: ['many'] }, 'expected a whole number from 1'],
    [{ requestsPerMinute: ['openai='] }, 'found ""'],
    [{ tokensPerMinute: ['1.5'] }, '--tokens-per-minute: expected a whole number'],
    [{ requestsPerMinute: ['=5'] }, 'unknown provider ""'],
    [{ requestsPerMinute: ['opnai=5'] }, 'unknown provider "opnai"'],
    [{ requestsPerMinute: ['openai:=5'] }, 'expected a model after openai:'],
    [{ requestsPerMinute: ['1', '2'] }, 'every model is given two limits'],
    [{ requestsPerMinute: ['google=1', 'gemini=2'] }, 'gemini is given two limits'],
  ])('%j are refused', (options, message) => {
    expect(() => limitsOf(options)).toThrow(UsageError);
    expect(() => limitsOf(options)).toThrow(message);
  });
});

describe('{eval} in a path', () => {
  it('becomes the name of the eval, as far as it fits into that of a file', () => {
    const given = optionsOf({
      out: 'out/{eval}/{eval}.json',
      reporter: ['junit={eval}.xml', 'html'],
      rerunFailed: '{eval}.json',
    });
    expect(fillPlaceholders(given, 'A/B ../c')).toMatchObject({
      out: 'out/a-b-..-c/a-b-..-c.json',
      rerunFailed: 'a-b-..-c.json',
      reporters: [{ shown: 'junit={eval}.xml', file: join(process.cwd(), 'a-b-..-c.xml') }, {}],
    });
  });

  it('leaves what stands for nothing as it is', () => {
    const given = optionsOf({ out: 'out.json', reporter: ['tap=out.tap'] });
    expect(fillPlaceholders(given, 'name')).toEqual(given);
  });

  it.each([
    [{}],
    [{ out: '{eval}.json', reporter: ['junit={eval}.xml', 'html', 'github', 'markdown'] }],
    [{ shard: '1/2', shardDurations: ['a/{eval}.json', 'b/{eval}.json'] }],
    [{ output: 'json' }],
  ])('is enough for several evals: %j', (options) => {
    expect(() => refuseSharedPaths(optionsOf(options))).not.toThrow();
  });

  it.each([
    [{ out: 'eval.json' }, '--out eval.json: with several evals, each needs a file of its own'],
    [{ reporter: ['html={eval}.html', 'tap=t'] }, '--reporter tap=t: with several evals'],
    [{ rerunFailed: 'x.json' }, '--rerun-failed x.json'],
    [{ shard: '1/2', shardDurations: ['{eval}.json', 'b.json'] }, '--shard-durations b.json'],
    [{ reporter: ['junit'] }, '--reporter junit: with several evals, standard output'],
  ])('is missed with several evals: %j', (options, message) => {
    const refused = () => refuseSharedPaths(optionsOf(options));
    expect(refused).toThrow(UsageError);
    expect(refused).toThrow(message);
  });
});
