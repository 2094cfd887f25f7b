import { expect, it } from 'vitest';
import { proxyFor } from './proxy-choice.js';

const chosen = (url: string, environment: NodeJS.ProcessEnv) =>
  proxyFor(new URL(url), environment)?.href;

it.each([
  ['http://a.test/', { HTTP_PROXY: 'http://p:1', http_proxy: 'http://q:1' }, 'http://p:1/'],
  ['http://a.test/', { HTTP_PROXY: '', http_proxy: 'http://q:1' }, 'http://q:1/'],
  ['http://a.test/', { HTTP_PROXY: 'http://p:1', REQUEST_METHOD: 'GET' }, undefined],
  ['http://a.test/', { http_proxy: 'http://p:1', REQUEST_METHOD: 'GET' }, 'http://p:1/'],
  ['http://a.test/', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['https://a.test/', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['https://a.test/', { HTTPS_PROXY: 'https://p:1', ALL_PROXY: 'q' }, 'https://p:1/'],
  ['https://a.test/', { https_proxy: 'p:1' }, 'http://p:1/'],
  ['https://a.test/', { ALL_PROXY: 'p' }, 'http://p/'],
  ['http://a.test/', { all_proxy: 'p' }, 'http://p/'],
  ['http://a.test/', { ALL_PROXY: 'p', NO_PROXY: 'a.test' }, undefined],
  ['http://a.test/', { ALL_PROXY: 'p', no_proxy: 'a.test' }, undefined],
  ['http://a.test/', {}, undefined],
])('takes the proxy for %s from %j', (url, environment, expected) => {
  expect(chosen(url, environment)).toBe(expected);
});

it.each(['socks5://p:1', 'http://'])('says that %s is no proxy that it can use', (proxy) => {
  expect(() => chosen('http://a.test/', { ALL_PROXY: proxy })).toThrow(
    'ALL_PROXY is not the address of an http or https proxy',
  );
});
