import { describe, expect, it } from 'vitest';
import { agentCall } from '../../testing/agent-calls.js';
import {
  callOrderAskedFor,
  promptAskedFor,
  resourceAskedFor,
  skillAskedFor,
  toolAskedFor,
} from './asked-for.js';
import { ItemMatcher } from './item-matcher.js';

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
    const matcher = new ItemMatcher(toolAskedFor({ server, ...item }));
    expect(matcher.fit(agentCall(1, name))).toBe(fit);
  });

  it('takes calls of its own server and kind only', () => {
    const matcher = new ItemMatcher(toolAskedFor({ server }));
    expect(matcher.fit(agentCall(1, 'list', { server: 'docs' }))).toBe('no');
    expect(matcher.fit(agentCall(1, 'list', { kind: 'prompt' }))).toBe('no');
  });

  it.each(['args', 'argumentsMatch'])('looks at the arguments with %s', (key) => {
    const matcher = new ItemMatcher(toolAskedFor({ server, tool: 'add', [key]: { id: 1 } }));
    expect(matcher.fit(agentCall(1, 'add', { args: { id: 1, more: true } }))).toBe('yes');
    expect(matcher.fit(agentCall(1, 'add', { args: { id: 2 } }))).toBe('other-arguments');
    expect(matcher.fit(agentCall(1, 'add'))).toBe('other-arguments');
    expect(matcher.fit(agentCall(1, 'list', { args: { id: 1 } }))).toBe('no');
  });

  it('takes missing arguments for empty ones', () => {
    const matcher = new ItemMatcher(toolAskedFor({ server, args: {} }));
    expect(matcher.fit(agentCall(1, 'list'))).toBe('yes');
    expect(matcher.fit(agentCall(1, 'list', { args: null }))).toBe('other-arguments');
  });

  it.each([
    [resourceAskedFor({ server, uri: 'a' }), agentCall(1, 'a', { kind: 'resource' })],
    [resourceAskedFor({ server, uriPattern: '^a' }), agentCall(1, 'ab', { kind: 'resource' })],
    [promptAskedFor({ server, prompt: 'a' }), agentCall(1, 'a', { kind: 'prompt' })],
    [promptAskedFor({ server, promptPattern: '^a' }), agentCall(1, 'ab', { kind: 'prompt' })],
    [skillAskedFor({ skill: 'a' }), agentCall(1, 'a', { kind: 'skill' })],
    [skillAskedFor({ skillPattern: '^a' }), agentCall(1, 'ab', { kind: 'skill' })],
    [callOrderAskedFor({ type: 'tool', server, name: 'a' }), agentCall(1, 'a')],
    [callOrderAskedFor({ type: 'tool', server, toolPattern: '^a' }), agentCall(1, 'ab')],
    [
      callOrderAskedFor({ type: 'resource', server, uriPattern: '^a' }),
      agentCall(1, 'ab', { kind: 'resource' }),
    ],
    [
      callOrderAskedFor({ type: 'prompt', server, promptPattern: '^a' }),
      agentCall(1, 'ab', { kind: 'prompt' }),
    ],
  ])('understands items of every kind: %o', (asked, call) => {
    const matcher = new ItemMatcher(asked);
    expect(matcher.fit(call)).toBe('yes');
    expect(matcher.fit({ ...call, name: 'other' })).toBe('no');
  });

  it('refuses a pattern that does not compile, rather than match nothing', () => {
    expect(() => new ItemMatcher(toolAskedFor({ server, toolPattern: '(' }))).toThrow('invalid');
  });
});
