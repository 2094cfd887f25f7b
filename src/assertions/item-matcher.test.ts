import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agentCall, nested } from '../../testing/agent-calls.js';
import { readArgumentPattern, readArgumentText } from '../config/files/assertion-items.js';
import {
  createContainmentTest,
  ItemMatcher,
  readCallOrderItem,
  readListItem,
} from './item-matcher.js';

const server = 'shop';

describe('ItemMatcher', () => {
  it.each([
    ['the exact name', { tool: 'list' }, 'list', 'yes'],
    ['not a longer name', { tool: 'list' }, 'list_all', 'no'],
    ['a pattern, anywhere in the name', { toolPattern: 'is' }, 'list', 'yes'],
    ['not what a pattern does not match', { toolPattern: '^is' }, 'list', 'no'],
    ['any name when none is asked for', {}, 'whatever', 'yes'],
    ['the name, of a name and a pattern', { tool: 'list', toolPattern: '^add' }, 'list', 'yes'],
    ['the pattern, of a name and a pattern', { tool: 'list', toolPattern: '^add' }, 'add_1', 'yes'],
    ['neither of a name and a pattern', { tool: 'list', toolPattern: '^add' }, 'remove', 'no'],
  ])('takes %s', (_what, item, name, fit) => {
    const matcher = new ItemMatcher(readListItem('tool', { server, ...item }));
    expect(matcher.match(agentCall(1, name))).toBe(fit);
  });

  it('takes calls of its own server and kind only', () => {
    const matcher = new ItemMatcher(readListItem('tool', { server }));
    expect(matcher.match(agentCall(1, 'list', { server: 'docs' }))).toBe('no');
    expect(matcher.match(agentCall(1, 'list', { kind: 'prompt' }))).toBe('no');
  });

  it.each(['args', 'argumentsMatch'])('looks at the arguments with %s', (key) => {
    const matcher = new ItemMatcher(
      readListItem('tool', { server, tool: 'add', [key]: { id: 1 } }),
    );
    expect(matcher.match(agentCall(1, 'add', { args: { id: 1, more: true } }))).toBe('yes');
    expect(matcher.match(agentCall(1, 'add', { args: { id: 2 } }))).toBe('other-arguments');
    expect(matcher.match(agentCall(1, 'add'))).toBe('other-arguments');
    expect(matcher.match(agentCall(1, 'list', { args: { id: 1 } }))).toBe('no');
  });

  it('takes missing arguments for empty ones', () => {
    const matcher = new ItemMatcher(readListItem('tool', { server, args: {} }));
    expect(matcher.match(agentCall(1, 'list'))).toBe('yes');
    expect(matcher.match(agentCall(1, 'list', { args: null }))).toBe('other-arguments');
  });

  it.each([
    [readListItem('resource', { server, uri: 'a' }), agentCall(1, 'a', { kind: 'resource' })],
    [
      readListItem('resource', { server, uriPattern: '^a' }),
      agentCall(1, 'ab', { kind: 'resource' }),
    ],
    [readListItem('prompt', { server, prompt: 'a' }), agentCall(1, 'a', { kind: 'prompt' })],
    [
      readListItem('prompt', { server, promptPattern: '^a' }),
      agentCall(1, 'ab', { kind: 'prompt' }),
    ],
    [readListItem('skill', { skill: 'a' }), agentCall(1, 'a', { kind: 'skill' })],
    [readListItem('skill', { skillPattern: '^a' }), agentCall(1, 'ab', { kind: 'skill' })],
    [readCallOrderItem({ type: 'tool', server, name: 'a' }), agentCall(1, 'a')],
    [readCallOrderItem({ type: 'tool', server, toolPattern: '^a' }), agentCall(1, 'ab')],
    [
      readCallOrderItem({ type: 'resource', server, uriPattern: '^a' }),
      agentCall(1, 'ab', { kind: 'resource' }),
    ],
    [
      readCallOrderItem({ type: 'prompt', server, promptPattern: '^a' }),
      agentCall(1, 'ab', { kind: 'prompt' }),
    ],
  ])('understands items of every kind: %o', (asked, call) => {
    const matcher = new ItemMatcher(asked);
    expect(matcher.match(call)).toBe('yes');
    expect(matcher.match({ ...call, name: 'other' })).toBe('no');
  });

  it('refuses a pattern that does not compile, rather than match nothing', () => {
    expect(() => new ItemMatcher(readListItem('tool', { server, toolPattern: '(' }))).toThrow(
      'invalid',
    );
  });
});

