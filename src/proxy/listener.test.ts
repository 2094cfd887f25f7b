import { describe, expect, it } from 'vitest';
import { isLocalOrigin, isLoopbackHost } from './listener.js';

describe('isLoopbackHost', () => {
  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:8080', '[::1]:80', '[::1]'])(
    'takes %s',
    (host) => expect(isLoopbackHost(host)).toBe(true),
  );
  it.each([
    undefined,
    '',
    'evil.com',
    '127.0.0.1.evil.com',
    'localhost.evil.com:80',
    '127.0.0.1:80:80',
    '0.0.0.0',
    'user@localhost',
    '[::1',
    '10.0.0.1',
  ])('refuses %s', (host) => expect(isLoopbackHost(host)).toBe(false));
});

describe('isLocalOrigin', () => {
  it.each([undefined, 'http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:5'])(
    'takes %s',
    (origin) => expect(isLocalOrigin(origin)).toBe(true),
  );
  it.each([
    'null',
    '',
    'http://evil.com',
    'file://',
    'http://localhost@evil.com',
    'http://localhost/x',
  ])('refuses %s', (origin) => expect(isLocalOrigin(origin)).toBe(false));
});
