import { parseDuration } from '../../config/duration.js';
import { type QueueAddress, queueAddressOf } from '../../queue/queue-address.js';
import type { CommandRun, OptionSpec } from '../command.js';
import { UsageError } from '../exit-codes.js';

/** A password on the command line is there for every user of the machine to see. */
const variable = 'PROCTOR_QUEUE';

export const queueOptions: readonly OptionSpec[] = [
  {
    flags: '--queue <url>',
    description: 'Redis or Valkey that workers share',
    details: `Such as \`redis://host:6379/0\`, or \`rediss://user:password@host:6379\` with TLS. Without it, the variable ${variable}, which keeps a password out of the list of processes.`,
  },
  {
    flags: '--queue-prefix <text>',
    description: 'what its keys begin with',
    details: 'Workers and checks with another prefix know nothing of each other.',
    default: 'proctor',
  },
];

/** Undefined: none was given. Throws UsageError. */
export function queueGiven(call: CommandRun): QueueAddress | undefined {
  const { queue, queuePrefix } = call.options;
  if (typeof queue !== 'string') return undefined;
  return addressOf('--queue', queue, queuePrefix);
}

/** Of a command that needs one. Throws UsageError. */
export function queueOf(call: CommandRun): QueueAddress {
  const given = queueGiven(call);
  if (given) return given;
  const { [variable]: text } = call.io.environment;
  if (text !== undefined && text !== '') {
    return addressOf(variable, text, call.options.queuePrefix);
  }
  const hint = `give --queue redis://host:6379, or set ${variable}`;
  throw new UsageError('there is no queue', hint);
}

function addressOf(
  name: string,
  text: string,
  prefix: CommandRun['options'][string],
): QueueAddress {
  const address = queueAddressOf(text, typeof prefix === 'string' ? prefix : undefined);
  // What was given may hold a password, and is not repeated.
  if (typeof address === 'string') throw new UsageError(`${name}: ${address}`);
  return address;
}

/** Milliseconds. Throws UsageError. */
export function durationWithin(
  option: string,
  text: string,
  { least, most }: { least: string; most: string },
): number {
  const asked = millisecondsOf(text);
  const [from = 0, to = 0] = [millisecondsOf(least), millisecondsOf(most)];
  if (asked !== undefined && asked >= from && asked <= to) return asked;
  const message = `${option}: expected a duration from ${least} to ${most}, found ${JSON.stringify(text)}`;
  throw new UsageError(message, 'write it like 30s, 5m or 1h30m');
}

function millisecondsOf(text: string): number | undefined {
  const result = parseDuration(text);
  return result.ok ? result.milliseconds : undefined;
}
