import fc from 'fast-check';
import { expect, it } from 'vitest';
import { goesDirect } from './no-proxy.js';

const direct = (url: string, noProxy: string) => goesDirect(new URL(url), noProxy);

it.each([
  'http://localhost/',
  'http://LOCALHOST:8080/',
  'http://127.0.0.1/',
  'http://127.9.8.7/',
  'http://127.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://localhost./',
  'http://app.localhost/',
])('never sends %s through a proxy', (url) => {
  expect(direct(url, '')).toBe(true);
});

it.each([
  ['a.test', 'http://a.test/', true],
  ['a.test', 'http://x.a.test/', true],
  ['a.test', 'http://xa.test/', false],
  ['a.test', 'http://a.test./', true],
  ['A.Test', 'http://a.tEST/', true],
  ['.a.test', 'http://a.test/', false],
  ['.a.test', 'http://x.a.test/', true],
  ['*.a.test', 'http://x.a.test/', true],
  ['*.a.test', 'http://a.test/', false],
  ['*', 'https://anything.test/', true],
  ['a.test:80', 'http://a.test/', true],
  ['a.test:80', 'https://a.test/', false],
  ['a.test:443', 'https://a.test/', true],
  ['a.test:8080', 'http://a.test:8080/', true],
  ['b.test, a.test', 'http://a.test/', true],
  ['b.test a.test', 'http://a.test/', true],
  ['10.0.0.0/8', 'http://10.1.2.3/', true],
  ['10.0.0.0/8', 'http://11.1.2.3/', false],
  ['10.0.0.0/8', 'http://ten.test/', false],
  ['10.0.0.0/99', 'http://10.1.2.3/', false],
  ['10.0.0.0/x', 'http://10.1.2.3/', false],
  ['10.1.2.3', 'http://10.1.2.3:90/', true],
  ['10.1.2.3:90', 'http://10.1.2.3:90/', true],
  ['10.1.2.3:91', 'http://10.1.2.3:90/', false],
  ['10.1.2.3', 'http://[::ffff:10.1.2.3]/', true],
  ['2.3', 'http://10.1.2.3/', true],
  ['fd00::/8', 'http://[fd12::1]/', true],
  ['fd00::/8', 'http://[fe12::1]/', false],
  ['fd12::1', 'http://[fd12:0::1]/', true],
  ['[fd12::1]:80', 'http://[fd12::1]/', true],
  ['[fd12::1]:81', 'http://[fd12::1]/', false],
  ['[fd12::1]', 'http://[fd12::1]/', true],
  [':80', 'http://a.test/', false],
  ['', 'http://a.test/', false],
  [' , ', 'http://a.test/', false],
])('with NO_PROXY=%s, %s goes directly: %s', (noProxy, url, expected) => {
  expect(direct(url, noProxy)).toBe(expected);
});

const label = fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/);
const host = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));

it('lets a host and what is below it go directly, and nothing that only ends alike', () => {
  fc.assert(
    fc.property(host, label, fc.array(host), (domain, more, others) => {
      const entries = [...others, domain].join(',');
      expect(direct(`http://${domain}/`, entries)).toBe(true);
      expect(direct(`http://${more}.${domain}/`, entries)).toBe(true);
      expect(direct(`http://${more}${domain}/`, domain)).toBe(false);
      expect(direct(`http://${domain}/`, `.${domain}`)).toBe(false);
    }),
  );
});

it('takes any text for NO_PROXY', () => {
  fc.assert(
    fc.property(fc.string(), host, (noProxy, domain) => {
      expect(typeof direct(`http://${domain}/`, noProxy)).toBe('boolean');
    }),
  );
});

it('knows the addresses of a network', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.ipV4(), (base, bits, other) => {
      const number = (ip: string) =>
        ip.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
      const size = 2 ** (32 - bits);
      const isIn = Math.floor(number(base) / size) === Math.floor(number(other) / size);
      const isLoopback = other.startsWith('127.');
      expect(direct(`http://${other}/`, `${base}/${bits}`)).toBe(isIn || isLoopback);
    }),
  );
});
