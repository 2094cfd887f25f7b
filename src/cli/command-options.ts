import { UsageError } from '../base/errors.js';
import type { QueueAddress } from '../queue/queue-use.js';
import { requireQueueAddress } from '../queue/queue-use.js';
import {
  type CheckOptionKey,
  checkOptionEntries,
  checkOptionTable,
  queueAddressDetails,
  queuePasswordVariable,
} from '../run/session/check-option-table.js';
import type { CommandRun, OptionSpec } from './command.js';

/** An option of a check for another command, which may describe it differently. Its help has no headings. */
function takeOption(key: CheckOptionKey, instead: Partial<OptionSpec> = {}): OptionSpec {
  const { group: _, ...spec }: OptionSpec = checkOptionTable[key];
  return { ...spec, ...instead };
}

export const output = takeOption('output');

export const strict = takeOption('strict');

export const mcpConfigFile = takeOption('mcpConfigFile', {
  description: 'MCP config to use instead',
  repeatable: false,
});

export const taskOptions = [takeOption('run'), takeOption('labelSelector')];

export const judgedAtOnce: OptionSpec = {
  flags: checkOptionTable.parallel.flags,
  description: 'answers judged at the same time',
  default: checkOptionTable.parallel.default,
};

/** The variable with the address of the queue, for commands that need one. */
const queueVariable = 'PROCTOR_QUEUE';

export const queueOptions = [
  takeOption('queue', {
    description: 'Redis or Valkey that workers share',
    details: `${queueAddressDetails} By default, the value of \`${queueVariable}\`.`,
  }),
  takeOption('queuePrefix'),
];

/** What decides what runs has no place in a plan that is only shown, if it needs results or has no agent. */
const notListed: readonly CheckOptionKey[] = ['rerunFailed', 'control'];

/** The options that decide what is in a plan. */
export const listOptions: readonly OptionSpec[] = [
  ...checkOptionEntries
    .filter(([key, { decidesWhatRuns }]) => decidesWhatRuns && !notListed.includes(key))
    .map(([, option]) => option),
  checkOptionTable.strict,
  { ...checkOptionTable.output, group: 'Options' },
];

export const checkOptions: readonly OptionSpec[] = [
  ...checkOptionEntries.map(([, option]) => option),
  { flags: '-v, --verbose', group: 'Options', description: 'show what agents say and every call' },
];

/** The queue of a command that needs one: by its option, or by a variable. Throws UsageError. */
export function requireQueue({ options, io: { environment } }: CommandRun): QueueAddress {
  const { queue, queuePrefix } = options;
  const prefix = typeof queuePrefix === 'string' ? queuePrefix : undefined;
  if (typeof queue === 'string') return requireQueueAddress('--queue', queue, prefix, environment);
  const { [queueVariable]: text = '' } = environment;
  if (text !== '') return requireQueueAddress(queueVariable, text, prefix, environment);
  const hint = `give --queue redis://host:6379, or set ${queueVariable}`;
  throw new UsageError('there is no queue', hint);
}

/** The environment for programs that a worker starts, which must not reach the queue. */
export function withoutQueue(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { [queueVariable]: _, [queuePasswordVariable]: __, ...others } = environment;
  return others;
}
