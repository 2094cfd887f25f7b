import { BlockList, isIP } from 'node:net';

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
export function goesDirect(url: URL, noProxy: string): boolean {
  const address = { host: bareHost(url.hostname), port: portOf(url) };
  if (isLoopback(address.host)) return true;
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => entry !== '' && names(entry, address));
}

export function bareHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

export function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function isLoopback(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return isInNetwork(host, '127.0.0.0/8') || isInNetwork(host, '::1/128');
}

function names(entry: string, address: Address): boolean {
  if (entry === '*') return true;
  if (entry.includes('/')) return isInNetwork(address.host, entry);
  const { host, port } = parsedEntry(entry);
  if (port !== undefined && port !== address.port) return false;
  if (isIP(host)) return isInNetwork(address.host, `${host}/${isIP(host) === 4 ? 32 : 128}`);
  const domain = host.replace(/^\*\./, '.');
  if (domain.startsWith('.')) return address.host.endsWith(domain);
  return address.host === domain || address.host.endsWith(`.${domain}`);
}

function parsedEntry(entry: string): { host: string; port?: string } {
  if (isIP(entry)) return { host: entry };
  const [, host = entry, port] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
  return { host: bareHost(host), ...(port !== undefined && { port }) };
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
