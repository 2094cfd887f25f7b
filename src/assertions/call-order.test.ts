import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCall, anyCalls, redactNothing, verdictOn } from '../../testing/agent-calls.js';
import type { AgentCall } from './assertion.js';
import { CallOrder } from './call-order.js';
import { type CallOrderItem, ItemMatcher, readCallOrderItem } from './item-matcher.js';

const tool = (name: string): CallOrderItem => ({ type: 'tool', server: 'shop', name });
const orderOf = (...items: CallOrderItem[]) => new CallOrder(items, redactNothing);

describe('callOrder', () => {
  it('passes when the items come in this order, whatever lies between', () => {
    const calls = ['add', 'list', 'help', 'add'].map((name, index) => agentCall(index + 1, name));
    expect(verdictOn(orderOf(tool('list'), tool('add')), calls)).toEqual({
      passed: true,
      reason: 'the calls came in the expected order: shop.list (call 2), then shop.add (call 4)',
      details: ['shop.list: call 2', 'shop.add: call 4'],
      calls: [2, 4],
    });
  });

  it('goes by the order of arrival, not by that in which calls end', () => {
    const assertion = orderOf(tool('list'), tool('add'));
    expect(verdictOn(assertion, [agentCall(2, 'add'), agentCall(1, 'list')]).passed).toBe(true);
    const reversed = orderOf(tool('list'), tool('add'));
    expect(verdictOn(reversed, [agentCall(2, 'list'), agentCall(1, 'add')]).passed).toBe(false);
  });

  it('fails when an item only came before the one that it should follow', () => {
    const assertion = orderOf(tool('list'), tool('add'), tool('help'));
    expect(verdictOn(assertion, [agentCall(1, 'add'), agentCall(2, 'list')])).toEqual({
      passed: false,
      reason:
        'expected shop.list, then shop.add, then shop.help; shop.add was called (call 1), but not after shop.list (call 2)',
      details: [
        'shop.list: call 2',
        'shop.add: missing after call 2',
        'shop.help: not checked: an earlier call is missing',
      ],
      calls: [1, 2],
    });
  });

  it('fails when an item never came', () => {
    expect(verdictOn(orderOf(tool('list'), tool('add')), [agentCall(1, 'add')])).toMatchObject({
      passed: false,
      reason: 'expected shop.list, then shop.add; shop.list was not called',
      details: ['shop.list: missing', expect.any(String)],
    });
  });

  it('needs a call of its own for each of two equal items', () => {
    const assertion = orderOf(tool('list'), tool('list'));
    expect(verdictOn(assertion, [agentCall(1, 'list')])).toMatchObject({
      passed: false,
      reason:
        'expected shop.list, then shop.list; shop.list was called (call 1), but not once more',
    });
    expect(verdictOn(assertion, [agentCall(2, 'list')]).passed).toBe(true);
  });

  it('does not count a call that was blocked, and says so', () => {
    const calls = [agentCall(1, 'list'), agentCall(2, 'add', { blocked: true })];
    expect(verdictOn(orderOf(tool('list'), tool('add')), calls)).toMatchObject({
      passed: false,
      reason:
        'expected shop.list, then shop.add; shop.add was tried, but blocked by the MCP config (call 2)',
      calls: [1, 2],
    });
  });

  it('mixes kinds, names and patterns', () => {
    const assertion = orderOf(
      { type: 'resource', server: 'shop', uriPattern: '^docs://' },
      { type: 'prompt', server: 'shop', promptPattern: '^sum' },
      { type: 'tool', server: 'shop', toolPattern: '^a' },
    );
    const calls = [
      agentCall(1, 'docs://readme', { kind: 'resource' }),
      agentCall(2, 'summarize', { kind: 'prompt' }),
    ];
    expect(verdictOn(assertion, calls).reason).toContain(
      'a tool of shop that matches /^a/ was not called',
    );
    expect(verdictOn(assertion, [agentCall(3, 'add')]).passed).toBe(true);
  });

  it('names the item that is missing, also far down in a long list', () => {
    const items = ['a', 'b', 'c', 'd', 'e', 'f'];
    const calls = items.slice(0, 5).map((name, index) => agentCall(index + 1, name));
    const { reason } = verdictOn(orderOf(...items.map(tool)), calls);
    expect(reason).toBe(
      'expected shop.a, then shop.b, then shop.c, then shop.d, then 2 more; shop.f was not called',
    );
  });

  it('agrees with trying every subsequence, in whatever order calls are seen', () => {
    const item = fc.constantFrom<CallOrderItem[]>(
      tool('list'),
      tool('add'),
      { type: 'tool', server: 'shop', toolPattern: '^list' },
      { type: 'tool', server: 'docs', name: 'list' },
      { type: 'prompt', server: 'shop', name: 'list' },
    );
    const items = fc.array(item, { minLength: 1, maxLength: 4 });
    const shuffledCalls = anyCalls.chain((calls) =>
      fc.tuple(fc.constant(calls), fc.shuffledSubarray(calls, { minLength: calls.length })),
    );
    fc.assert(
      fc.property(items, shuffledCalls, (expected, [calls, seen]) => {
        const isThere = occursIn(
          calls,
          expected.map((each) => new ItemMatcher(readCallOrderItem(each))),
        );
        expect(verdictOn(orderOf(...expected), seen).passed).toBe(isThere);
      }),
      { numRuns: 500 },
    );
  });
});

/** Every way to take or leave the first call is tried. */
function occursIn(calls: readonly AgentCall[], items: readonly ItemMatcher[]): boolean {
  const [item, ...otherItems] = items;
  const [call, ...otherCalls] = calls;
  if (!item) return true;
  if (!call) return false;
  const taken = !call.blocked && item.match(call) === 'yes' && occursIn(otherCalls, otherItems);
  return taken || occursIn(otherCalls, items);
}
