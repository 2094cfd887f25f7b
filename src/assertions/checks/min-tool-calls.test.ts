import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { minToolCalls } from './min-tool-calls.js';

describe('minToolCalls', () => {
  it('passes with as many calls, over all servers', () => {
    const calls = [agentCall(1, 'list'), agentCall(2, 'list', { server: 'docs' })];
    expect(verdictOn(minToolCalls(2, plainly), calls)).toEqual({
      passed: true,
      reason: 'expected at least 2 tool calls; the agent made 2: shop.list and docs.list',
      calls: [1, 2],
    });
  });

  it('fails with fewer; other kinds and blocked calls do not count', () => {
    const calls = [
      agentCall(1, 'list'),
      agentCall(2, 'readme', { kind: 'resource' }),
      agentCall(3, 'sum', { kind: 'prompt' }),
      agentCall(4, 'remove', { blocked: true }),
    ];
    expect(verdictOn(minToolCalls(2, plainly), calls)).toEqual({
      passed: false,
      reason:
        'expected at least 2 tool calls; the agent made 1: shop.list (and 1 blocked, not counted)',
      calls: [1],
    });
  });

  it('fails without any call', () => {
    const { passed, reason } = verdictOn(minToolCalls(1, plainly), []);
    expect(passed).toBe(false);
    expect(reason).toBe('expected at least 1 tool call; the agent made none');
  });

  it('covers nothing with 0', () => {
    expect(minToolCalls(0, plainly)).toBeUndefined();
  });
});
