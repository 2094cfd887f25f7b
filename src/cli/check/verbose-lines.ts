import { formatShortDuration } from '../../analysis/figure-text.js';
import type { JournalEvent } from '../../journal/event.js';
import { isRefusedProbe, renderCall } from '../render-call.js';
import type { Style } from '../terminal/output.js';
import { terminalLine } from '../terminal/text.js';
import { taskRunName } from './outcome-text.js';
import type { Redact } from './plan-summary.js';
import type { ProgressState } from './progress-state.js';
import { verboseStep } from './verbose-step.js';
import { waitText } from './wait-text.js';

/** The journal has the rest. */
const maxLines = 40;
const maxLine = 2000;

/** With --verbose: what agents say, every call and every step, as they happen. */
export function verboseLines(
  event: JournalEvent,
  state: ProgressState,
  style: Style,
  redact: Redact,
): string[] {
  const running = 'taskRun' in event ? state.running.get(event.taskRun ?? '') : undefined;
  const name = running ? taskRunName(running) : '';
  const line = (text: string) => `${style('dim', name === '' ? '' : `${name}  `)}${text}`;
  switch (event.type) {
    case 'task-run-started':
      return [line(`started${running?.worker ? ` on ${terminalLine(running.worker)}` : ''}`)];
    case 'phase-started':
      return [line(`${style('cyan', event.phase)} starts`)];
    case 'wait-started':
      return [line(style('dim', `waits for ${terminalLine(redact(waitText(event)))}`))];
    case 'wait-ended':
      return [line(style('dim', `goes on after ${formatShortDuration(event.durationMs)}`))];
    case 'step-ended':
      return verboseStep(event, style, redact).map(line);
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
  const shown = lines.slice(0, maxLines).map((each) => terminalLine(each.slice(0, maxLine)));
  const more = lines.length - shown.length;
  if (more > 0) shown.push(`(${more} more lines are in the journal)`);
  return kind === 'message'
    ? shown.map((each) => `> ${each}`)
    : shown.map((each) => style('dim', `  ${each}`));
}
