import { describe, expect, it } from 'vitest';
import { agentCall, nested, plainly, verdictOn } from '../../testing/agent-calls.js';
import { toolsUsed } from './tools-used.js';

const server = 'shop';

describe('toolsUsed', () => {
  it('passes when every item matches a call, and shows the first of each', () => {
    const check = toolsUsed(
      [
        { server, tool: 'add' },
        { server, toolPattern: '^li' },
      ],
      plainly,
    );
    const calls = [agentCall(1, 'list'), agentCall(2, 'add'), agentCall(3, 'list')];
    expect(verdictOn(check, calls)).toEqual({
      passed: true,
      reason: 'shop.add and a tool of shop that matches /^li/ were called',
      details: [
        'shop.add: called (call 2)',
        'a tool of shop that matches /^li/: called (calls 1 and 3)',
      ],
      calls: [1, 2],
    });
  });

  it('fails when one is missing, and says what was called', () => {
    const check = toolsUsed(
      [
        { server, tool: 'add' },
        { server, tool: 'list' },
      ],
      plainly,
    );
    expect(verdictOn(check, [agentCall(1, 'list'), agentCall(2, 'list')])).toEqual({
      passed: false,
      reason: 'expected shop.add to be called; the agent only called shop.list (2x)',
      details: ['shop.add: not called', 'shop.list: called (calls 1 and 2)'],
      calls: [],
    });
  });

  it('fails without any call', () => {
    const check = toolsUsed([{ server }], plainly);
    const { passed, reason } = verdictOn(check, [agentCall(1, 'add', { kind: 'prompt' })]);
    expect(passed).toBe(false);
    expect(reason).toBe('expected a tool of shop to be called; the agent made no tool call');
  });

  it('fails when only another server was asked', () => {
    const check = toolsUsed([{ server, tool: 'add' }], plainly);
    const { passed, reason } = verdictOn(check, [agentCall(1, 'add', { server: 'other' })]);
    expect(passed).toBe(false);
    expect(reason).toBe('expected shop.add to be called; the agent only called other.add');
  });

  it('fails when the arguments were others, and shows those of the first call', () => {
    const check = toolsUsed([{ server, tool: 'add', args: { id: 1 } }], plainly);
    const later = agentCall(4, 'add', { args: { id: 3 } });
    const calls = [later, agentCall(2, 'add', { args: { id: 2 } })];
    expect(verdictOn(check, calls)).toEqual({
      passed: false,
      reason:
        'expected shop.add with {"id":1} to be called; it was called, but with other arguments: {"id":2} (calls 2 and 4)',
      details: [
        'shop.add with {"id":1}: called, but with other arguments: {"id":2} (calls 2 and 4)',
      ],
      calls: [2, 4],
    });
  });

  it('does not count a call that was blocked, and says so', () => {
    const check = toolsUsed(
      [
        { server, tool: 'add' },
        { server, tool: 'list' },
      ],
      plainly,
    );
    const { passed, reason, calls } = verdictOn(check, [agentCall(1, 'add', { blocked: true })]);
    expect(passed).toBe(false);
    expect(reason).toBe(
      'expected shop.add and shop.list to be called; shop.add was tried, but blocked by the MCP config (call 1)',
    );
    expect(calls).toEqual([1]);
  });

  it('counts a call that ended in an error', () => {
    const check = toolsUsed([{ server, tool: 'add' }], plainly);
    expect(verdictOn(check, [agentCall(1, 'add', { isError: true })]).passed).toBe(true);
  });

  it('says how things stand at any time', () => {
    const check = toolsUsed([{ server, tool: 'add' }], plainly);
    expect(check.verdict().passed).toBe(false);
    check.see(agentCall(1, 'add'));
    expect(check.verdict().passed).toBe(true);
  });

  it('quotes no secret and nothing long', () => {
    const redact = (text: string) => text.replaceAll('s3cr3t-value', '[redacted:KEY]');
    const check = toolsUsed([{ server, tool: 'add', args: { id: 1 } }], redact);
    const args = { key: `${'x'.repeat(52)}s3cr3t-value`, deep: nested(30_000) };
    const { reason, details } = verdictOn(check, [agentCall(1, 'add', { args })]);
    expect(reason).not.toContain('s3cr3t');
    expect(reason.length).toBeLessThan(400);
    expect(details?.join()).not.toContain('s3cr3t');
  });
});
