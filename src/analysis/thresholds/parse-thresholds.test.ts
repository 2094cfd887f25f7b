import { describe, expect, it } from 'vitest';
import { UsageError } from '../../base/errors.js';
import { parseThresholds } from './parse-thresholds.js';

describe('thresholds', () => {
  it('may be numbers, or texts of a command line', () => {
    const parsed = {
      task: 0.8,
      assertion: undefined,
      passHatK: [{ k: 3, rate: 0.6 }],
      maxCost: 2.5,
      maxTokens: 500_000,
      maxErrors: 0,
      confidence: 0.95,
    };
    expect(parseThresholds(parsed)).toEqual(parsed);
    const texts = { task: '.8', passHatK: ['3=0.6'], maxCost: '2.50', maxTokens: '500k' };
    const given = { ...texts, maxErrors: '0', confidence: '0.95', variant: 'a' };
    expect(parseThresholds(given)).toEqual(parsed);
  });

  it.each([
    [{ task: 80 }, '--task: expected a number over 0, up to 1, found "80"'],
    [{ task: -1 }, '--task: expected a number over 0, up to 1, found "-1"'],
    [{ task: 0 }, '--task: expected a number over 0, up to 1, found "0"'],
    [{ task: 'abc' }, '--task: expected a number over 0, up to 1, found "abc"'],
    [{ task: Number.NaN }, '--task: expected a number over 0, up to 1, found "NaN"'],
    [{ assertion: null }, '--assertion: expected a number over 0, up to 1, found "null"'],
    [{ task: 0.8, confidence: 95 }, '--confidence: expected a number from 0.5 to 0.9999'],
    [{ passHatK: [{ k: 3 }] }, '--pass-hat-k: expected a number over 0, up to 1'],
    [{ passHatK: [{ k: 0.5, rate: 0.6 }] }, '--pass-hat-k: expected a number of runs and a rate'],
    [{ passHatK: { 3: 0.6 } }, '--pass-hat-k: expected a number of runs and a rate'],
    [{ passHatK: [null] }, '--pass-hat-k: expected a number of runs and a rate'],
    [{ maxErrors: -1 }, '--max-errors: expected a whole number, found "-1"'],
    [{ maxCost: -1 }, '--max-cost: expected a number of dollars, found "-1"'],
    [{ maxErrors: 0, confidence: 0.95 }, '--confidence: there is no threshold on a rate'],
    [{}, 'there is no threshold'],
  ])('%j are refused: %s', (given, message) => {
    expect(() => parseThresholds(given)).toThrow(UsageError);
    expect(() => parseThresholds(given)).toThrow(message);
  });
});
