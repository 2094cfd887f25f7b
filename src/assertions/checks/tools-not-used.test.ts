import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { toolsNotUsed } from './tools-not-used.js';

const server = 'shop';

describe('toolsNotUsed', () => {
  it('passes when nothing forbidden was called', () => {
    const check = toolsNotUsed([{ server, toolPattern: '^remove' }], plainly);
    expect(verdictOn(check, [agentCall(1, 'list')])).toEqual({
      passed: true,
      reason:
        'expected a tool of shop that matches /^remove/ not to be called; the agent did without',
      details: ['a tool of shop that matches /^remove/: not called'],
      calls: [],
    });
  });

  it('passes without any call, and says that there was none', () => {
    const { passed, reason } = verdictOn(toolsNotUsed([{ server }], plainly), []);
    expect(passed).toBe(true);
    expect(reason).toBe('expected a tool of shop not to be called; the agent made no tool call');
  });

  it('fails with the calls that should not be there', () => {
    const items = [
      { server, tool: 'drop' },
      { server, toolPattern: '^remove' },
    ];
    const calls = [agentCall(1, 'list'), agentCall(2, 'remove_all'), agentCall(3, 'remove')];
    expect(verdictOn(toolsNotUsed(items, plainly), calls)).toEqual({
      passed: false,
      reason:
        'expected a tool of shop that matches /^remove/ not to be called; the agent called shop.remove_all and shop.remove',
      details: [
        'shop.drop: not called',
        'a tool of shop that matches /^remove/: called (calls 2 and 3)',
      ],
      calls: [2, 3],
    });
  });

  it('fails for a call that was blocked: the agent tried', () => {
    const check = toolsNotUsed([{ server, tool: 'remove' }], plainly);
    const calls = [agentCall(1, 'remove', { blocked: true }), agentCall(2, 'remove')];
    const { passed, reason, details } = verdictOn(check, calls.slice(0, 1));
    expect(passed).toBe(false);
    expect(reason).toBe(
      'expected shop.remove not to be called; the agent called shop.remove (blocked)',
    );
    expect(details).toEqual(['shop.remove: tried, but blocked by the MCP config (call 1)']);
    expect(verdictOn(check, calls.slice(1)).details).toEqual([
      'shop.remove: called (call 2) and tried, but blocked by the MCP config (call 1)',
    ]);
  });

  it('minds the arguments where they are given', () => {
    const check = toolsNotUsed([{ server, tool: 'remove', args: { id: '/^prod-/' } }], plainly);
    expect(verdictOn(check, [agentCall(1, 'remove', { args: { id: 'test-1' } })]).passed).toBe(
      true,
    );
    expect(verdictOn(check, [agentCall(2, 'remove', { args: { id: 'prod-1' } })]).passed).toBe(
      false,
    );
  });

  it('shows a call once that two items forbid', () => {
    const check = toolsNotUsed([{ server, tool: 'remove' }, { server }], plainly);
    const { reason, calls } = verdictOn(check, [agentCall(1, 'remove')]);
    expect(reason).toBe(
      'expected shop.remove and a tool of shop not to be called; the agent called shop.remove',
    );
    expect(calls).toEqual([1]);
  });
});
