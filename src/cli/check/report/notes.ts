import { describeBlockedCalls, describeDeniedCalls } from '../../../analysis/blocked-calls.js';
import type { Summary } from '../../../analysis/summary/summary.js';
import { formatSuspected, suspectedHint } from '../../../analysis/tools/tool-findings.js';
import { terminalLine } from '../../terminal/text.js';
import type { FinishedTaskRun } from '../live/finished-task-run.js';
import type { ProgressState } from '../live/progress-state.js';
import { formatTaskRunName } from '../wording.js';

/** How many notes of one kind are shown. */
const maxNotes = 10;

/** Collects what did not decide anything, but is worth a look. */
export function collectNotes(state: ProgressState, { totals }: Summary): string[] {
  const { finished } = state;
  const leftOutOfCleanup = finished.reduce((sum, run) => sum + run.cleanupLeftOut, 0);
  return [
    ...limited(describeBlockedCalls(totals.blocked).map(terminalLine)),
    ...limited(describeDeniedCalls(totals.denied).map(terminalLine)),
    ...limited(cleanupFailures(finished), leftOutOfCleanup),
    ...limited(suspectedErrors(state)),
    ...limited(warnings(state)),
    ...limited(keptFolders(finished)),
  ];
}

function limited(notes: readonly string[], leftOut = 0): string[] {
  const more = Math.max(notes.length - maxNotes, 0) + leftOut;
  return more > 0 ? [...notes.slice(0, maxNotes), `and ${more} more like this`] : [...notes];
}

function cleanupFailures(finished: readonly FinishedTaskRun[]): string[] {
  return finished.flatMap((run) =>
    run.cleanup.map(({ step, kind, source, message }) => {
      const what = terminalLine(`cleanup step ${step} (${kind}, ${source.file}:${source.line})`);
      return `${formatTaskRunName(run)}: ${what} did not pass: ${terminalLine(message)}`;
    }),
  );
}

function suspectedErrors({ suspectedErrors: counts }: ProgressState): string[] {
  return counts.all.map(({ name, calls, suspected, example }) =>
    terminalLine(`${name}: ${formatSuspected(suspected, calls)} (${example}): ${suspectedHint}`),
  );
}

function warnings(state: ProgressState): string[] {
  return state.warnings.all.map(({ server, message, count }) => {
    const where = server === undefined ? '' : `${server}: `;
    const times = count > 1 ? ` (${count} times)` : '';
    return `warning: ${terminalLine(`${where}${message}`)}${times}`;
  });
}

function keptFolders(finished: readonly FinishedTaskRun[]): string[] {
  return finished.flatMap((run) =>
    run.workdir === undefined || run.outcome !== 'passed'
      ? []
      : [`${formatTaskRunName(run)}: the working directory is in ${terminalLine(run.workdir)}`],
  );
}
