import { describe, expect, it } from 'vitest';
import { parseCheckOptions, parseLimits } from './check-options.js';
import type { CommandRun } from './command.js';
import { UsageError } from './exit-codes.js';

const output = { write: () => {}, isTerminal: false };

function optionsOf(options: CommandRun['options']) {
  const io = { stdout: output, stderr: output, environment: {} };
  const defaults = { parallel: '4', output: 'text' };
  return parseCheckOptions({ arguments: ['eval.yaml'], options: { ...defaults, ...options }, io });
}

describe('the options of check', () => {
  it('are few when none is given', () => {
    expect(optionsOf({})).toEqual({
      plan: {},
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
      verbose: false,
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
      verbose: true,
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
      verbose: true,
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
    expect(optionsOf({ runs: 'auto' }).plan).toEqual({ autoRuns: { width: 0.4, most: 20 } });
    expect(optionsOf({ runs: 'auto', runsWidth: '.25', runsMax: '50' }).plan).toEqual({
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

const silent = { write: () => {}, isTerminal: false };

function limitsOf(options: CommandRun['options']) {
  const io = { stdout: silent, stderr: silent, environment: {} };
  return parseLimits({ arguments: [], options, io });
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
