import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { MaxToolErrors } from './max-tool-errors.js';

const calls = [
  agentCall(1, 'list'),
  agentCall(2, 'add', { isError: true }),
  agentCall(3, 'readme', { kind: 'resource', isError: true }),
  agentCall(4, 'remove', { blocked: true, isError: true }),
  agentCall(5, 'add', { isError: true }),
];

describe('maxToolErrors', () => {
  it('passes with as many errors', () => {
    expect(verdictOn(new MaxToolErrors(3, plainly), calls)).toEqual({
      passed: true,
      reason:
        'expected at most 3 tool errors; 3 of 4 tool calls ended in an error: shop.add (2x) and shop.remove (blocked)',
      calls: [2, 4, 5],
    });
  });

  it('fails with more, blocked calls included, and shows them', () => {
    expect(verdictOn(new MaxToolErrors(2, plainly), calls)).toMatchObject({
      passed: false,
      calls: [2, 4, 5],
    });
    const blocked = [agentCall(1, 'remove', { blocked: true })];
    expect(verdictOn(new MaxToolErrors(0, plainly), blocked).passed).toBe(false);
  });

  it('passes without errors, and without calls', () => {
    expect(verdictOn(new MaxToolErrors(0, plainly), calls.slice(0, 1))).toEqual({
      passed: true,
      reason: 'expected at most 0 tool errors; 0 of 1 tool call ended in an error',
      calls: [],
    });
    const { reason } = verdictOn(new MaxToolErrors(0, plainly), []);
    expect(reason).toBe('expected at most 0 tool errors; the agent made no tool call');
  });
});
