import { type QueueUse, resolveQueueUse } from '../queue/queue-use.js';
import { type ResolvedOptions, resolveCheckOptions } from '../run/session/check-options.js';
import type { CommandRun } from './command.js';

/** The options of `check`: those of the engine, and how the command shows and hands over what it does. */
export interface CheckCommandOptions extends ResolvedOptions {
  /** Undefined: this process does the task runs. */
  queueUse: QueueUse | undefined;
  verbose: boolean;
}

/** Throws UsageError. */
export function resolveCommandOptions({ options, io }: CommandRun): CheckCommandOptions {
  const resolved = resolveCheckOptions(options, io.environment);
  return {
    ...resolved,
    queueUse: resolveQueueUse(resolved, io.environment),
    verbose: options.verbose === true,
  };
}
