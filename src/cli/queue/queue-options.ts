import type { QueueAddress } from '../../queue/queue-address.js';
import { requireQueueAddress } from '../../queue/queue-use.js';
import { queuePasswordVariable } from '../../run/session/check-option-table.js';
import type { CommandRun } from '../command.js';
import { queueVariable } from '../command-options.js';
import { UsageError } from '../exit-codes.js';

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
