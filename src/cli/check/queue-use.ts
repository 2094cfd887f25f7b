import { defaultMaxBundleBytes } from '../../queue/queue-run.js';
import type { QueueUse } from '../../queue/queue-runner.js';
import type { CommandRun, OptionSpec } from '../command.js';
import { UsageError } from '../exit-codes.js';
import {
  parseBoundedDuration,
  parseQueueOption,
  queueAddressDetails,
  queueOptions,
} from '../queue/queue-options.js';

const usualLife = '168h';
const usualMebibytes = defaultMaxBundleBytes / 1024 ** 2;

export const queueUseOptions: readonly OptionSpec[] = [
  ...queueOptions.map((option) =>
    option.flags.startsWith('--queue <')
      ? {
          ...option,
          description: 'let workers do it, over Redis or Valkey',
          details: `Task runs are handed to whatever \`proctor worker\` is there; this process shows how they go and keeps the journal. ${queueAddressDetails}`,
        }
      : option,
  ),
  {
    flags: '--detach',
    description: 'end when workers have it',
    details:
      'Needs `--queue`. Workers go on, and what they tell waits in the queue; `--resume` comes back to it. The command for that is printed.',
  },
  {
    flags: '--queue-ttl <duration>',
    description: 'how long a run may stay there',
    details: `Then everything of it expires, whether it is done or not. Without it, ${usualLife}.`,
  },
  {
    flags: '--bundle-root <folder>',
    description: 'what travels, if not the eval’s folder',
    details: 'A folder that has the eval and every file it uses. Everything below it travels.',
  },
  {
    flags: '--bundle-max-size <MiB>',
    description: 'most that may travel',
    details: `Without it, ${usualMebibytes}.`,
  },
];

const longestLife = '1440h';

/** Of no use without a queue. */
const ofQueue = [
  ['detach', '--detach'],
  ['queuePrefix', '--queue-prefix'],
  ['queueTtl', '--queue-ttl'],
  ['bundleRoot', '--bundle-root'],
  ['bundleMaxSize', '--bundle-max-size'],
] as const;

/** Undefined: the check does not use one. Throws UsageError. */
export function parseQueueUse(call: CommandRun): QueueUse | undefined {
  const { detach, bundleRoot, queueTtl, bundleMaxSize, keepWorkdir } = call.options;
  const address = parseQueueOption(call);
  if (!address) {
    const alone = ofQueue.find(([key]) => ![undefined, false].includes(call.options[key] as never));
    if (!alone) return undefined;
    throw new UsageError(`${alone[1]} needs --queue: without it there are no workers`);
  }
  if (detach === true && (call.options.reporter !== undefined || call.options.output === 'json')) {
    const why = 'there are no results to report yet; give it with --resume';
    throw new UsageError(`--detach goes together with no --reporter and no -o json: ${why}`);
  }
  if (keepWorkdir !== undefined) {
    const why = 'working directories are on the machines of the workers';
    throw new UsageError(`--queue and --keep-workdir do not go together: ${why}`);
  }
  return {
    address,
    isDetached: detach === true,
    lifetime: parseBoundedDuration('--queue-ttl', String(queueTtl ?? usualLife), {
      least: '1m',
      most: longestLife,
    }),
    ...(typeof bundleRoot === 'string' && { bundleRoot }),
    maxBundleBytes: mebibytes(String(bundleMaxSize ?? usualMebibytes)),
  };
}

function mebibytes(text: string): number {
  const size = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (size > 0 && size <= 1024) return size * 1024 ** 2;
  const expected = 'expected a whole number of MiB from 1 to 1024';
  throw new UsageError(`--bundle-max-size: ${expected}, found ${JSON.stringify(text)}`);
}
