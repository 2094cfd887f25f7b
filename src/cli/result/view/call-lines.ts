import { shortDuration } from '../../../analysis/amount-text.js';
import type { CallEntry, OwnCallEntry } from '../../../analysis/story/story-entry.js';
import { cleanLine, cutToWidth } from '../../check/live/terminal-line.js';
import { type CallOutcome, callColors, outcomeOfCall } from '../../render-call.js';
import { argumentText, errorText, resultText } from './call-text.js';
import type { Look } from './look.js';
import { quotedLines, textWidth, timelineLine } from './timeline-line.js';

/** A call of a server: what, how it went, with which arguments, and what came back. */
export function callLines({ call, startMs }: CallEntry, look: Look): string[] {
  const outcome = outcomeOfCall(call);
  const duration = call.durationMs === null ? '' : `  ${shortDuration(call.durationMs)}`;
  const name =
    call.kind === 'tool'
      ? `${call.server}.${call.name}`
      : `${call.server} ${call.kind} ${call.name}`;
  const head = headLine(name, outcome, `#${call.call}${duration}`, look);
  const failed = call.isError || call.blocked;
  return [
    timelineLine({ startMs, label: 'calls' }, head, look, 'cyan'),
    ...quotedLines(argumentText(call.args, textWidth(look)), look),
    ...quotedLines(doubtOf(outcome, call.malformed), look, { format: callColors[outcome] }),
    ...(failed
      ? quotedLines(errorText(call), look, {
          format: 'red',
          mark: '! ',
          maxLines: look.maxLines * 2,
        })
      : quotedLines(resultText(call), look, { format: 'dim', mark: '| ' })),
  ];
}

/** What is wrong with an answer, where it does not say so itself. */
function doubtOf(outcome: CallOutcome, malformed: string | undefined): string {
  if (outcome === 'malformed') return `malformed: ${malformed}`;
  return outcome === 'suspect' ? 'looks like an error, and is not marked isError' : '';
}

/** A tool of the agent's own, by its own account. */
export function ownCallLines({ tool, args, result }: OwnCallEntry, look: Look): string[] {
  const head = headLine(tool, result?.isError ? 'error' : undefined, '', look);
  return [
    timelineLine({ label: 'uses' }, head, look, 'cyan'),
    ...quotedLines(argumentText(args, textWidth(look)), look),
    ...(result?.isError
      ? quotedLines(result.text, look, { format: 'red', mark: '! ' })
      : quotedLines(result?.text ?? '', look, { format: 'dim', mark: '| ' })),
  ];
}

/** The name is cut so that the rest is seen. */
function headLine(
  name: string,
  outcome: CallOutcome | undefined,
  more: string,
  look: Look,
): string {
  const { style, signs } = look;
  const rest = [outcome ?? '', more].filter((text) => text !== '').map((text) => `  ${text}`);
  const room = textWidth(look) - rest.join('').length;
  const shown = style('bold', cutToWidth(cleanLine(name), room, signs.cut));
  const how = outcome === undefined ? '' : `  ${style(callColors[outcome], outcome)}`;
  return `${shown}${how}${more === '' ? '' : `  ${style('dim', more)}`}`;
}
