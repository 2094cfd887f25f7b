import { existsSync } from 'node:fs';
import { plural } from '../../base/text.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import { NotAJournal } from '../../events/journal-errors.js';
import { leftOutText } from '../../events/left-out.js';
import type { Evaluation } from '../../events/run-events.js';
import type { Plan } from '../../plan/plan.js';
import { removeFoldersOf, stopLeftoversOf } from '../../run/resume/leftovers.js';
import { type PreviousRun, readPreviousRun, wasNeverBegun } from '../../run/resume/previous-run.js';
import { changedFiles } from '../../run/resume/suite-files.js';
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
  /** An unfinished run of a suite that has changed since: its files get other names, so that nothing is lost. */
  movedAside?: { done: string; uncleaned?: string };
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
  if (!resume && (!previous || previous.isComplete)) return { changed: [] };
  if (!previous) {
    throw new UsageError(`${journal} is no journal of a check`, 'leave out --resume');
  }
  const hadMatrix = previous.evaluation.variants !== undefined;
  const isOtherMatrix = hadMatrix !== variants.length > 0;
  const files = changedFiles(previous.evaluation.files, record.files);
  const names = changedOptions(previous.evaluation.options, record.options);
  const isOther = files.length + names.length > 0;
  if (!resume) return startAnew(journal, previous, { force, isOther: isOther || isOtherMatrix });
  if (previous.queue !== undefined && !options.queue && !force) throw withWorkers();
  if (isOtherMatrix) throw otherMatrix(hadMatrix, previous);
  if (isOther && !force) throw changedSince([...files, ...names], previous);
  const note = damageNote(journal, previous);
  return { previous, changed: files, isOther, ...(note !== undefined && { note }) };
}

/** What is done again because nobody can read that it was done. */
function damageNote(journal: string, { leftOut }: PreviousRun): string | undefined {
  const [first] = leftOut.parts;
  if (!first) return undefined;
  const count = plural(leftOut.count, 'part');
  return `${journal} is damaged: ${count} left out (${leftOutText(first)}). Task runs without a readable start and end run again.`;
}

/** A new run although an earlier one did not finish. Throws UsageError where that would lose something. */
async function startAnew(
  journal: string,
  previous: PreviousRun,
  { force, isOther }: { force: boolean; isOther: boolean },
): Promise<EarlierRun> {
  const isEmpty = previous.finished.size === 0 && previous.interrupted.length === 0;
  if (!force && (previous.queue !== undefined || (!isEmpty && !isOther))) {
    throw unfinished(journal, previous);
  }
  await stopLeftoversOf(previous);
  const uncleaned = uncleanedText(previous);
  // The new name can be resumed, and then the cleanup of killed task runs needs their folders.
  if (!force && !isEmpty) {
    return {
      changed: [],
      movedAside: { done: doneText(previous), ...(uncleaned && { uncleaned }) },
    };
  }
  await removeFoldersOf(previous);
  return {
    changed: [],
    ...(previous.queue !== undefined && { abandoned: previous.queue }),
    ...(uncleaned && { note: `Discarded by --force: an unfinished run that ${uncleaned}.` }),
  };
}

/** Of a run that was killed: what it set up outside of its folders is still there. */
function uncleanedText({ interrupted, queue }: PreviousRun): string | undefined {
  // Of a run in a queue, workers look after it.
  if (interrupted.length === 0 || queue !== undefined) return undefined;
  const names = interrupted.map(({ started: { task, run } }) => `${task}, run ${run}`);
  const shown = names.slice(0, 5).join('; ');
  const more = names.length > 5 ? '; ...' : '';
  return `was killed before the cleanup of ${plural(names.length, 'task run')} (${shown}${more})`;
}

/** Whatever else is there is not ours to overwrite. */
async function read(journal: string, isForced: boolean): Promise<PreviousRun | undefined> {
  try {
    const previous = await reading(journal, readPreviousRun);
    if (previous || isForced) return previous;
    const hint = 'choose another file with --out, or overwrite it with --force';
    throw new UsageError(`${journal} is the record of something else than a check`, hint);
  } catch (error) {
    if (!(error instanceof NotAJournal)) throw error;
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
function otherMatrix(hadMatrix: boolean, previous: PreviousRun): UsageError {
  const message = hadMatrix
    ? '--resume: that run has a matrix, and this one has none'
    : '--resume: that run has no matrix, and this one has';
  const hint = `give the same agents, models and MCP configs, or ${startText(previous)}`;
  return new UsageError(message, hint);
}

function withWorkers(): UsageError {
  const hint = 'give --queue too; or --force, if that queue is gone for good';
  return new UsageError('--resume: the workers of a queue have that run', hint);
}

function unfinished(journal: string, previous: PreviousRun): UsageError {
  const message = `${journal} is the journal of a run that did not finish (${doneText(previous)})`;
  return new UsageError(message, 'continue it with --resume, or discard it with --force');
}

function doneText({ planned, finished }: PreviousRun): string {
  return `${finished.size} of ${plural(planned, 'task run')} done`;
}

/** How to start a new run after all: one that workers have is given up only when somebody says so. */
function startText({ queue }: PreviousRun): string {
  return queue === undefined
    ? 'leave out --resume to start a new run'
    : 'give --force without --resume to start a new run';
}

function changedSince(changed: string[], previous: PreviousRun): UsageError {
  const shown = changed.slice(0, 10);
  const more = changed.length > shown.length ? `, and ${changed.length - shown.length} more` : '';
  const run = previous.isComplete ? 'that run' : 'the unfinished run';
  const message = `changed since ${run}: ${shown.join(', ')}${more}`;
  // Workers have the files of then, whatever anybody wants.
  const orContinue =
    previous.queue === undefined ? ', or add --force to continue all the same' : '';
  return new UsageError(message, `${startText(previous)}${orContinue}`);
}
