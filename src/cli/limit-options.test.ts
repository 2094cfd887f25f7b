import { describe, expect, it } from 'vitest';
import type { CommandRun } from './command.js';
import { UsageError } from './exit-codes.js';
import { limitOptionsOf } from './limit-options.js';

const output = { write: () => {}, isTerminal: false };

function limitsOf(options: CommandRun['options']) {
  const io = { stdout: output, stderr: output, environment: {} };
  return limitOptionsOf({ arguments: [], options, io });
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
