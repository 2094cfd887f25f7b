import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCall, nested, redactNothing, verdictOn } from '../../testing/agent-calls.js';
import { NoDuplicateCalls } from './no-duplicate-calls.js';
import { createAssertion } from './registry.js';

const noDuplicateCalls = () => new NoDuplicateCalls(redactNothing);

describe('noDuplicateCalls', () => {
  it('passes when calls differ in server, tool or arguments', () => {
    const calls = [
      agentCall(1, 'list'),
      agentCall(2, 'list', { server: 'docs' }),
      agentCall(3, 'add'),
      agentCall(4, 'list', { args: { all: true } }),
      agentCall(5, 'list', { args: { all: 'true' } }),
    ];
    expect(verdictOn(noDuplicateCalls(), calls)).toEqual({
      passed: true,
      reason: 'expected no two equal tool calls; the agent made 5, all of them different',
      calls: [],
    });
  });

  it('distinguishes large numbers that are the same once they are parsed', () => {
    const args = JSON.parse('{"id":1234567890123456789}') as object;
    const calls = ['788', '789'].map((end, index) =>
      agentCall(index + 1, 'get', { args, exactArgs: { id: `1234567890123456${end}` } }),
    );
    expect(verdictOn(noDuplicateCalls(), calls).passed).toBe(true);
  });

  it('passes without any call', () => {
    const { passed, reason } = verdictOn(noDuplicateCalls(), []);
    expect(passed).toBe(true);
    expect(reason).toBe('expected no two equal tool calls; the agent made no tool call');
  });

  it('fails with the calls that are the same', () => {
    const calls = [
      agentCall(1, 'add', { args: { a: 1, b: [{ c: 2, d: 3 }] } }),
      agentCall(2, 'list'),
      agentCall(3, 'add', { args: { b: [{ d: 3, c: 2 }], a: 1 } }),
      agentCall(4, 'list', { args: {} }),
      agentCall(5, 'list'),
    ];
    expect(verdictOn(noDuplicateCalls(), calls.toReversed())).toEqual({
      passed: false,
      reason:
        'expected no two equal tool calls; the agent made shop.add {"a":1,"b":[{"c":2,"d":3}]} 2 times (calls 1 and 3) and shop.list {} 3 times (calls 2, 4 and 5)',
      details: [
        'shop.add {"a":1,"b":[{"c":2,"d":3}]} 2 times (calls 1 and 3)',
        'shop.list {} 3 times (calls 2, 4 and 5)',
      ],
      calls: [1, 2, 3, 4, 5],
    });
  });

  it('counts blocked calls: the agent tried', () => {
    const calls = [agentCall(1, 'add', { blocked: true }), agentCall(2, 'add', { blocked: true })];
    expect(verdictOn(noDuplicateCalls(), calls)).toMatchObject({
      passed: false,
      calls: [1, 2],
    });
  });

  it('looks at tool calls only', () => {
    const calls = [
      agentCall(1, 'a', { kind: 'resource' }),
      agentCall(2, 'a', { kind: 'resource' }),
      agentCall(3, 'a', { kind: 'prompt' }),
      agentCall(4, 'a', { kind: 'prompt' }),
    ];
    expect(verdictOn(noDuplicateCalls(), calls).passed).toBe(true);
  });

  it('distinguishes arguments that are nested very deeply', () => {
    const calls = [
      agentCall(1, 'add', { args: nested(30_000) }),
      agentCall(2, 'add', { args: nested(30_000, '2') }),
    ];
    expect(verdictOn(noDuplicateCalls(), calls).passed).toBe(true);
    const again = [...calls, agentCall(3, 'add', { args: nested(30_000) })];
    expect(verdictOn(noDuplicateCalls(), again)).toMatchObject({
      passed: false,
      calls: [1, 3],
    });
  });

  it('names a bounded number of repetitions', () => {
    const calls = Array.from({ length: 1_000 }, (_, index) =>
      agentCall(index + 1, `t${index % 400}`),
    );
    const { passed, reason, details, calls: shown } = verdictOn(noDuplicateCalls(), calls);
    expect(passed).toBe(false);
    expect(reason).toContain('and more');
    expect(reason.length).toBeLessThan(300);
    expect(details).toHaveLength(100);
    expect(details?.at(-1)).toBe('shop.t99 {} 3 times (calls 100, 500 and 900)');
    expect(shown).toHaveLength(100);
  });

  it('is vacuous with false', () => {
    expect(createAssertion('noDuplicateCalls', false, redactNothing)).toBeUndefined();
  });

  it('fails for equal arguments, in whatever order their keys stand', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        const entries = Object.entries(args);
        const same = Object.fromEntries(entries.toReversed());
        const calls = [agentCall(1, 'add', { args }), agentCall(2, 'add', { args: same })];
        expect(verdictOn(noDuplicateCalls(), calls).passed).toBe(false);
        const other = agentCall(3, 'add', {
          args: { ...args, [`${Object.keys(args).join()}x`]: 1 },
        });
        expect(verdictOn(noDuplicateCalls(), [calls[0] ?? other, other]).passed).toBe(true);
      }),
    );
  });
});
