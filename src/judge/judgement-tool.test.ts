import { describe, expect, it } from 'vitest';
import { readVerdict } from './judgement-tool.js';

const reason = 'It says so.';

describe('readVerdict', () => {
  it.each([
    [
      { passed: true, reason },
      { passed: true, reason, failureCategory: 'n/a' },
    ],
    [
      { passed: false, reason },
      { passed: false, reason, failureCategory: 'n/a' },
    ],
    [
      { passed: false, reason, failureCategory: 'missing_information', more: 1 },
      { passed: false, reason, failureCategory: 'missing_information' },
    ],
    [
      { passed: true, reason, failureCategory: 'semantic_mismatch' },
      { passed: true, reason, failureCategory: 'n/a' },
    ],
  ])('takes %j', (args, verdict) => {
    expect(readVerdict(args)).toEqual({ verdict });
  });

  it.each([
    [undefined, 'object'],
    [null, 'object'],
    ['{"passed":true,"reason":"x"}', 'object'],
    [[true, reason], 'object'],
    [{ reason }, 'passed'],
    [{ passed: 'true', reason }, 'passed'],
    [{ passed: 1, reason }, 'passed'],
    [{ passed: null, reason }, 'passed'],
    [{ passed: [true], reason }, 'passed'],
    [{ Passed: true, reason }, 'passed'],
    [{ passed: true }, 'reason'],
    [{ passed: true, reason: '' }, 'reason'],
    [{ passed: true, reason: ' \n' }, 'reason'],
    [{ passed: true, reason: [reason] }, 'reason'],
    [{ passed: true, reason, failureCategory: null }, 'failureCategory'],
    [{ passed: true, reason, failureCategory: '' }, 'failureCategory'],
    [{ passed: false, reason, failureCategory: 'other' }, 'failureCategory'],
    [{ passed: false, reason, failureCategory: ['n/a'] }, 'failureCategory'],
  ])('refuses %j and names what is wrong', (args, named) => {
    expect(readVerdict(args)).toEqual({ mistake: expect.stringContaining(named) });
  });
});
