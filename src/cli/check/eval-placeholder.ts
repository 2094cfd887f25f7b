import { relative, resolve } from 'node:path';
import { slugOf } from '../../base/text.js';
import type { CheckOptions } from '../check-options.js';
import { UsageError } from '../exit-codes.js';
import { builtinOf, takesStdout } from './reporters/reporter-requests.js';

/** Stands in paths for the name of an eval. */
const placeholder = '{eval}';

/** The options of a check as they are for one of its evals. */
export function optionsOfEval(options: CheckOptions, evalName: string): CheckOptions {
  const { out, rerunFailed, reporters, shardDurations } = options;
  const name = slugOf(evalName);
  const fill = (path: string) => path.replaceAll(placeholder, name);
  // The current directory may be called as it likes.
  const fillBelow = (path: string) => resolve(fill(relative('', path)));
  return {
    ...options,
    ...(out !== undefined && { out: fill(out) }),
    ...(rerunFailed !== undefined && { rerunFailed: fill(rerunFailed) }),
    reporters: reporters.map(({ file, ...each }) => ({
      ...each,
      ...(file !== undefined && { file: fillBelow(file) }),
    })),
    shardDurations: shardDurations.map(fill),
  };
}

/** Several evals cannot share a file, nor a report on standard output. Throws UsageError. */
export function refuseSharedPaths(options: CheckOptions): void {
  const { out, rerunFailed, reporters, shardDurations } = options;
  const paths = [
    ...(out === undefined ? [] : [{ option: '--out', path: out }]),
    ...(rerunFailed === undefined ? [] : [{ option: '--rerun-failed', path: rerunFailed }]),
    ...shardDurations.map((path) => ({ option: '--shard-durations', path })),
    ...reporters.flatMap(({ shown, file }) =>
      file === undefined ? [] : [{ option: '--reporter', path: shown }],
    ),
  ];
  for (const { option, path } of paths) {
    if (path.includes(placeholder)) continue;
    const message = `${option} ${path}: with several evals, each needs a file of its own`;
    throw new UsageError(
      message,
      `write ${placeholder} in the path, where the name of the eval goes`,
    );
  }
  for (const request of reporters) {
    const builtin = builtinOf(request);
    if ((builtin !== 'junit' && builtin !== 'tap') || !takesStdout(request)) continue;
    const message = `--reporter ${builtin}: with several evals, standard output would hold several reports`;
    const ending = builtin === 'junit' ? 'xml' : 'tap';
    throw new UsageError(message, `give each a file: --reporter '${builtin}={eval}.${ending}'`);
  }
}
