import type { AssertionRecord } from '../../../results/task-run-record.js';
import { cleanLine } from '../../check/live/terminal-line.js';
import type { Look } from './look.js';
import { labelledLines, quotedLines, timelineLine } from './timeline-line.js';

/** Those that do not hold one by one, with the calls that show it; the others together. */
export function assertionLines(assertions: readonly AssertionRecord[], look: Look): string[] {
  const held = assertions.filter(({ passed }) => passed).map(({ name }) => name);
  const lines = assertions
    .filter(({ passed }) => !passed)
    .flatMap((each) => failedLines(each, look));
  if (held.length === 0) return lines;
  const names = [...new Set(held)].map((name) => {
    const count = held.filter((each) => each === name).length;
    return count > 1 ? `${name} (${count})` : name;
  });
  const text = `${held.length === 1 ? '1 assertion holds' : `${held.length} assertions hold`}: ${names.join(', ')}`;
  return [...lines, ...labelledLines(look.signs.passed, text, look, { format: 'green' })];
}

/** More would hide the rest. */
const maxCalls = 20;
const maxDetails = 20;

function failedLines({ name, reason, details, at, calls }: AssertionRecord, look: Look): string[] {
  const { style, signs } = look;
  const place = at ? `  ${style('dim', cleanLine(`${at.file}:${at.line}`))}` : '';
  const head = `${style('bold', cleanLine(name))} ${style('red', 'does not hold')}${place}`;
  const shown = details.slice(0, maxDetails).map((detail) => `- ${detail}`);
  if (details.length > maxDetails) shown.push(`- and ${details.length - maxDetails} more`);
  return [
    timelineLine({ label: signs.failed }, head, look, 'red'),
    ...quotedLines(reason, look),
    ...quotedLines(shown.join('\n'), look, { maxLines: maxDetails + 1 }),
    ...quotedLines(callsText(calls), look),
  ];
}

function callsText(calls: readonly number[]): string {
  const recorded = calls.filter((call) => call > 0);
  const own = calls.includes(0) ? "tools of the agent's own" : '';
  const numbers = recorded.slice(0, maxCalls).map((call) => `#${call}`);
  if (recorded.length > maxCalls) numbers.push(`and ${recorded.length - maxCalls} more`);
  const shown = [numbers.length > 0 ? `calls ${numbers.join(', ')}` : '', own].filter(Boolean);
  return shown.length === 0 ? '' : `see ${shown.join(' and ')}`;
}
