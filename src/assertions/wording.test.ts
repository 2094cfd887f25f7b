import { describe, expect, it } from 'vitest';
import { nested, redactNothing } from '../../testing/agent-calls.js';
import { readListItem } from './item-matcher.js';
import {
  formatCallName,
  formatExpectedCall,
  formatShortJson,
  joinWithAnd,
  truncateRedacted,
} from './wording.js';

const withoutSecret = (text: string) => text.replaceAll('s3cr3t-value', '[redacted:KEY]');

describe('truncateRedacted', () => {
  it('leaves a short text as it is, and marks where a long one was truncated', () => {
    expect(truncateRedacted('short', 5, redactNothing)).toBe('short');
    expect(truncateRedacted('longer', 5, redactNothing)).toBe('lo...');
  });

  it('redacts before it truncates: no half of a secret is left', () => {
    expect(truncateRedacted('key s3cr3t-value', 12, withoutSecret)).toBe('key [reda...');
  });
});

describe('formatShortJson', () => {
  it.each([
    [{}, '{}'],
    [[], '[]'],
    [
      { a: 1, b: [true, null, 'x"y'], c: { d: -0.5 } },
      '{"a":1,"b":[true,null,"x\\"y"],"c":{"d":-0.5}}',
    ],
    [null, 'null'],
    ['text', '"text"'],
  ])('writes %j as JSON', (value, text) => {
    expect(formatShortJson(value, 100, redactNothing)).toBe(text);
  });

  it('stays short, whatever it is given', () => {
    const values = [nested(30_000), 'x'.repeat(1e6), Array(1e5).fill(1), { ['k'.repeat(1e6)]: 1 }];
    for (const value of values) {
      expect(formatShortJson(value, 80, redactNothing).length).toBeLessThanOrEqual(83);
    }
    expect(formatShortJson([1, 2, 3, 4, 5, 6], 6, redactNothing)).toBe('[1,2,3...');
  });

  it('sorts keys at every depth if asked to, so that equal values have the same text', () => {
    const value = { b: [{ d: 1, c: 2 }], a: null };
    expect(formatShortJson(value, 100, redactNothing)).toBe('{"b":[{"d":1,"c":2}],"a":null}');
    expect(formatShortJson(value, 100, redactNothing, { sortKeys: true })).toBe(
      '{"a":null,"b":[{"c":2,"d":1}]}',
    );
  });

  it('redacts keys and values before it truncates them', () => {
    const text = formatShortJson(
      { 's3cr3t-value': ['s3cr3t-value', 's3cr3t-value'] },
      40,
      withoutSecret,
    );
    expect(text).toBe('{"[redacted:KEY]":["[redacted:KEY]",...');
    const cut = formatShortJson(`${'x'.repeat(50)}s3cr3t-value`, 100, withoutSecret);
    expect(cut).toBe(`"${'x'.repeat(50)}[redact..."`);
  });
});

describe('joinWithAnd', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c', 'd'], 'a, b, c and d'],
    [['a', 'b', 'c', 'd', 'e', 'f'], 'a, b, c, d and 2 more'],
  ])('joins %j', (parts, text) => {
    expect(joinWithAnd(parts)).toBe(text);
  });

  it('counts texts that it was not given, if it is given the total', () => {
    expect(joinWithAnd(['a', 'b'], 7)).toBe('a, b and 5 more');
  });
});

describe('formatCallName and formatExpectedCall', () => {
  it('names a call of each kind', () => {
    expect(formatCallName({ kind: 'tool', server: 'shop', name: 'add' }, redactNothing)).toBe(
      'shop.add',
    );
    expect(
      formatCallName({ kind: 'resource', server: 'docs', name: 'docs://a' }, redactNothing),
    ).toBe('docs://a of docs');
    expect(formatCallName({ kind: 'prompt', server: 'docs', name: 'sum' }, redactNothing)).toBe(
      'prompt docs.sum',
    );
    expect(formatCallName({ kind: 'skill', server: '', name: 'greeting' }, redactNothing)).toBe(
      'skill greeting',
    );
  });

  it.each([
    [readListItem('tool', { server: 'shop', tool: 'add' }), 'shop.add'],
    [
      readListItem('tool', { server: 'shop', toolPattern: '^a' }),
      'a tool of shop that matches /^a/',
    ],
    [
      readListItem('tool', { server: 'shop', tool: 'add', toolPattern: '^a' }),
      'shop.add or a tool that matches /^a/',
    ],
    [readListItem('tool', { server: 'shop' }), 'a tool of shop'],
    [
      readListItem('tool', { server: 'shop', tool: 'add', args: { id: '/1/' } }),
      'shop.add with {"id":"/1/"}',
    ],
    [readListItem('resource', { server: 'docs' }), 'a resource of docs'],
    [readListItem('skill', { skillPattern: '^in' }), 'a skill that matches /^in/'],
  ])('says what an item asks for: %o', (asked, text) => {
    expect(formatExpectedCall(asked, redactNothing)).toBe(text);
  });

  it('cuts names that a hostile server or agent chose', () => {
    const long = 'x'.repeat(100_000);
    expect(
      formatCallName({ kind: 'tool', server: long, name: long }, redactNothing).length,
    ).toBeLessThan(130);
    expect(
      formatExpectedCall(
        readListItem('tool', { server: long, toolPattern: long.slice(0, 900), args: { long } }),
        redactNothing,
      ).length,
    ).toBeLessThan(400);
  });
});
