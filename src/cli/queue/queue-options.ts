import { parseDuration } from '../../base/duration.js';
import { defaultPrefix, parseQueueAddress, type QueueAddress } from '../../queue/queue-address.js';
import type { CommandRun, OptionSpec } from '../command.js';
import { UsageError } from '../exit-codes.js';

/** A password on the command line is there for every user of the machine to see. */
const variable = 'PROCTOR_QUEUE';
const passwordVariable = 'PROCTOR_QUEUE_PASSWORD';

/** Explains the value of `--queue`. */
export const queueAddressDetails = `Such as \`redis://host:6379/0\`, or \`rediss://user@host:6379\` with TLS. Set the password in \`${passwordVariable}\`, which keeps it out of the process list; one in the URL overrides it.`;

export const queueOptions: readonly OptionSpec[] = [
  {
    flags: '--queue <url>',
    description: 'Redis or Valkey that workers share',
    details: `${queueAddressDetails} By default, the value of \`${variable}\`.`,
  },
  {
    flags: '--queue-prefix <text>',
    description: 'prefix for Redis keys',
    details: `Workers and checks see each other only with the same prefix. By default, \`${defaultPrefix}\`.`,
  },
];

/** Undefined: none was given. Throws UsageError. */
export function parseQueueOption(call: CommandRun): QueueAddress | undefined {
  const { queue } = call.options;
  if (typeof queue !== 'string') return undefined;
  return parseAddress('--queue', queue, call);
}

/** The queue of a command that needs one. Throws UsageError. */
export function requireQueue(call: CommandRun): QueueAddress {
  const given = parseQueueOption(call);
  if (given) return given;
  const { [variable]: text } = call.io.environment;
  if (text !== undefined && text !== '') {
    return parseAddress(variable, text, call);
  }
  const hint = `give --queue redis://host:6379, or set ${variable}`;
  throw new UsageError('there is no queue', hint);
}

/** The environment for programs that a worker starts, which must not reach the queue. */
export function withoutQueue(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [variable]: _, [passwordVariable]: __, ...others } = environment;
  return others;
}

function parseAddress(name: string, text: string, { options, io }: CommandRun): QueueAddress {
  const { queuePrefix } = options;
  const address = parseQueueAddress(text, {
    ...(typeof queuePrefix === 'string' && { prefix: queuePrefix }),
    password: io.environment[passwordVariable] ?? '',
  });
  // What was given may hold a password, and is not repeated.
  if (typeof address === 'string') throw new UsageError(`${name}: ${address}`);
  return address;
}

/** Milliseconds. Throws UsageError. */
export function parseBoundedDuration(
  option: string,
  text: string,
  { least, most }: { least: string; most: string },
): number {
  const asked = parseMilliseconds(text);
  const [from = 0, to = 0] = [parseMilliseconds(least), parseMilliseconds(most)];
  if (asked !== undefined && asked >= from && asked <= to) return asked;
  const message = `${option}: expected a duration from ${least} to ${most}, found ${JSON.stringify(text)}`;
  throw new UsageError(message, 'write it like 30s, 5m or 1h30m');
}

function parseMilliseconds(text: string): number | undefined {
  const result = parseDuration(text);
  return result.ok ? result.milliseconds : undefined;
}
