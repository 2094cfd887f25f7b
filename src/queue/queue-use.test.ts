import { expect, test } from 'vitest';
import { parseQueueAddress } from './queue-use.js';

test.each([
  ['redis://host', 'redis://host', 'redis://host'],
  ['redis://host:6379/2', 'redis://host:6379/2', 'redis://host:6379/2'],
  ['rediss://user:p%40ss@host:6380', 'rediss://user:p%40ss@host:6380', 'rediss://host:6380'],
  ['valkey://host:1', 'redis://host:1', 'valkey://host:1'],
  ['valkeys://:secret@host/0', 'rediss://:secret@host/0', 'valkeys://host/0'],
])('%s is an address, and is shown without its password', (text, url, shown) => {
  expect(parseQueueAddress(text)).toEqual({ url, shown, prefix: 'proctor' });
});

test.each(['', 'host:6379', 'http://host', 'redis://', 'redis://host/name', 'redis://host/0/1'])(
  '%j is none',
  (text) => {
    expect(parseQueueAddress(text)).toMatch(/^expected /);
  },
);

test('what is wrong with an address does not repeat its password', () => {
  expect(parseQueueAddress('http://user:hunter2@host')).not.toContain('hunter2');
});

test.each(['', 'a b', '{a}', 'a'.repeat(101)])('%j is no prefix', (prefix) => {
  expect(parseQueueAddress('redis://host', { prefix })).toMatch(/^expected a prefix/);
});

test('a password from elsewhere is taken as it is, whatever is in it', () => {
  const address = parseQueueAddress('redis://user@host', { password: 'a%41:@/ü' });
  if (typeof address === 'string') throw new Error(address);
  const { username, password } = new URL(address.url);
  expect(username).toBe('user');
  expect(decodeURIComponent(password)).toBe('a%41:@/ü');
  expect(address.shown).toBe('redis://host');
});

test('an address keeps the password that it has', () => {
  const address = parseQueueAddress('redis://:own@host', { password: 'other' });
  expect(address).toMatchObject({ url: 'redis://:own@host' });
});
