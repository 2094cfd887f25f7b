import { hostname } from 'node:os';
import { parseBoundedDuration, parseWholeNumber } from '../../base/amounts.js';
import { UsageError } from '../../base/errors.js';
import type { Labels } from '../../plan/labels.js';
import type { QueueAddress } from '../../queue/queue-use.js';
import type { CommandRun, OptionSpec } from '../command.js';
import { queueOptions, requireQueue } from '../command-options.js';

export const workerOptionSpecs: readonly OptionSpec[] = [
  ...queueOptions,
  { flags: '--concurrency <n>', description: 'task runs in parallel', default: '1' },
  {
    flags: '--name <name>',
    description: 'name of this worker in results',
    details: 'By default, the host name and the process id.',
  },
  {
    flags: '--label <k=v>',
    description: 'label that tasks can require; repeatable',
    details: 'A task that `requires` labels only goes to workers that have all of them.',
    repeatable: true,
  },
  {
    flags: '--lease <duration>',
    description: 'heartbeat timeout before it counts as lost',
    details:
      'Its task runs then go to another worker. The worker itself stops whatever it started before this time is over, so a short lease needs a machine that never hangs for long.',
    default: '30s',
  },
  {
    flags: '--max-lost <n>',
    description: 'give up on a task run after n lost workers',
    details: 'The task run then gets the outcome `error`.',
    default: '3',
  },
];

/** The options of `worker`, checked. */
export interface WorkerOptions {
  address: QueueAddress;
  concurrency: number;
  name: string;
  labels: Labels;
  leaseMs: number;
  maxLost: number;
}

const maxConcurrency = 256;

/** Throws UsageError. */
export function parseWorkerOptions(call: CommandRun): WorkerOptions {
  const { concurrency, name, lease, maxLost, label } = call.options;
  return {
    address: requireQueue(call),
    concurrency: parseWholeNumber('--concurrency', String(concurrency), maxConcurrency),
    name: parseName(name),
    labels: parseLabels(Array.isArray(label) ? label : []),
    leaseMs: parseBoundedDuration('--lease', String(lease), { least: '2s', most: '1h' }),
    maxLost: parseWholeNumber('--max-lost', String(maxLost), 100),
  };
}

function parseName(written: CommandRun['options'][string]): string {
  if (typeof written !== 'string') return `${hostname()}-${process.pid}`;
  if (written.trim() !== '' && written.length <= 100) return written;
  throw new UsageError('--name: expected a name of at most 100 characters');
}

function parseLabels(written: readonly string[]): Labels {
  const labels: Record<string, string> = {};
  for (const text of written) {
    const [key = '', ...rest] = text.split('=');
    const value = rest.join('=').trim();
    if (key.trim() === '' || value === '') {
      throw new UsageError(`--label: expected key=value, found ${JSON.stringify(text)}`);
    }
    if (Object.hasOwn(labels, key.trim())) {
      throw new UsageError(`--label: ${key.trim()} is given twice`);
    }
    labels[key.trim()] = value;
  }
  return labels;
}
