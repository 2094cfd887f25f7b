import { existsSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import { plural } from '../../base/text.js';
import { explainWriteFailure } from '../../base/write-failure.js';
import { NotAJournalError } from '../../journal/journal-reader.js';
import { formatLeftOut } from '../../journal/left-out.js';
import type { RunRecord } from '../../journal/run-events.js';
import type { Plan } from '../../plan/plan.js';
import { findChangedOptions, type ResolvedOptions } from '../session/check-options.js';
import { removeFoldersOfRun, stopLeftoversOfRun } from './leftovers.js';
import { isEmptyJournal, type PreviousRun, readPreviousRun } from './previous-run.js';
import { findChangedFiles } from './suite-files.js';

/** Whether an earlier run with the same output files is resumed, and what becomes of it otherwise. */
export interface ResumeDecision {
  /** The run that is resumed; undefined: a new one starts. */
  previous?: PreviousRun;
  /** The id in a queue of a run that is discarded: its workers are to stop. */
  abandoned?: string;
  /** With --resume --force: files of the suite that have changed since the earlier run. */
  changedFiles: string[];
  /** With --resume --force: files or options are not those that the journal records. */
  isOtherThanRecorded?: boolean;
  /**
   * An unfinished run of a suite that has changed since is to get other file names, so that nothing is lost. Says
   * how much of it is done, and which cleanup did not run.
   */
  toMoveAside?: { done: string; uncleaned?: string };
  /** A note for people. */
  note?: string;
}

/** Decides whether to resume an earlier run, to start a new one, or to refuse with a UsageError. */
export async function decideResume(
  journal: string,
  options: ResolvedOptions,
  record: Pick<RunRecord, 'files' | 'options'>,
  { variants }: Pick<Plan, 'variants'>,
): Promise<ResumeDecision> {
  const { resume, force } = options;
  if (!existsSync(journal) || (await explainReadErrors(journal, isEmptyJournal))) {
    const note = 'There is no journal of an earlier run: starting afresh.';
    return { changedFiles: [], ...(resume && { note }) };
  }
  const previous = await readJournalOfRun(journal, options);
  if (!previous || (!resume && previous.isFinished)) return { changedFiles: [] };
  const hadMatrix = previous.record.variants !== undefined;
  const isOtherMatrix = hadMatrix !== variants.length > 0;
  const changedFiles = findChangedFiles(previous.record.files, record.files);
  const changedOptions = findChangedOptions(previous.record.options, record.options);
  const changed = [...changedFiles, ...changedOptions];
  const isOtherThanRecorded = changed.length > 0;
  if (!resume) {
    const hasChanged = isOtherThanRecorded || isOtherMatrix;
    return startAnew(journal, previous, { force, hasChanged });
  }
  if (previous.queue !== undefined && options.queue === undefined && !force)
    throw needsQueueError();
  if (isOtherMatrix) throw otherMatrixError(hadMatrix, previous);
  if (isOtherThanRecorded && !force) throw changedError(changed, previous);
  const note = describeDamage(journal, previous);
  return { previous, changedFiles, isOtherThanRecorded, ...(note !== undefined && { note }) };
}

/** Says how much of the journal cannot be read, and that task runs without a readable start and end run again. */
function describeDamage(journal: string, { leftOut, queue }: PreviousRun): string | undefined {
  const [first] = leftOut.parts;
  if (!first) return undefined;
  const count = plural(leftOut.count, 'part');
  // A queue that still has the run knows what is done, whatever the journal has lost.
  const when = queue === undefined ? '' : ', if the workers have done them, with the next --resume';
  return `${journal} is damaged: ${count} left out (${formatLeftOut(first)}). Task runs without a readable start and end run again${when}.`;
}

/** Starts a new run although an earlier one did not finish. Throws UsageError where that would lose something. */
async function startAnew(
  journal: string,
  previous: PreviousRun,
  { force, hasChanged }: { force: boolean; hasChanged: boolean },
): Promise<ResumeDecision> {
  const isEmpty = previous.outcomes.size === 0 && previous.cutOff.length === 0;
  if (!force && (previous.queue !== undefined || (!isEmpty && !hasChanged))) {
    throw unfinishedError(journal, previous);
  }
  await stopLeftoversOfRun(previous);
  const uncleaned = describeUncleaned(previous);
  if (!force && !isEmpty) {
    // Folders stay: the run can be resumed under its new name, and its cleanup needs them.
    return {
      changedFiles: [],
      toMoveAside: { done: formatDone(previous), ...(uncleaned && { uncleaned }) },
    };
  }
  await removeFoldersOfRun(previous);
  return {
    changedFiles: [],
    ...(previous.queue !== undefined && { abandoned: previous.queue }),
    ...(uncleaned && { note: `Discarded by --force: an unfinished run that ${uncleaned}.` }),
  };
}

/** Names the attempts whose cleanup was not finished: what they set up outside their folders is still there. */
function describeUncleaned({ cutOff, queue }: PreviousRun): string | undefined {
  // Workers clean up after those of a queue.
  if (cutOff.length === 0 || queue !== undefined) return undefined;
  const names = cutOff.map(({ started: { task, run } }) => `${task}, run ${run}`);
  const shown = names.slice(0, 5).join('; ');
  const more = names.length > 5 ? '; ...' : '';
  return `did not finish the cleanup of ${plural(names.length, 'task run')} (${shown}${more})`;
}

/**
 * Reads an earlier run; undefined for a file that holds none and is to be overwritten, with --force and without
 * --resume. Throws UsageError for such a file otherwise.
 */
async function readJournalOfRun(
  journal: string,
  { resume, force }: Pick<ResolvedOptions, 'resume' | 'force'>,
): Promise<PreviousRun | undefined> {
  let message = `${journal} is the record of something other than a check, or its first line is damaged`;
  try {
    const previous = await explainReadErrors(journal, readPreviousRun);
    if (previous) return previous;
  } catch (error) {
    if (!(error instanceof NotAJournalError)) throw error;
    message = error.message;
  }
  if (force && !resume) return undefined;
  const hint = 'choose another file with --out, or overwrite it with --force';
  throw new UsageError(message, resume ? `leave out --resume, and ${hint}` : hint);
}

/** Turns errors of the file system into UsageErrors: a folder in its place, or a file of another user. */
async function explainReadErrors<Result>(
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

/** Task runs without a matrix have no variant, those of a matrix have one: neither can continue the other. */
function otherMatrixError(hadMatrix: boolean, previous: PreviousRun): UsageError {
  const message = hadMatrix
    ? '--resume: that run has a matrix, and this one has none'
    : '--resume: that run has no matrix, and this one has';
  const hint = `give the same agents, models and MCP configs, or ${formatStartHint(previous)}`;
  return new UsageError(message, hint);
}

function needsQueueError(): UsageError {
  const hint = 'give --queue too; or --force, if that queue is gone for good';
  return new UsageError('--resume: the workers of a queue have that run', hint);
}

function unfinishedError(journal: string, previous: PreviousRun): UsageError {
  const message = `${journal} is the journal of a run that did not finish (${formatDone(previous)})`;
  return new UsageError(message, 'continue it with --resume, or discard it with --force');
}

function formatDone({ planned, outcomes }: PreviousRun): string {
  return `${outcomes.size} of ${plural(planned, 'task run')} done`;
}

/** Says how to start a new run instead. A run that workers have is discarded only with --force. */
function formatStartHint({ queue }: PreviousRun): string {
  return queue === undefined
    ? 'leave out --resume to start a new run'
    : 'give --force without --resume to start a new run';
}

function changedError(changed: string[], previous: PreviousRun): UsageError {
  const shown = changed.slice(0, 10);
  const more = changed.length > shown.length ? `, and ${changed.length - shown.length} more` : '';
  const run = previous.isFinished ? 'that run' : 'the unfinished run';
  const message = `changed since ${run}: ${shown.join(', ')}${more}`;
  // Workers have the files of the earlier check in any case.
  const orContinue =
    previous.queue === undefined ? ', or add --force to continue all the same' : '';
  return new UsageError(message, `${formatStartHint(previous)}${orContinue}`);
}
