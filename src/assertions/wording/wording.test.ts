import { describe, expect, it } from 'vitest';
import { nested, plainly } from '../../testing/agent-calls.js';
import { resourceAskedFor, skillAskedFor, toolAskedFor } from '../matching/asked-for.js';
import { callName } from './call-name.js';
import { enumeration } from './enumeration.js';
import { itemText } from './item-text.js';
import { shortJson } from './short-json.js';
import { shortText } from './short-text.js';

const withoutSecret = (text: string) => text.replaceAll('s3cr3t-value', '[redacted:KEY]');

describe('shortText', () => {
  it('leaves a short text as it is, and says where a long one was cut', () => {
    expect(shortText('short', 5, plainly)).toBe('short');
    expect(shortText('longer', 5, plainly)).toBe('lo...');
  });

  it('takes a secret out before it cuts: no half of one is left', () => {
    expect(shortText('key s3cr3t-value', 12, withoutSecret)).toBe('key [reda...');
  });
});

describe('shortJson', () => {
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
    expect(shortJson(value, 100, plainly)).toBe(text);
  });

  it('stays short, whatever it is given', () => {
    const values = [nested(30_000), 'x'.repeat(1e6), Array(1e5).fill(1), { ['k'.repeat(1e6)]: 1 }];
    for (const value of values) {
      expect(shortJson(value, 80, plainly).length).toBeLessThanOrEqual(83);
    }
    expect(shortJson([1, 2, 3, 4, 5, 6], 6, plainly)).toBe('[1,2,3...');
  });

  it('takes secrets out of keys and values, before it cuts', () => {
    const text = shortJson({ 's3cr3t-value': ['s3cr3t-value', 's3cr3t-value'] }, 40, withoutSecret);
    expect(text).toBe('{"[redacted:KEY]":["[redacted:KEY]",...');
    const cut = shortJson(`${'x'.repeat(50)}s3cr3t-value`, 100, withoutSecret);
    expect(cut).toBe(`"${'x'.repeat(50)}[redact..."`);
  });
});

describe('enumeration', () => {
  it.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c', 'd'], 'a, b, c and d'],
    [['a', 'b', 'c', 'd', 'e', 'f'], 'a, b, c, d and 2 more'],
  ])('of %j', (parts, text) => {
    expect(enumeration(parts)).toBe(text);
  });

  it('knows of more than it was given', () => {
    expect(enumeration(['a', 'b'], 7)).toBe('a, b and 5 more');
  });
});

describe('callName and itemText', () => {
  it('names a call of each kind', () => {
    expect(callName({ kind: 'tool', server: 'shop', name: 'add' }, plainly)).toBe('shop.add');
    expect(callName({ kind: 'resource', server: 'docs', name: 'docs://a' }, plainly)).toBe(
      'docs://a of docs',
    );
    expect(callName({ kind: 'prompt', server: 'docs', name: 'sum' }, plainly)).toBe(
      'prompt docs.sum',
    );
    expect(callName({ kind: 'skill', server: '', name: 'greeting' }, plainly)).toBe(
      'skill greeting',
    );
  });

  it.each([
    [toolAskedFor({ server: 'shop', tool: 'add' }), 'shop.add'],
    [toolAskedFor({ server: 'shop', toolPattern: '^a' }), 'a tool of shop that matches /^a/'],
    [
      toolAskedFor({ server: 'shop', tool: 'add', toolPattern: '^a' }),
      'shop.add or a tool that matches /^a/',
    ],
    [toolAskedFor({ server: 'shop' }), 'a tool of shop'],
    [
      toolAskedFor({ server: 'shop', tool: 'add', args: { id: '/1/' } }),
      'shop.add with {"id":"/1/"}',
    ],
    [resourceAskedFor({ server: 'docs' }), 'a resource of docs'],
    [skillAskedFor({ skillPattern: '^in' }), 'a skill that matches /^in/'],
  ])('says what an item asks for: %o', (asked, text) => {
    expect(itemText(asked, plainly)).toBe(text);
  });

  it('cuts names that a hostile server or agent chose', () => {
    const long = 'x'.repeat(100_000);
    expect(callName({ kind: 'tool', server: long, name: long }, plainly).length).toBeLessThan(130);
    expect(
      itemText(
        toolAskedFor({ server: long, toolPattern: long.slice(0, 900), args: { long } }),
        plainly,
      ).length,
    ).toBeLessThan(400);
  });
});
