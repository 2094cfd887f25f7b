import { parseWholeNumber } from '../../../base/amounts.js';
import { maxRuns } from '../../../config/schemas/fields.js';
import type { PooledResults } from '../../../results/read/pooled-results.js';
import type { ResultsFile } from '../../../results/results-file.js';
import type { TaskRunSoFar } from '../../../results/task-run-record.js';
import { chooseFigures, type Figures } from '../../check/live/terminal-line.js';
import type { CommandRun } from '../../command.js';
import { type CommandIo, type Style, styleFor } from '../../terminal/output.js';
import { parseTaskPattern } from '../chosen-results.js';

/** How stories look. */
export interface Look {
  style: Style;
  signs: Figures;
  /** Columns of the terminal. */
  width: number;
  /** Lines shown of a text: arguments, results, messages. */
  maxLines: number;
  /** Events shown of a task run. */
  maxEvents: number;
  /** Characters of a line of text. Undefined: as many as fit. */
  maxLineLength: number | undefined;
  /** False: only what it comes to, without what happened. */
  hasTimeline: boolean;
}

const usualWidth = 80;
/** Columns: narrower than this, nothing can be read anyway. */
const leastWidth = 40;
/** Longer lines of text are hard to read. */
const mostWidth = 160;

export function createLook(
  { stdout, environment }: CommandIo,
  limits: Pick<Look, 'maxLines' | 'maxEvents' | 'maxLineLength' | 'hasTimeline'>,
): Look {
  const width = stdout.size?.()?.columns ?? usualWidth;
  return {
    style: styleFor(stdout, environment),
    signs: chooseFigures(environment),
    width: Math.min(Math.max(width, leastWidth), mostWidth),
    ...limits,
  };
}

type Chosen = Pick<TaskRunSoFar, 'task' | 'run' | 'outcome'>;

/** The task runs that the options select. */
export interface Selection {
  /** False: for all there are. */
  isNarrow: boolean;
  /** Whether `--task` and `--run` let it through. */
  covers(taskRun: Chosen): boolean;
  /** Whether `--failed` does so too. */
  matches(taskRun: Chosen): boolean;
}

export function parseSelection({ options }: CommandRun): Selection {
  const pattern = parseTaskPattern(options);
  const number =
    typeof options.run === 'string' ? parseWholeNumber('--run', options.run, maxRuns) : undefined;
  const onlyFailed = options.failed === true;
  const covers = ({ task, run }: Chosen) =>
    pattern?.test(task) !== false && (number === undefined || run === number);
  return {
    isNarrow: pattern !== undefined || number !== undefined || onlyFailed,
    covers,
    matches: (taskRun) => covers(taskRun) && !(onlyFailed && hasNotFailed(taskRun)),
  };
}

/** A task run that is under way has no outcome, and has not failed. */
function hasNotFailed({ outcome }: Chosen): boolean {
  return outcome === 'passed' || outcome === null;
}

/** How many task runs were asked for, and how many of them there were to show. */
export interface Shown {
  covered: number;
  shown: number;
}

/** Task runs that have begun and have no verdict, in every file that records them. */
export async function* readOpenTaskRuns({
  files,
}: PooledResults): AsyncGenerator<{ file: ResultsFile; taskRun: TaskRunSoFar }> {
  for (const file of files) {
    for await (const taskRun of file.openTaskRuns?.() ?? []) yield { file, taskRun };
  }
}
