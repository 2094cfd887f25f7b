import { formatShortDuration } from '../../analysis/figure-text.js';
import type { StepEnded } from '../../journal/step-events.js';
import type { Style } from '../terminal/output.js';
import { terminalLine } from '../terminal/text.js';
import type { Redact } from './plan-summary.js';
import { shortArgs } from './recent-call.js';
import { exchangeText, logText } from './step-details.js';
import { stepName } from './step-name.js';
import { endOf, sentenceOf } from './text-parts.js';

/** How a step went and what it did, whether it passed or not. */
export function verboseStep(step: StepEnded, style: Style, redact: Redact): string[] {
  const { phase, outcome, durationMs, message = '' } = step;
  const shown = (text: string) => terminalLine(sentenceOf(redact(text)));
  const why = message === '' ? '' : `: ${shown(message)}`;
  const what = `${phase} step ${step.step} (${shown(stepName(step))})`;
  const args = shortArgs(step.args, redact);
  return [
    `${what} ${outcome}, ${formatShortDuration(durationMs)}${why}`,
    ...scriptText(step, redact).map((text) => `  ${text}`),
    ...(args === '' ? [] : [`  with ${terminalLine(args)}`]),
    ...exchangeText(step).map((text) => `  ${shown(text)}`),
    ...judgeText(step, redact).map((text) => `  ${shown(text)}`),
    ...logLines(step, style, redact),
  ];
}

function scriptText({ script }: StepEnded, redact: Redact): string[] {
  if (!script) return [];
  const [first = ''] = redact(script.text.trim()).split('\n', 1);
  const parts = [...(script.file === undefined ? [] : [redact(script.file)]), first];
  return [terminalLine(sentenceOf(`$ ${parts.filter((part) => part !== '').join(': ')}`))];
}

function judgeText({ judgement, message = '' }: StepEnded, redact: Redact): string[] {
  if (!judgement) return [];
  const { model } = judgement;
  const reason = redact(judgement.reason);
  const judge = model === undefined ? 'judge' : `judge ${model}`;
  // A message of a step that failed has it already.
  return [redact(message).includes(reason) ? judge : `${judge}: ${reason}`];
}

function logLines(step: StepEnded, style: Style, redact: Redact): string[] {
  const text = redact(logText(step));
  if (text === '') return [];
  const { lines, leftOut } = endOf(text);
  return [
    ...(leftOut > 0 ? [`  (${leftOut} more lines of the log are in the journal)`] : []),
    ...lines.map((line) => `${style('dim', '  |')} ${terminalLine(line)}`),
  ];
}
