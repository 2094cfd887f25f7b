import { callsText, dollars, shortDuration, shortNumber } from '../../../analysis/amount-text.js';
import { taskInWords } from '../../../events/task-run-key.js';
import type { TaskRunSoFar } from '../../../results/task-run-record.js';
import { cleanLine } from '../../check/live/terminal-line.js';
import { describeOutcome, recorded, underWay } from '../../check/wording.js';
import { foldedText } from './folded-text.js';
import type { Look } from './look.js';

export interface ShownWith {
  /** Where it is from, if that has to be said. */
  file?: string | undefined;
  /** It is a session of a recording. */
  isRecorded?: boolean;
}

/** What somebody wants to know first: which one, how it ended and why, what it took. */
export function headLines(
  taskRun: TaskRunSoFar,
  { file, isRecorded }: ShownWith,
  look: Look,
): string[] {
  const { style, width, signs } = look;
  const { run, runs, outcome, failure, attempt, worker, prompt, labels } = taskRun;
  const { word, format, sign } =
    outcome === null ? (isRecorded ? recorded : underWay) : describeOutcome(outcome, false);
  const which = [
    runs > 1 ? `run ${run} of ${runs}` : '',
    attempt > 1 ? `attempt ${attempt}` : '',
    worker === undefined ? '' : `on ${worker}`,
    isRecorded ? (labels.client ?? '') : '',
  ];
  const about = [...which, file ?? ''].filter((text) => text !== '').map(cleanLine);
  const name = `${style(format, signs[sign])} ${style('bold', cleanLine(taskInWords(taskRun)))}`;
  const folded = (text: string, maxLines: number) =>
    foldedText(text, { width: width - indent.length, maxLines });
  return [
    [name, style(format, word), ...about.map((text) => style('dim', text))].join('  '),
    ...(failure
      ? folded(`${failure.category}: ${failure.message}`, maxFailure).map((line) =>
          style('red', line),
        )
      : []),
    style('dim', amountsOf(taskRun)),
    ...folded(prompt === null ? '' : `asked: ${prompt}`, look.maxLines),
  ].map((line, index) => (index === 0 ? line : `${indent}${line}`));
}

const indent = '  ';
const maxFailure = 10;

function amountsOf({ durationMs, waitedMs, callCounts, usage, cost }: TaskRunSoFar): string {
  const { tool, resource, prompt, errors, suspected = 0 } = callCounts;
  const waited = waitedMs === undefined ? '' : ` (waited ${shortDuration(waitedMs)})`;
  return [
    ...(durationMs === null ? [] : [`${shortDuration(durationMs)}${waited}`]),
    callsText(tool + resource + prompt, errors, suspected),
    ...(usage
      ? [`${shortNumber(usage.inputTokens)} tokens in`, `${shortNumber(usage.outputTokens)} out`]
      : []),
    ...(cost === null ? [] : [dollars(cost)]),
  ].join(', ');
}
