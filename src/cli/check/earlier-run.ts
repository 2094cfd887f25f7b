import { existsSync } from 'node:fs';
import { plural } from '../../config/plural.js';
import { DamagedJournal, NotAJournal } from '../../events/journal-errors.js';
import type { Evaluation } from '../../events/run-events.js';
import type { Plan } from '../../plan/plan.js';
import { removeFoldersOf, stopLeftoversOf } from '../../run/resume/clear-up.js';
import { wasNeverBegun } from '../../run/resume/never-begun.js';
import { type PreviousRun, readPreviousRun } from '../../run/resume/previous-run.js';
import { changedFiles } from '../../run/suite-files.js';
import { explainWriteFailure } from '../../run/write-failure.js';
import type { CheckOptions } from '../check-options.js';
import { UsageError } from '../exit-codes.js';
import { changedOptions } from './recorded-options.js';

/** What an earlier run with the same output files means for this one. */
export interface EarlierRun {
  previous?: PreviousRun;
  /** A run in a queue that nobody wants any more. */
  abandoned?: string;
  changed: string[];
  /** With --force: files or options are not what they were. */
  isOther?: boolean;
  /** Worth telling. */
  note?: string;
}

/** Decides whether to go on with an earlier run, to start anew, or to refuse. */
export async function earlierRun(
  journal: string,
  options: CheckOptions,
  record: Pick<Evaluation, 'files' | 'options'>,
  { variants }: Pick<Plan, 'variants'>,
): Promise<EarlierRun> {
  const { resume, force } = options;
  if (!existsSync(journal) || (await reading(journal, wasNeverBegun))) {
    const note = 'There is no journal of an earlier run: starting afresh.';
    return { changed: [], ...(resume && { note }) };
  }
  const previous = await read(journal, force && !resume);
  if (!resume) {
    if (previous && !previous.isComplete) {
      if (!force) throw unfinished(journal, previous);
      // It is about to be forgotten, and nobody else knows of these.
      await stopLeftoversOf(previous);
      await removeFoldersOf(previous);
      if (previous.queue !== undefined) return { changed: [], abandoned: previous.queue };
    }
    return { changed: [] };
  }
  if (!previous) {
    throw new UsageError(`${journal} is no journal of a check`, 'leave out --resume');
  }
  if (previous.queue !== undefined && !options.queue && !force) throw withWorkers();
  const hadMatrix = previous.evaluation.variants !== undefined;
  if (hadMatrix !== variants.length > 0) throw otherMatrix(hadMatrix);
  const files = changedFiles(previous.evaluation.files, record.files);
  const names = changedOptions(previous.evaluation.options, record.options);
  if (files.length + names.length > 0 && !force) throw changedSince([...files, ...names]);
  return { previous, changed: files, isOther: files.length + names.length > 0 };
}

/** Whatever else is there is not ours to overwrite. */
async function read(journal: string, isForced: boolean): Promise<PreviousRun | undefined> {
  try {
    const previous = await reading(journal, readPreviousRun);
    if (previous || isForced) return previous;
    const hint = 'choose another file with --out, or overwrite it with --force';
    throw new UsageError(`${journal} is the record of something else than a check`, hint);
  } catch (error) {
    const isUnreadable = error instanceof NotAJournal || error instanceof DamagedJournal;
    if (!isUnreadable) throw error;
    if (isForced) return undefined;
    throw new UsageError(
      error.message,
      'choose another file with --out, or overwrite it with --force',
    );
  }
}

/** What the file system says is told as it is: a folder in its place, or a file of somebody else. */
async function reading<Result>(
  journal: string,
  read: (path: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await read(journal);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new UsageError(`cannot use ${journal}: ${explainWriteFailure(error).reason}`);
  }
}

/** What was done without a matrix is no part of one, and the other way round: nothing fits together. */
function otherMatrix(hadMatrix: boolean): UsageError {
  const message = hadMatrix
    ? '--resume: that run has a matrix, and this one has none'
    : '--resume: that run has no matrix, and this one has';
  return new UsageError(message, 'give the same agents, models and MCP configs, or start anew');
}

function withWorkers(): UsageError {
  const hint = 'give --queue too; or --force, if that queue is gone for good';
  return new UsageError('--resume: the workers of a queue have that run', hint);
}

function unfinished(journal: string, { planned, finished }: PreviousRun): UsageError {
  const done = `${finished.size} of ${plural(planned, 'task run')} done`;
  const hint = 'go on with --resume, or start anew with --force';
  return new UsageError(`${journal} is the journal of a run that did not end (${done})`, hint);
}

function changedSince(changed: string[]): UsageError {
  const shown = changed.slice(0, 10);
  const more = changed.length > shown.length ? `, and ${changed.length - shown.length} more` : '';
  const message = `what runs has changed since: ${shown.join(', ')}${more}`;
  return new UsageError(message, 'start anew without --resume, or go on all the same with --force');
}
