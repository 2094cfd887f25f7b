import { resolve } from 'node:path';
import { exitCodes, UsageError } from '../../base/errors.js';
import { resolveLinks } from '../../base/files.js';
import { plural } from '../../base/text.js';
import { explainWriteFailure, writeFailures } from '../../base/write-failure.js';
import { UnlikeResultsError } from '../../results/merge/merge-conflicts.js';
import { type Merged, mergeResults } from '../../results/merge/merge-results.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { describeMissingShards } from '../../results/shards.js';
import type { CommandRun } from '../command.js';
import { showLeftOut } from '../result/chosen-results.js';
import { unlessStopped } from '../stop-signals.js';
import { styleFor } from '../terminal/output.js';
import { printText, terminalLine } from '../terminal/text.js';

export async function run({ arguments: paths, options, io }: CommandRun): Promise<number> {
  const { out } = options;
  if (typeof out !== 'string' || out === '') {
    throw new UsageError('there is no file to write to', 'name it with --out');
  }
  refuseOwnFiles(paths, out);
  const force = options.force === true;
  const merged = await unlessStopped((stop) => merge(paths, out, { force, stop }));
  if (!merged) return exitCodes.interrupted;
  showLeftOut(merged.leftOut, io);
  const style = styleFor(io.stderr, io.environment);
  for (const caveat of [...merged.caveats, ...merged.missing.map(describeMissingShards)]) {
    printText(io.stderr, `${style('yellow', 'warning')} ${terminalLine(caveat)}\n`);
  }
  printText(io.stdout, `${terminalLine(describeMerged(out, merged))}\n`);
  return exitCodes.ok;
}

/** A journal that is gone cannot be had again. */
function refuseOwnFiles(paths: readonly string[], out: string): void {
  const target = resolveLinks(resolve(out));
  const own = paths.find((path) => resolveLinks(resolve(path)) === target);
  if (own === undefined) return;
  throw new UsageError(`${own} would be overwritten`, 'name another file with --out');
}

async function merge(
  paths: readonly string[],
  out: string,
  options: Parameters<typeof mergeResults>[2],
): Promise<Merged> {
  try {
    return await mergeResults(paths, out, options);
  } catch (error) {
    if (error instanceof UnlikeResultsError) {
      const hint = 'compare them with proctor diff, or merge them all the same with --force';
      throw new UsageError(error.message, hint);
    }
    const { syscall, code = '' } = error as NodeJS.ErrnoException;
    if (syscall === 'mkdtemp' || writeFailures.has(code)) {
      throw new UsageError(`${out} cannot be written: ${explainWriteFailure(error).reason}`);
    }
    throw explainUnreadableResults(out, error);
  }
}

function describeMerged(out: string, { sources, totals }: Merged): string {
  const { outcomes, tasks, notRun } = totals;
  const taskRuns = Object.values(outcomes).reduce((total, count) => total + count, 0);
  const missing = notRun > 0 ? `, ${notRun} not run` : '';
  return `${out}: ${plural(taskRuns, 'task run')} of ${plural(tasks, 'task')} from ${plural(sources, 'evaluation')}${missing}`;
}
