import { parseBoundedDuration } from '../base/amounts.js';
import { UsageError } from '../base/errors.js';
import {
  type ParsedOptions,
  queueDefaults,
  queuePasswordVariable,
} from '../run/session/check-option-table.js';

/** How a check uses a queue. */
export interface QueueUse {
  address: QueueAddress;
  /** With `--detach`: the check ends as soon as workers have everything they need. */
  isDetached: boolean;
  /** Milliseconds that the run may stay in the queue. */
  lifetime: number;
  /** Undefined: the folder of the eval. */
  bundleRoot: string | undefined;
  maxBundleBytes: number;
}

const lifetimeBounds = { least: '1m', most: '1440h' };

/** Reads from the options how a check uses a queue; undefined: it uses none. Throws UsageError. */
export function resolveQueueUse(
  options: ParsedOptions,
  environment: NodeJS.ProcessEnv,
): QueueUse | undefined {
  const { queue, queuePrefix, detach, queueTtl, bundleRoot, bundleMaxSize } = options;
  if (queue === undefined) return undefined;
  const lifetime = queueTtl ?? queueDefaults.lifetime;
  return {
    address: requireQueueAddress('--queue', queue, queuePrefix, environment),
    isDetached: detach,
    lifetime: parseBoundedDuration('--queue-ttl', lifetime, lifetimeBounds),
    bundleRoot,
    maxBundleBytes: (bundleMaxSize ?? queueDefaults.bundleMebibytes) * 1024 ** 2,
  };
}

/** Reads the address of a queue; `name` is the option or the variable that has it. Throws UsageError. */
export function requireQueueAddress(
  name: string,
  text: string,
  prefix: string | undefined,
  environment: NodeJS.ProcessEnv,
): QueueAddress {
  const password = environment[queuePasswordVariable] ?? '';
  const address = parseQueueAddress(text, { prefix, password });
  // The message does not repeat the address, which may hold a password.
  if (typeof address === 'string') throw new UsageError(`${name}: ${address}`);
  return address;
}

/** Where a queue is. */
export interface QueueAddress {
  /** The address with its password. */
  url: string;
  /** The beginning of the names of all its keys. */
  prefix: string;
  /** The address without its password, for people. */
  shown: string;
}

/** Valkey speaks the same protocol, and its users write it like this. */
const protocols: Readonly<Record<string, string>> = {
  'redis:': 'redis:',
  'rediss:': 'rediss:',
  'valkey:': 'redis:',
  'valkeys:': 'rediss:',
};

/** Parses an address. A text says what is wrong with it. The password is for an address without one. */
export function parseQueueAddress(
  text: string,
  {
    prefix = queueDefaults.prefix,
    password = '',
  }: { prefix?: string | undefined; password?: string } = {},
): QueueAddress | string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const protocol = url && protocols[url.protocol];
  if (!url || protocol === undefined) {
    return `expected an address such as redis://host:6379 or rediss://user:password@host:6379/0`;
  }
  if (url.hostname === '') return 'expected the name of a host behind //';
  if (!/^(\/\d{0,5})?$/.test(url.pathname)) {
    return `expected the number of a database behind the host, found ${JSON.stringify(url.pathname)}`;
  }
  // Braces would decide where a cluster keeps a key.
  if (!/^[\w.:-]{1,100}$/.test(prefix)) {
    return `expected a prefix of letters, digits and . : _ -, found ${JSON.stringify(prefix)}`;
  }
  const shown = new URL(text);
  shown.username = '';
  shown.password = '';
  shown.search = '';
  // A percent sign in the password is no escape.
  if (url.password === '' && password !== '') url.password = encodeURIComponent(password);
  return {
    url: `${protocol}${url.href.slice(url.protocol.length)}`,
    prefix,
    shown: shown.href.replace(/\/$/, ''),
  };
}
