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
  previous?: PreviousRun;
  /** The id of a run in a queue that is discarded. */
  abandoned?: string;
  changed: string[];
  /** With --force: files or options are not what they were. */
  hasChanged?: boolean;
  /** An unfinished run of a suite that has changed since: its files get other names, so that nothing is lost. */
  movedAside?: { done: string; uncleaned?: string };
  /** A note for people. */
  note?: string;
}

/** Decides whether to go on with an earlier run, to start anew, or to refuse. */
export async function decideResume(
  journal: string,
  options: ResolvedOptions,
  record: Pick<RunRecord, 'files' | 'options'>,
  { variants }: Pick<Plan, 'variants'>,
): Promise<ResumeDecision> {
  const { resume, force } = options;
  if (!existsSync(journal) || (await explainReadErrors(journal, isEmptyJournal))) {
    const note = 'There is no journal of an earlier run: starting afresh.';
    return { changed: [], ...(resume && { note }) };
  }
  const previous = await readJournalOfRun(journal, force && !resume);
  if (!resume && (!previous || previous.isComplete)) return { changed: [] };
  if (!previous) {
    throw new UsageError(`${journal} is not the journal of a check`, 'leave out --resume');
  }
  const hadMatrix = previous.evaluation.variants !== undefined;
  const isOtherMatrix = hadMatrix !== variants.length > 0;
  const files = findChangedFiles(previous.evaluation.files, record.files);
  const names = findChangedOptions(previous.evaluation.options, record.options);
  const hasChanged = files.length + names.length > 0;
  if (!resume)
    return startAnew(journal, previous, { force, hasChanged: hasChanged || isOtherMatrix });
  if (previous.queue !== undefined && options.queue === undefined && !force)
    throw needsQueueError();
  if (isOtherMatrix) throw otherMatrixError(hadMatrix, previous);
  if (hasChanged && !force) throw changedError([...files, ...names], previous);
  const note = describeDamage(journal, previous);
  return { previous, changed: files, hasChanged, ...(note !== undefined && { note }) };
}

/** Says what is done again because the record of its end cannot be read. */
function describeDamage(journal: string, { leftOut }: PreviousRun): string | undefined {
  const [first] = leftOut.parts;
  if (!first) return undefined;
  const count = plural(leftOut.count, 'part');
  return `${journal} is damaged: ${count} left out (${formatLeftOut(first)}). Task runs without a readable start and end run again.`;
}

/** A new run although an earlier one did not finish. Throws UsageError where that would lose something. */
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
  // The new name can be resumed, and then the cleanup of killed task runs needs their folders.
  if (!force && !isEmpty) {
    return {
      changed: [],
      movedAside: { done: formatDone(previous), ...(uncleaned && { uncleaned }) },
    };
  }
  await removeFoldersOfRun(previous);
  return {
    changed: [],
    ...(previous.queue !== undefined && { abandoned: previous.queue }),
    ...(uncleaned && { note: `Discarded by --force: an unfinished run that ${uncleaned}.` }),
  };
}

/** Task runs of a killed run that were not cleaned up: what they set up outside of their folders is still there. */
function describeUncleaned({ cutOff, queue }: PreviousRun): string | undefined {
  // In a queue, workers clean up.
  if (cutOff.length === 0 || queue !== undefined) return undefined;
  const names = cutOff.map(({ started: { task, run } }) => `${task}, run ${run}`);
  const shown = names.slice(0, 5).join('; ');
  const more = names.length > 5 ? '; ...' : '';
  return `was killed before the cleanup of ${plural(names.length, 'task run')} (${shown}${more})`;
}

/** Throws UsageError for anything but the journal of a check: it must not be overwritten unasked. */
async function readJournalOfRun(
  journal: string,
  isForced: boolean,
): Promise<PreviousRun | undefined> {
  try {
    const previous = await explainReadErrors(journal, readPreviousRun);
    if (previous || isForced) return previous;
    const hint = 'choose another file with --out, or overwrite it with --force';
    throw new UsageError(`${journal} is the record of something other than a check`, hint);
  } catch (error) {
    if (!(error instanceof NotAJournalError)) throw error;
    if (isForced) return undefined;
    throw new UsageError(
      error.message,
      'choose another file with --out, or overwrite it with --force',
    );
  }
}

/** Turns errors of the file system into refusals: a folder in its place, or a file of another user. */
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

/** What was done without a matrix is no part of one, and the other way round: nothing fits together. */
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

/** How to start a new run after all: one that workers have is only given up with --force. */
function formatStartHint({ queue }: PreviousRun): string {
  return queue === undefined
    ? 'leave out --resume to start a new run'
    : 'give --force without --resume to start a new run';
}

function changedError(changed: string[], previous: PreviousRun): UsageError {
  const shown = changed.slice(0, 10);
  const more = changed.length > shown.length ? `, and ${changed.length - shown.length} more` : '';
  const run = previous.isComplete ? 'that run' : 'the unfinished run';
  const message = `changed since ${run}: ${shown.join(', ')}${more}`;
  // Workers have the files of then in any case.
  const orContinue =
    previous.queue === undefined ? ', or add --force to continue all the same' : '';
  return new UsageError(message, `${formatStartHint(previous)}${orContinue}`);
}
