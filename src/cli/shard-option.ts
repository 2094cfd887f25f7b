import { parseShard, type Shard } from '../plan/shard.js';
import { UsageError } from './exit-codes.js';

/** Set in every pod of an Indexed Job of Kubernetes; counts from 0. */
const indexVariable = 'JOB_COMPLETION_INDEX';

/** Reads `--shard I/N`, or `N` where the environment says which one it is. Throws UsageError. */
export function shardOption(text: string, environment: NodeJS.ProcessEnv): Shard {
  const shard = parseShard(/^\d{1,6}$/.test(text) ? ofEnvironment(text, environment) : text);
  if (typeof shard === 'string') throw new UsageError(`--shard: ${shard}`);
  return shard;
}

function ofEnvironment(count: string, environment: NodeJS.ProcessEnv): string {
  // What is wrong with the count is not the variable's fault.
  const last = parseShard(`${count}/${count}`);
  if (typeof last === 'string') throw new UsageError(`--shard: ${last}`);
  const { [indexVariable]: index = '' } = environment;
  if (index === '') {
    const hint = `write which one, such as --shard 1/${count}; Kubernetes sets the variable in Jobs with completionMode: Indexed`;
    throw new UsageError(`--shard ${count}: ${indexVariable} is not set`, hint);
  }
  const number = /^\d{1,6}$/.test(index) ? Number(index) : Number.NaN;
  if (number < last.of) return `${number + 1}/${count}`;
  const expected = `expected a whole number from 0 to ${last.of - 1}`;
  throw new UsageError(
    `--shard ${count}: ${indexVariable}: ${expected}, found ${JSON.stringify(index)}`,
    Number.isNaN(number) ? undefined : 'are the completions of the Job as many as the shards?',
  );
}
