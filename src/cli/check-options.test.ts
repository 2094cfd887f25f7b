import { describe, expect, it } from 'vitest';
import { checkOptionsOf } from './check-options.js';
import type { CommandRun } from './command.js';
import { UsageError } from './exit-codes.js';

const output = { write: () => {}, isTerminal: false };

function optionsOf(options: CommandRun['options']) {
  const io = { stdout: output, stderr: output, environment: {} };
  const defaults = { parallel: '4', output: 'text' };
  return checkOptionsOf({ arguments: ['eval.yaml'], options: { ...defaults, ...options }, io });
}

describe('the options of check', () => {
  it('are few when none is given', () => {
    expect(optionsOf({})).toEqual({
      plan: {},
      suite: { environment: {} },
      parallel: 4,
      output: 'text',
      reporters: [],
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
      agent: 'claude-code',
      model: 'm',
      out: 'out/r.json',
      bail: '2',
      keepWorkdir: 'always',
      rerunFailed: 'old.json',
      output: 'json',
      verbose: true,
    });
    expect(given).toMatchObject({
      plan: { runs: 3 },
      parallel: 256,
      agent: 'claude-code',
      model: 'm',
      out: 'out/r.json',
      bail: 2,
      keepWorkdir: 'always',
      rerunFailed: 'old.json',
      output: 'json',
      verbose: true,
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
