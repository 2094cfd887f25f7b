import { resolve } from 'node:path';
import { type Problem, Problems } from '../../config/problems/problem.js';
import type { ProblemCode } from '../../config/problems/problem-codes.js';
import { displayPath } from '../../config/yaml/data-file.js';
import { findEvals } from '../../plan/find-evals.js';
import type { CheckOptions } from '../check-options.js';
import type { CommandRun } from '../command.js';
import { UsageError } from '../exit-codes.js';
import { refuseSharedPaths } from './eval-placeholder.js';
import {
  type PreparedCheck,
  type ProblemsOfEval,
  prepareCheck,
  refuseUselessModel,
} from './prepared-check.js';

/** The evals of a check that are fit to run, as far as their files tell. */
export interface PreparedEvals {
  /** In the order in which they were given. */
  evals: readonly PreparedCheck[];
  skipped: readonly SkippedEval[];
}

/** One of several evals of which the selection leaves nothing. */
export interface SkippedEval {
  name: string;
  file: string;
  reason: string;
}

/**
 * Reads everything that is asked for. Undefined if something is wrong: the problems, of all evals, say
 * what. Throws UsageError.
 */
export async function prepareEvals(
  { arguments: given, io }: CommandRun,
  options: CheckOptions,
  problems: Problems,
): Promise<PreparedEvals | undefined> {
  if (given.includes('')) {
    throw new UsageError('an eval is named by nothing', 'is a shell variable not set?');
  }
  const asWritten = new Map(given.map((path) => [resolve(path), path]));
  const paths = findEvals(given, problems);
  if (paths.length > 1) refuseSharedPaths(options);
  const read: ReadEval[] = [];
  for (const path of paths) {
    const found = { suite: new Problems(), selection: new Problems() };
    const written = asWritten.get(path) ?? displayPath(path);
    const prepared = await prepareCheck(written, io, options, found);
    read.push({ found, ...(prepared && { prepared }) });
  }
  const empty = read.filter(({ found }) => emptyReason(found) !== undefined);
  // If nothing is left of any of them, that is what is wrong with each.
  const counting =
    empty.length === read.length ? read : read.filter((each) => !empty.includes(each));
  for (const { found } of read) problems.addFrom(found.suite);
  for (const { found } of counting) {
    problems.addFrom(found.selection, (problem) =>
      counting.every((each) => isAmong(problem, each.found)),
    );
  }
  if (problems.report({ strict: options.strict }).errors > 0) return undefined;
  const evals = counting.flatMap(({ prepared }) => prepared ?? []);
  refuseUselessModel(options, evals);
  return { evals, skipped: empty.flatMap(skippedOf) };
}

/** An eval that was read, and what was found then. */
interface ReadEval {
  /** None: its suite has errors. */
  prepared?: PreparedCheck;
  found: ProblemsOfEval;
}

/** Of options that are of no use to an eval, but may be to another one. */
const ofNoUse: readonly ProblemCode[] = ['unused-label', 'unused-rate'];

function isAmong({ code, message }: Problem, { selection }: ProblemsOfEval): boolean {
  if (!ofNoUse.includes(code)) return true;
  const { problems } = selection.report();
  return problems.some((each) => each.code === code && each.message === message);
}

function skippedOf({ prepared, found }: ReadEval): SkippedEval[] {
  const reason = emptyReason(found);
  if (!prepared || reason === undefined) return [];
  const { name, file } = prepared.plan;
  return [{ name: prepared.redactor.text(name), file, reason }];
}

function emptyReason({ selection }: ProblemsOfEval): string | undefined {
  const { problems } = selection.report();
  return problems.find(({ code }) => code === 'nothing-selected')?.message;
}
