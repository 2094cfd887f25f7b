import { resolve } from 'node:path';
import { displayPath } from '../../config/yaml/data-file.js';
import { UsageError } from '../exit-codes.js';
import { earlierResults } from './earlier-results.js';
import { type OutputFiles, outputFiles } from './output-files.js';
import type { PreparedCheck } from './prepared-check.js';
import {
  realOf,
  refuseReportFiles,
  type WrittenFile,
  writtenFiles,
} from './reporters/report-files.js';

/** An eval, and where what is found out about it goes. */
export interface EvalOutput {
  prepared: PreparedCheck;
  files: OutputFiles;
  /** Those, and the files of reporters. */
  written: readonly WrittenFile[];
}

/** No two evals of a check write the same file, and none overwrites what another one reads. Throws UsageError. */
export function outputsOf(evals: readonly PreparedCheck[]): EvalOutput[] {
  const outputs = evals.map((prepared) => {
    const { plan, options } = prepared;
    const files = outputFiles(plan.name, options);
    refuseReportFiles(options.reporters, files, earlierResults(options));
    return { prepared, files, written: writtenFiles(options.reporters, files) };
  });
  const writers = new Map<string, PreparedCheck>();
  for (const { prepared, written } of outputs) {
    for (const { path } of written) {
      const other = writers.get(realOf(path));
      if (other && other !== prepared) throw sharedFile(other, prepared, path);
      writers.set(realOf(path), prepared);
    }
  }
  for (const { prepared } of outputs) {
    for (const { path, option } of earlierResults(prepared.options)) {
      if (!writers.has(realOf(resolve(path)))) continue;
      throw new UsageError(
        `${option}: ${path} would be overwritten`,
        'choose other files with --out',
      );
    }
  }
  return outputs;
}

function sharedFile(one: PreparedCheck, other: PreparedCheck, path: string): UsageError {
  const message = `${one.plan.file} and ${other.plan.file} would both write ${displayPath(path)}`;
  return new UsageError(message, 'give each of these evals a name of its own in metadata.name');
}