const contains = (actual: unknown, expected: unknown) => createContainmentTest(expected)(actual);

describe('containmentOf', () => {
  it.each([
    ['nothing is asked', { a: 1 }, {}],
    ['another key is there', { a: 1, b: 2 }, { a: 1 }],
    ['another key is there, deeply', { a: { b: { c: 1, d: 2 } }, e: 3 }, { a: { b: { c: 1 } } }],
    ['lists are the same', { a: [1, 'x', null] }, { a: [1, 'x', null] }],
    ['an item of a list contains what is asked', { a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }],
    ['null is asked and given', { a: null }, { a: null }],
    ['a pattern matches', { a: 'web-1' }, { a: '/^web-/' }],
    ['a pattern matches anywhere', { a: 'the web' }, { a: '/web/' }],
    ['a pattern in a list matches', { a: ['x', 'web-1'] }, { a: ['x', '/^WEB|(?i)web/'] }],
    [
      'a large number reads the same',
      JSON.parse('{"a":12345678901234567890}'),
      { a: 12345678901234567000 },
    ],
    ['one slash is just a string', { a: '/' }, { a: '/' }],
    ['an escaped pattern is a text', { a: '/web/' }, { a: '\\/web/' }],
  ])('holds when %s', (_when, actual, expected) => {
    expect(contains(actual, expected)).toBe(true);
  });

  it.each([
    ['a key is missing', { b: 1 }, { a: 1 }],
    ['a value differs', { a: 1 }, { a: 2 }],
    ['a string stands for a number', { a: '1' }, { a: 1 }],
    ['null stands for nothing', {}, { a: null }],
    ['a deep key is missing', { a: { c: 1 } }, { a: { b: 1 } }],
    ['a list is longer', { a: [1, 2] }, { a: [1] }],
    ['a list is shorter', { a: [1] }, { a: [1, 2] }],
    ['a list has another order', { a: [2, 1] }, { a: [1, 2] }],
    ['a list stands for a map', { a: [1] }, { a: { 0: 1 } }],
    ['a map stands for a list', { a: { 0: 1, length: 1 } }, { a: [1] }],
    ['a pattern does not match', { a: 'web' }, { a: '/^db-/' }],
    ['an escaped pattern meets what the pattern would match', { a: 'web' }, { a: '\\/web/' }],
    ['a pattern meets a number', { a: 5 }, { a: '/5/' }],
    ['a pattern meets a list', { a: ['web'] }, { a: '/web/' }],
    ['the arguments are null', null, {}],
    ['the arguments are a list', ['a'], {}],
    ['a key is only inherited', {}, { toString: '/native/' }],
  ])('does not hold when %s', (_when, actual, expected) => {
    expect(contains(actual, expected)).toBe(false);
  });

  it('goes no deeper into the arguments than what is expected', () => {
    expect(contains({ id: 1, rest: nested(30_000) }, { id: 1 })).toBe(true);
    expect(contains(nested(30_000), { a: [{ a: 1 }] })).toBe(false);
  });

  it('holds of anything with itself', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        fc.pre(!hasNotation(args));
        expect(contains(args, args)).toBe(true);
      }),
    );
  });

  it('still holds when keys are added, and no longer when one is taken away', () => {
    const args = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
    fc.assert(
      fc.property(args, fc.dictionary(fc.string(), fc.jsonValue()), (expected, more) => {
        fc.pre(!hasNotation(expected));
        expect(contains({ ...more, ...expected }, expected)).toBe(true);
        const [[gone = ''] = []] = Object.entries(expected);
        const fewer = Object.fromEntries(Object.entries(expected).filter(([key]) => key !== gone));
        expect(contains(fewer, expected)).toBe(false);
      }),
    );
  });

  it('refuses a pattern that does not compile, rather than match nothing', () => {
    expect(() => createContainmentTest({ a: ['/(/'] })).toThrow('invalid pattern "("');
  });
});

/** Whether a string in it means something else than itself: a pattern, or an escaped text. */
function hasNotation(value: unknown): boolean {
  if (typeof value === 'string') {
    return readArgumentPattern(value) !== undefined || readArgumentText(value) !== value;
  }
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNotation);
}
