import { describe, expect, it } from 'vitest';
import { agentCall, plainly, verdictOn } from '../../testing/agent-calls.js';
import { RequireAny } from './require-any.js';

const server = 'shop';
const items = [
  { server, tool: 'add' },
  { server, tool: 'list', args: { all: true } },
];

describe('requireAny', () => {
  it('passes when one of the items matches a call', () => {
    const calls = [agentCall(1, 'help'), agentCall(2, 'add'), agentCall(3, 'add')];
    expect(verdictOn(new RequireAny(items, plainly), calls)).toEqual({
      passed: true,
      reason: 'shop.add was called',
      details: ['shop.add: called (calls 2 and 3)', 'shop.list with {"all":true}: not called'],
      calls: [2],
    });
  });

  it('passes for any tool of a server', () => {
    const { passed, reason } = verdictOn(new RequireAny([{ server }], plainly), [
      agentCall(1, 'x'),
    ]);
    expect(passed).toBe(true);
    expect(reason).toBe('a tool of shop was called');
  });

  it('fails when none matches, and says what was called', () => {
    const { passed, reason } = verdictOn(new RequireAny(items, plainly), [agentCall(1, 'help')]);
    expect(passed).toBe(false);
    expect(reason).toBe(
      'expected at least one of shop.add and shop.list with {"all":true} to be called; the agent only called shop.help',
    );
  });

  it('fails when the only matching call was blocked, or had other arguments', () => {
    const blocked = [agentCall(1, 'add', { blocked: true })];
    expect(verdictOn(new RequireAny(items, plainly), blocked)).toMatchObject({
      passed: false,
      reason: expect.stringContaining('shop.add was tried, but blocked by the MCP config (call 1)'),
      calls: [1],
    });
    const others = [agentCall(2, 'list')];
    expect(verdictOn(new RequireAny(items, plainly), others)).toMatchObject({
      passed: false,
      reason: expect.stringContaining('was called, but with other arguments: {} (call 2)'),
      calls: [2],
    });
  });

  it('fails without any call', () => {
    const { passed, reason } = verdictOn(new RequireAny([{ server }], plainly), []);
    expect(passed).toBe(false);
    expect(reason).toBe('expected a tool of shop to be called; the agent made no tool call');
  });
});
