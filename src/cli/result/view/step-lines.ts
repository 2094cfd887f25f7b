import { shortDuration } from '../../../analysis/amount-text.js';
import type { JudgementEntry, StepEntry } from '../../../analysis/story/story-entry.js';
import type { StepRecord } from '../../../results/task-run-record.js';
import { cleanLine } from '../../check/live/terminal-line.js';
import { formatStepName } from '../../check/wording.js';
import { argumentText } from './call-text.js';
import type { Look } from './look.js';
import { labelledLines, quotedLines, textWidth, timelineLine } from './timeline-line.js';

/** Outputs that say why, in the order in which people look. */
const telling = ['stdout', 'stderr', 'body', 'content'];

/** A step of setup, verify or cleanup; of one that did not pass everything that says why. */
export function stepLines({ step }: StepEntry, look: Look): string[] {
  const { style, signs } = look;
  const { passed, outcome, durationMs, at } = step;
  const head = [
    style(passed ? 'green' : 'red', passed ? signs.passed : signs.failed),
    style('bold', cleanLine(formatStepName(nameOf(step)))),
    ...(passed ? [] : [style('red', outcome)]),
    ...(durationMs === null ? [] : [style('dim', shortDuration(durationMs))]),
    ...(at ? [style('dim', cleanLine(`${at.file}:${at.line}`))] : []),
  ].join('  ');
  return [
    timelineLine({ label: `step ${step.step}` }, head, look),
    // What a judge said comes as an entry of its own.
    ...(step.judgement
      ? []
      : quotedLines(step.message ?? '', look, passed ? {} : { format: 'red' })),
    ...scriptLines(step, look),
    ...quotedLines(exchangeOf(step), look, { format: 'dim' }),
    ...(passed ? [] : whyNot(step, look)),
  ];
}

function nameOf({ kind, id }: StepRecord) {
  return { kind, ...(id !== undefined && { id }) };
}

/** What was run: of a step that passed, the first line will do. */
function scriptLines({ script, passed }: StepRecord, look: Look): string[] {
  if (!script) return [];
  const { file, text } = script;
  const quote = { format: 'dim', mark: '$ ', ...(passed && { maxLines: 1 }) } as const;
  return [
    ...quotedLines(file === undefined ? '' : `${file}:`, look),
    ...quotedLines(text.trimEnd(), look, quote),
  ];
}

function exchangeOf({ request, response }: StepRecord): string {
  if (!request) return '';
  return `${request.method} ${request.url}: ${response?.status ?? 'no answer'}`;
}

function whyNot(step: StepRecord, look: Look): string[] {
  const { args, unmet = [], log = [], outputs, message = '' } = step;
  const expectations = unmet.filter((each) => !message.includes(each)).map((each) => `- ${each}`);
  const logged = log.map((line) => `${line.level}: ${line.message.trimEnd()}`);
  return [
    ...quotedLines(argumentText(args, textWidth(look)), look),
    ...quotedLines(expectations.join('\n'), look, { format: 'red' }),
    ...telling.flatMap((name) => {
      const text = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
      return outputLines(name, text ?? '', look);
    }),
    ...outputLines('log', logged.join('\n'), look),
  ];
}

function outputLines(name: string, text: string, look: Look): string[] {
  const lines = quotedLines(text, look, { format: 'dim', mark: '| ', keep: 'end' });
  return lines.length === 0 ? [] : [...quotedLines(`${name}:`, look), ...lines];
}

export function judgementLines({ judgement }: JudgementEntry, look: Look): string[] {
  const { passed, reason, failureCategory, model, mode, reference, votes } = judgement;
  const verdict = passed === null ? 'no verdict' : passed ? 'passed' : 'failed';
  const category = passed === false && failureCategory !== 'n/a' ? ` (${failureCategory})` : '';
  const asked =
    votes.length > 1
      ? `, ${votes.filter((vote) => vote.passed).length} of ${votes.length} votes for it`
      : '';
  const head = `${look.style(passed ? 'green' : 'red', `${verdict}${category}`)}${asked}`;
  const judge = model === undefined ? '' : `  ${look.style('dim', cleanLine(model))}`;
  return [
    timelineLine({ label: 'judge' }, `${head}${judge}`, look),
    ...quotedLines(reason, look, { mark: '| ' }),
    ...(passed ? [] : quotedLines(`expected (${mode}): ${reference}`, look, { format: 'dim' })),
  ];
}

export function warningLines(message: string, details: string, look: Look): string[] {
  return [
    ...labelledLines('warning', message, look, { format: 'yellow' }),
    ...quotedLines(details, look, { format: 'dim', mark: '| ', keep: 'end' }),
  ];
}
