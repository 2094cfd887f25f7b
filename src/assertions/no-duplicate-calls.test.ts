import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCall, nested, redactNothing, verdictOn } from '../../testing/agent-calls.js';
import { computeJsonFingerprint, NoDuplicateCalls } from './no-duplicate-calls.js';
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
      callNumbers: [],
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
      callNumbers: [1, 2, 3, 4, 5],
    });
  });

  it('counts blocked calls: the agent tried', () => {
    const calls = [agentCall(1, 'add', { blocked: true }), agentCall(2, 'add', { blocked: true })];
    expect(verdictOn(noDuplicateCalls(), calls)).toMatchObject({
      passed: false,
      callNumbers: [1, 2],
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
      callNumbers: [1, 3],
    });
  });

  it('names a bounded number of repetitions', () => {
    const calls = Array.from({ length: 1_000 }, (_, index) =>
      agentCall(index + 1, `t${index % 400}`),
    );
    const { passed, reason, details, callNumbers: shown } = verdictOn(noDuplicateCalls(), calls);
    expect(passed).toBe(false);
    expect(reason).toContain('and more');
    expect(reason.length).toBeLessThan(300);
    expect(details).toHaveLength(100);
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

describe('computeJsonFingerprint', () => {
  it.each([
    ['1', '1.0'],
    ['100', '1e2'],
    ['0', '-0'],
    ['"\\u0041/"', '"A\\/"'],
    ['{"a":1,"b":{"c":2,"d":3}}', '{ "b": {"d":3, "c":2}, "a": 1 }'],
    ['[{"a":1,"b":2}]', '[{"b":2,"a":1}]'],
    ['12345678901234567890', '12345678901234567000'],
  ])('gives the same for %s and %s', (left, right) => {
    expect(computeJsonFingerprint(JSON.parse(left))).toBe(
      computeJsonFingerprint(JSON.parse(right)),
    );
  });

  it.each([
    ['1', '2'],
    ['1', '"1"'],
    ['null', '"null"'],
    ['null', '1e999'],
    ['1e999', '-1e999'],
    ['null', '{}'],
    ['[]', '{}'],
    ['[]', '[[]]'],
    ['[1,2]', '[2,1]'],
    ['[[1],2]', '[[1,2]]'],
    ['["a","b"]', '{"a":"b"}'],
    ['["a b"]', '["a","b"]'],
    ['{"a":{"b":1}}', '{"a":{},"b":1}'],
    ['{"a":null}', '{}'],
    ['{"__proto__":1}', '{}'],
    ['"\\ud800"', '"\\ud801"'],
  ])('gives different ones for %s and %s', (left, right) => {
    expect(computeJsonFingerprint(JSON.parse(left))).not.toBe(
      computeJsonFingerprint(JSON.parse(right)),
    );
  });

  it('gives a text of a fixed size, however large and deep the value is', () => {
    const deep = computeJsonFingerprint(nested(30_000));
    expect(deep).toHaveLength(43);
    expect(computeJsonFingerprint(nested(30_000, '2'))).not.toBe(deep);
    expect(computeJsonFingerprint(nested(30_000))).toBe(deep);
    expect(computeJsonFingerprint('x'.repeat(1_000_000))).toHaveLength(43);
  });

  it('gives the same for two values exactly if they are equal but for the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (left, right) => {
        expect(computeJsonFingerprint(reversed(left))).toBe(computeJsonFingerprint(left));
        const isSame = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
        expect(computeJsonFingerprint(left) === computeJsonFingerprint(right)).toBe(isSame);
      }),
    );
  });
});

const reversed = (value: unknown) => withKeys(value, (keys) => keys.reverse());
const sorted = (value: unknown) => withKeys(value, (keys) => keys.sort());

function withKeys(value: unknown, order: (keys: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withKeys(item, order));
  if (typeof value !== 'object' || value === null) return value;
  const map = new Map(Object.entries(value));
  const entries = order([...map.keys()]).map((key) => [key, withKeys(map.get(key), order)]);
  return Object.fromEntries(entries);
}
