import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { findRun, readRuns, withQueue } from '../queue/queue-status.js';
import { printText, terminalLine } from '../terminal/text.js';

export function run(call: CommandRun): Promise<number> {
  return withQueue(call, async ({ store }) => {
    const { id, name } = findRun(await readRuns(store), call.arguments[0] ?? '');
    if (!(await store.stop(id))) throw new UsageError(`the run ${id} is over`);
    const progress = await store.progressOf(id);
    const open = progress?.open ?? 0;
    const rest = open > 0 ? `; what is under way (${open}) is stopped and cleaned up` : '';
    printText(call.io.stdout, `${terminalLine(`Stopped ${name} (${id})${rest}`)}\n`);
    return exitCodes.ok;
  });
}
