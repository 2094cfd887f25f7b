import { formatShortDuration } from '../../../analysis/figure-text.js';
import type { JournalEvent } from '../../../journal/event.js';
import type { StepEnded } from '../../../journal/step-events.js';
import { isRefusedProbe, renderCall } from '../../render-call.js';
import type { Style } from '../../terminal/output.js';
import { terminalLine } from '../../terminal/text.js';
import {
  describeWait,
  formatStepName,
  formatTaskRunName,
  joinLines,
  takeLastLines,
} from '../wording.js';
import type { Redact } from './plan-summary.js';
import type { ProgressState } from './progress-state.js';
import { exchangeText, logText, shortArgs } from './task-run-evidence.js';

/** The journal has the rest. */
const maxLines = 40;
const maxLine = 2000;

/** With --verbose: what agents say, every call and every step, as they happen. */
export function formatVerbose(
  event: JournalEvent,
  state: ProgressState,
  style: Style,
  redact: Redact,
): string[] {
  const running = 'taskRun' in event ? state.running.get(event.taskRun ?? '') : undefined;
  const name = running ? formatTaskRunName(running) : '';
  const line = (text: string) => `${style('dim', name === '' ? '' : `${name}  `)}${text}`;
  switch (event.type) {
    case 'task-run-started':
      return [line(`started${running?.worker ? ` on ${terminalLine(running.worker)}` : ''}`)];
    case 'phase-started':
      return [line(`${style('cyan', event.phase)} starts`)];
    case 'wait-started':
      return [line(style('dim', `waits for ${terminalLine(redact(describeWait(event)))}`))];
    case 'wait-ended':
      return [line(style('dim', `continues after ${formatShortDuration(event.durationMs)}`))];
    case 'step-ended':
      return formatVerboseStep(event, style, redact).map(line);
    case 'mcp-call': {
      if (isRefusedProbe(event)) return [];
      return [line(`${renderCall(event, 0, style, redact)}${markOf(event, style)}`)];
    }
    case 'agent-output':
      return agentLines(event, style, redact).map(line);
    case 'assertion-checked':
      return [line(`${terminalLine(event.name)} ${event.passed ? 'holds' : 'does not hold'}`)];
    default:
      return [];
  }
}

/** Its number, as everywhere else; a call of a step is not to be taken for the agent's. */
function markOf({ by, call }: Extract<JournalEvent, { type: 'mcp-call' }>, style: Style): string {
  const mark = by === 'harness' ? '(step)' : call !== undefined && `#${call}`;
  return mark ? `  ${style('dim', mark)}` : '';
}

function agentLines(
  { kind, text = '', tool = '' }: Extract<JournalEvent, { type: 'agent-output' }>,
  style: Style,
  redact: Redact,
): string[] {
  if (kind === 'tool-call') return [style('dim', `uses ${terminalLine(redact(tool))}`)];
  // The record of the calls shows results in a better way.
  if (kind === 'tool-result') return [];
  const lines = redact(text).trim().split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  const shown = lines.slice(0, maxLines).map((text) => terminalLine(text.slice(0, maxLine)));
  const more = lines.length - shown.length;
  if (more > 0) shown.push(`(${more} more lines are in the journal)`);
  return kind === 'message'
    ? shown.map((text) => `> ${text}`)
    : shown.map((text) => style('dim', `  ${text}`));
}

/** How a step went and what it did, whether it passed or not. */
function formatVerboseStep(step: StepEnded, style: Style, redact: Redact): string[] {
  const { phase, outcome, durationMs, message = '' } = step;
  const shown = (text: string) => terminalLine(joinLines(redact(text)));
  const why = message === '' ? '' : `: ${shown(message)}`;
  const what = `${phase} step ${step.step} (${shown(formatStepName(step))})`;
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
  return [terminalLine(joinLines(`$ ${parts.filter((part) => part !== '').join(': ')}`))];
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
  const { lines, leftOut } = takeLastLines(text);
  return [
    ...(leftOut > 0 ? [`  (${leftOut} more lines of the log are in the journal)`] : []),
    ...lines.map((line) => `${style('dim', '  |')} ${terminalLine(line)}`),
  ];
}
