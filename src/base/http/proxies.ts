import { BlockList, isIP } from 'node:net';
import { HttpError } from './http-error.js';

/** The proxy that the environment names for an address, if any. Throws HttpError. */
export function findProxy(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const name = listProxyVariables(url, environment).find((variable) => environment[variable]);
  const text = name && environment[name];
  if (!text || bypassesProxy(url, environment.NO_PROXY || environment.no_proxy || '')) {
    return undefined;
  }
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy;
  // The message leaves out the value: it may hold a password.
  throw new HttpError('environment', `${name} is not the address of an http or https proxy`);
}

/** The variables that name a proxy for an address; the first that is set wins. */
function listProxyVariables({ protocol }: URL, environment: NodeJS.ProcessEnv): string[] {
  if (protocol === 'https:') return ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];
  // In a CGI script it holds the header `Proxy` of the request.
  const isTrusted = !environment.REQUEST_METHOD;
  return [...(isTrusted ? ['HTTP_PROXY'] : []), 'http_proxy', 'ALL_PROXY', 'all_proxy'];
}

interface Address {
  /** In lower case, an IPv6 address without brackets. */
  host: string;
  port: string;
}

/**
 * Whether NO_PROXY names an address: hosts with everything below them, domains with a leading dot
 * (only what is below), addresses, networks such as 10.0.0.0/8, and `*`; each but networks may have a
 * port. As in Go, this machine itself is always among them.
 */
export function bypassesProxy(url: URL, noProxy: string): boolean {
  const address = { host: normalizeHost(url.hostname), port: getPort(url) };
  if (isLoopback(address.host)) return true;
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && matchesEntry(entry, address));
}

export function normalizeHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

export function getPort({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isInNetwork(host, '127.0.0.0/8') || isInNetwork(host, '::1/128');
}

function matchesEntry(entry: string, address: Address): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(address.host, entry);
  const { host, port } = parseEntry(entry);
  if (port !== undefined && port !== address.port) return false;
  if (isIP(host)) return isInNetwork(address.host, `${host}/${isIP(host) === 4 ? 32 : 128}`);
  const domain = host.replace(/^\*\./, '.');
  if (domain.startsWith('.')) return address.host.endsWith(domain);
  return address.host === domain || address.host.endsWith(`.${domain}`);
}

function parseEntry(entry: string): { host: string; port?: string } {
  if (isIP(entry)) return { host: entry };
  const [, host = entry, port] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  return { host: normalizeHost(host), ...(port !== undefined && { port }) };
}

/** Also an IPv4 address that is written as IPv6 is in a network of IPv4. */
function isInNetwork(host: string, network: string): boolean {
  const [, base = '', prefix = ''] = /^(.*)\/(\d+)$/.exec(network) ?? [];
  const family = isIP(base);
  if (isIP(host) === 0 || family === 0 || Number(prefix) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(base, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}
