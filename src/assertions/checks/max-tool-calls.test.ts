import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { MaxToolCalls } from './max-tool-calls.js';

const calls = [
  agentCall(1, 'list'),
  agentCall(2, 'readme', { kind: 'resource' }),
  agentCall(3, 'list', { server: 'docs' }),
  agentCall(4, 'remove', { blocked: true }),
];

describe('maxToolCalls', () => {
  it('passes with as many calls, over all servers', () => {
    expect(verdictOn(new MaxToolCalls(3, plainly), calls)).toEqual({
      passed: true,
      reason:
        'expected at most 3 tool calls; the agent made 3: shop.list, docs.list and shop.remove (blocked)',
      calls: [],
    });
  });

  it('fails with more, blocked ones included, and shows those that were too many', () => {
    expect(verdictOn(new MaxToolCalls(1, plainly), calls.toReversed())).toMatchObject({
      passed: false,
      reason: expect.stringContaining('expected at most 1 tool call; the agent made 3'),
      calls: [3, 4],
    });
  });

  it('takes 0 for a bound', () => {
    const none = verdictOn(new MaxToolCalls(0, plainly), []);
    expect(none.passed).toBe(true);
    expect(none.reason).toBe('expected at most 0 tool calls; the agent made none');
    expect(verdictOn(new MaxToolCalls(0, plainly), calls)).toMatchObject({
      passed: false,
      calls: [1, 3, 4],
    });
  });
});
