import {
  BlockedCalls,
  DeniedCalls,
  describeBlockedCalls,
  describeDeniedCalls,
} from '../../../analysis/blocked-calls.js';
import { formatSuspected, suspectedHint } from '../../../analysis/tools/tool-findings.js';
import { plural } from '../../../base/text.js';
import { terminalLine } from '../../terminal/text.js';
import type { FinishedTaskRun } from '../live/finished-task-run.js';
import type { ProgressState } from '../live/progress-state.js';
import { formatTaskRunName } from '../wording.js';

/** How many notes of one kind are shown. */
const maxNotes = 10;

/** Collects what did not decide anything, but is worth a look. */
export function collectNotes(state: ProgressState): string[] {
  const { finished } = state;
  const leftOutOfCleanup = finished.reduce((sum, run) => sum + run.cleanupLeftOut, 0);
  return [
    ...limited(flakyTasks(state)),
    ...limited(blockedCalls(finished)),
    ...limited(deniedCalls(finished)),
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

function flakyTasks(state: ProgressState): string[] {
  return state.plan.tasks.flatMap(({ name }) => {
    const runs = state.finishedRunsOf(name).filter(({ outcome }) => outcome !== 'cancelled');
    const passed = runs.filter(({ outcome }) => outcome === 'passed').length;
    if (passed === 0 || passed === runs.length) return [];
    return [`flaky: ${terminalLine(name)} passed ${passed} of ${plural(runs.length, 'run')}`];
  });
}

function blockedCalls(finished: readonly FinishedTaskRun[]): string[] {
  const all = new BlockedCalls();
  for (const { blocked } of finished) for (const tool of blocked) all.add(tool);
  return describeBlockedCalls(all.tools).map(terminalLine);
}

function deniedCalls(finished: readonly FinishedTaskRun[]): string[] {
  const all = new DeniedCalls();
  for (const { denied } of finished) for (const tool of denied) all.add(tool);
  return describeDeniedCalls(all.tools).map(terminalLine);
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
