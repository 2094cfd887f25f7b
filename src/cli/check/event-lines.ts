import { formatShortDuration } from '../../analysis/figure-text.js';
import type { RawJson } from '../../base/json-text.js';
import { plural } from '../../base/text.js';
import type { JournalEvent } from '../../journal/event.js';
import type { ServerChecked } from '../../journal/run-events.js';
import { renderWarning } from '../render-call.js';
import type { Style } from '../terminal/output.js';
import { terminalLine } from '../terminal/text.js';
import type { Redact } from './plan-summary.js';
import type { ProgressState } from './progress-state.js';

/** What is told at once on every kind of output, or nothing. */
export function eventLine(
  event: JournalEvent,
  state: ProgressState,
  style: Style,
  redact: Redact,
): string | undefined {
  switch (event.type) {
    case 'server-checked':
      return serverLine(event, style);
    case 'run-resumed':
      return `going on: ${plural(event.missing, 'task run')} of ${state.plan.taskRuns} to do`;
    case 'warning':
      // The others of its kind are counted at the end.
      return state.warnings.countOf(event) === 1 ? renderWarning(event, style, redact) : undefined;
    default:
      return undefined;
  }
}

function serverLine(event: ServerChecked, style: Style): string {
  const tools = countOf(event.tools);
  const allowed = event.allowedTools.length;
  const offers = [
    plural(tools, 'tool') + (allowed < tools ? ` (${allowed} allowed)` : ''),
    ...[
      plural(countOf(event.resources) + countOf(event.resourceTemplates), 'resource'),
      plural(countOf(event.prompts), 'prompt'),
    ].filter((text) => !text.startsWith('0 ')),
  ];
  const time = style('dim', formatShortDuration(event.durationMs));
  const of = event.mcpConfigFile === undefined ? '' : ` (${terminalLine(event.mcpConfigFile)})`;
  return `server ${style('bold', terminalLine(event.server))}${of}: ${offers.join(', ')}  ${time}`;
}

function countOf(list: RawJson): number {
  const { value } = list;
  return Array.isArray(value) ? value.length : 0;
}
