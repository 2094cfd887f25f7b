import type { CommandRun } from '../command.js';
import { exitCodes } from '../exit-codes.js';
import {
  findRun,
  readQueueStatus,
  readRuns,
  renderQueueStatus,
  withQueue,
} from '../queue/queue-status.js';
import { jsonText, styleFor } from '../terminal/output.js';

export function run(call: CommandRun): Promise<number> {
  const { io, options } = call;
  return withQueue(call, async ({ redis, keys, store, shown }) => {
    const all = await readRuns(store);
    const [start] = call.arguments;
    const runs = start === undefined ? all : [findRun(all, start)];
    const status = await readQueueStatus(redis, keys, store, runs);
    const style = styleFor(io.stdout, io.environment);
    const text =
      options.output === 'json' ? jsonText(status) : renderQueueStatus(status, shown, style);
    io.stdout.write(text);
    return exitCodes.ok;
  });
}
