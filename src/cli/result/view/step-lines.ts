import { formatShortDuration } from '../../../analysis/figure-text.js';
import type { JudgementEntry, StepEntry } from '../../../analysis/story/story-entry.js';
import type { StepRecord } from '../../../results/task-run-record.js';
import { cleanLine } from '../../check/live/terminal-line.js';
import { formatStepName } from '../../check/wording.js';
import { formatArguments } from './call-lines.js';
import { getTextWidth, renderLabelled, renderQuoted, renderTimelineLine } from './timeline.js';
import type { Look } from './view-options.js';

/** Outputs that say why, in the order in which people look. */
const outputMembers = ['stdout', 'stderr', 'body', 'content'];

/** A step of setup, verify or cleanup; of one that did not pass everything that says why. */
export function renderStepLines({ step }: StepEntry, look: Look): string[] {
  const { style, signs } = look;
  const { passed, outcome, durationMs, at } = step;
  const head = [
    style(passed ? 'green' : 'red', passed ? signs.passed : signs.failed),
    style('bold', cleanLine(formatStepName(pickName(step)))),
    ...(passed ? [] : [style('red', outcome)]),
    ...(durationMs === null ? [] : [style('dim', formatShortDuration(durationMs))]),
    ...(at ? [style('dim', cleanLine(`${at.file}:${at.line}`))] : []),
  ].join('  ');
  return [
    renderTimelineLine({ label: `step ${step.step}` }, head, look),
    // What a judge said comes as an entry of its own.
    ...(step.judgement
      ? []
      : renderQuoted(step.message ?? '', look, passed ? {} : { format: 'red' })),
    ...renderScript(step, look),
    ...renderQuoted(getExchange(step), look, { format: 'dim' }),
    ...(passed ? [] : explainFailure(step, look)),
  ];
}

function pickName({ kind, id }: StepRecord) {
  return { kind, ...(id !== undefined && { id }) };
}

/** The script that ran; of a step that passed only its first line. */
function renderScript({ script, passed }: StepRecord, look: Look): string[] {
  if (!script) return [];
  const { file, text } = script;
  const quote = { format: 'dim', mark: '$ ', ...(passed && { maxLines: 1 }) } as const;
  return [
    ...renderQuoted(file === undefined ? '' : `${file}:`, look),
    ...renderQuoted(text.trimEnd(), look, quote),
  ];
}

function getExchange({ request, response }: StepRecord): string {
  if (!request) return '';
  return `${request.method} ${request.url}: ${response?.status ?? 'no answer'}`;
}

function explainFailure(step: StepRecord, look: Look): string[] {
  const { args, unmet = [], log = [], outputs, message = '' } = step;
  const expectations = unmet.filter((each) => !message.includes(each)).map((each) => `- ${each}`);
  const logged = log.map((line) => `${line.level}: ${line.message.trimEnd()}`);
  return [
    ...renderQuoted(formatArguments(args, getTextWidth(look)), look),
    ...renderQuoted(expectations.join('\n'), look, { format: 'red' }),
    ...outputMembers.flatMap((name) => {
      const text = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
      return renderOutput(name, text ?? '', look);
    }),
    ...renderOutput('log', logged.join('\n'), look),
  ];
}

function renderOutput(name: string, text: string, look: Look): string[] {
  const lines = renderQuoted(text, look, { format: 'dim', mark: '| ', keep: 'end' });
  return lines.length === 0 ? [] : [...renderQuoted(`${name}:`, look), ...lines];
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
    renderTimelineLine({ label: 'judge' }, `${head}${judge}`, look),
    ...renderQuoted(reason, look, { mark: '| ' }),
    ...(passed ? [] : renderQuoted(`expected (${mode}): ${reference}`, look, { format: 'dim' })),
  ];
}

export function renderWarningLines(message: string, details: string, look: Look): string[] {
  return [
    ...renderLabelled('warning', message, look, { format: 'yellow' }),
    ...renderQuoted(details, look, { format: 'dim', mark: '| ', keep: 'end' }),
  ];
}
