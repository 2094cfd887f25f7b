import { parseBoundedDuration } from '../base/amounts.js';
import { UsageError } from '../base/errors.js';
import {
  type ParsedOptions,
  queueDefaults,
  queuePasswordVariable,
} from '../run/session/check-option-table.js';
import { parseQueueAddress, type QueueAddress } from './queue-address.js';

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
