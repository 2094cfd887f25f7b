import { describe, expect, it } from 'vitest';
import { agentCall, redactNothing, verdictOn } from '../../testing/agent-calls.js';
import { MaxToolCalls, MaxToolErrors, MinToolCalls } from './call-counts.js';
import { createAssertion } from './registry.js';

const calls = [
  agentCall(1, 'list'),
  agentCall(2, 'readme', { kind: 'resource' }),
  agentCall(3, 'list', { server: 'docs' }),
  agentCall(4, 'remove', { blocked: true }),
];

describe('maxToolCalls', () => {
  it('passes with as many calls, over all servers', () => {
    expect(verdictOn(new MaxToolCalls(3, redactNothing), calls)).toEqual({
      passed: true,
      reason:
        'expected at most 3 tool calls; the agent made 3: shop.list, docs.list and shop.remove (blocked)',
      calls: [],
    });
  });

  it('fails with more, blocked ones included, and shows those that were too many', () => {
    expect(verdictOn(new MaxToolCalls(1, redactNothing), calls.toReversed())).toMatchObject({
      passed: false,
      reason: expect.stringContaining('expected at most 1 tool call; the agent made 3'),
      calls: [3, 4],
    });
  });

  it('takes 0 for a bound', () => {
    const none = verdictOn(new MaxToolCalls(0, redactNothing), []);
    expect(none.passed).toBe(true);
    expect(none.reason).toBe('expected at most 0 tool calls; the agent made none');
    expect(verdictOn(new MaxToolCalls(0, redactNothing), calls)).toMatchObject({
      passed: false,
      calls: [1, 3, 4],
    });
  });
});

describe('minToolCalls', () => {
  it('passes with as many calls, over all servers', () => {
    const calls = [agentCall(1, 'list'), agentCall(2, 'list', { server: 'docs' })];
    expect(verdictOn(new MinToolCalls(2, redactNothing), calls)).toEqual({
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
    expect(verdictOn(new MinToolCalls(2, redactNothing), calls)).toEqual({
      passed: false,
      reason:
        'expected at least 2 tool calls; the agent made 1: shop.list (and 1 blocked, not counted)',
      calls: [1],
    });
  });

  it('fails without any call', () => {
    const { passed, reason } = verdictOn(new MinToolCalls(1, redactNothing), []);
    expect(passed).toBe(false);
    expect(reason).toBe('expected at least 1 tool call; the agent made none');
  });

  it('minToolCalls: 0 is vacuous', () => {
    expect(createAssertion('minToolCalls', 0, redactNothing)).toBeUndefined();
  });
});

describe('maxToolErrors', () => {
  const calls = [
    agentCall(1, 'list'),
    agentCall(2, 'add', { isError: true }),
    agentCall(3, 'readme', { kind: 'resource', isError: true }),
    agentCall(4, 'remove', { blocked: true, isError: true }),
    agentCall(5, 'add', { isError: true }),
  ];

  it('passes with as many errors', () => {
    expect(verdictOn(new MaxToolErrors(3, redactNothing), calls)).toEqual({
      passed: true,
      reason:
        'expected at most 3 tool errors; 3 of 4 tool calls ended in an error: shop.add (2x) and shop.remove (blocked)',
      calls: [2, 4, 5],
    });
  });

  it('fails with more, blocked calls included, and shows them', () => {
    expect(verdictOn(new MaxToolErrors(2, redactNothing), calls)).toMatchObject({
      passed: false,
      calls: [2, 4, 5],
    });
    const blocked = [agentCall(1, 'remove', { blocked: true })];
    expect(verdictOn(new MaxToolErrors(0, redactNothing), blocked).passed).toBe(false);
  });

  it('passes without errors, and without calls', () => {
    expect(verdictOn(new MaxToolErrors(0, redactNothing), calls.slice(0, 1))).toEqual({
      passed: true,
      reason: 'expected at most 0 tool errors; 0 of 1 tool call ended in an error',
      calls: [],
    });
    const { reason } = verdictOn(new MaxToolErrors(0, redactNothing), []);
    expect(reason).toBe('expected at most 0 tool errors; the agent made no tool call');
  });
});
