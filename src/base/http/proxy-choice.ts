import { HttpError } from './http-error.js';
import { goesDirect } from './no-proxy.js';

/** The proxy that the environment names for an address, if any. Throws HttpError. */
export function proxyFor(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const name = namesFor(url, environment).find((each) => environment[each]);
  const text = name && environment[name];
  if (!text || goesDirect(url, environment.NO_PROXY || environment.no_proxy || '')) {
    return undefined;
  }
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  // Its value is not told: it may hold a password.
  throw new HttpError('environment', `${name} is not the address of an http or https proxy`);
}

/** Those that come first win. */
function namesFor({ protocol }: URL, environment: NodeJS.ProcessEnv): string[] {
  if (protocol === 'https:') return ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  // In a CGI script it is the header `Proxy` of whoever asks.
  const isTrusted = !environment.REQUEST_METHOD;
  return [...(isTrusted ? ['HTTP_PROXY'] : []), 'http_proxy', 'ALL_PROXY', 'all_proxy'];
}
