import { extname, resolve } from 'node:path';
import { slugOf } from '../../base/text.js';
import type { CheckOptions } from '../check-options.js';
import { UsageError } from '../exit-codes.js';
import { earlierResults } from './earlier-results.js';
import { realOf, type WrittenFile } from './reporters/report-files.js';

/** Where a check leaves what it found out. */
export interface OutputFiles {
  results: string;
  /** Beside the results. */
  journal: string;
}

export function outputFiles(
  evalName: string,
  options: Pick<CheckOptions, 'out' | 'control' | 'rerunFailed' | 'shardDurations'>,
): OutputFiles {
  const { out, control, rerunFailed } = options;
  // What looks at something else must not take the place of the results of a whole run.
  // Nor may proctor-*-out.json, the usual way to name all results, find what no agent did.
  const kind = control ? 'control' : rerunFailed === undefined ? 'out' : rerunKind(rerunFailed);
  const results = resolve(out ?? `proctor-${slugOf(evalName)}-${kind}.json`);
  const ending = extname(results);
  const stem = ending === '' ? results : results.slice(0, -ending.length);
  const journal = `${stem}.jsonl`;
  for (const { path, option } of earlierResults(options)) {
    if (![results, journal].includes(resolve(path))) continue;
    const hint = 'choose another file with --out';
    throw new UsageError(`${option}: ${path} would be overwritten`, hint);
  }
  return { results, journal };
}

/** What failed again can be run again, as the report suggests: every time has its own file. */
function rerunKind(earlier: string): string {
  const before = /-rerun(?:-(\d+))?-out\.jsonl?$/.exec(earlier);
  return before ? `rerun-${Number(before[1] ?? 1) + 1}-out` : 'rerun-out';
}

/** What is to be evaluated must not be lost to a slip of the pen. */
export function refuseSuiteFiles(
  written: readonly WrittenFile[],
  suite: readonly { path: string }[],
  evalFolder: string,
): void {
  const options = new Map(written.map(({ path, option }) => [realOf(path), option]));
  for (const { path } of suite) {
    const option = options.get(realOf(resolve(evalFolder, path)));
    if (option === undefined) continue;
    const hint = `choose another file with ${option}`;
    throw new UsageError(`${path} is a file of the suite, and would be overwritten`, hint);
  }
}
