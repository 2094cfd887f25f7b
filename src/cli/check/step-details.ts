import type { StepAccount, StepEnded, Vote } from '../../journal/step-events.js';

/** What there is to say of a step that did not pass, beyond its message. */
export function stepDetails({ message = '', unmet = [], judgement, ...step }: StepEnded): string[] {
  const votes = judgement?.votes ?? [];
  return [
    ...exchangeText(step),
    ...unmet.filter((each) => !message.includes(each)),
    // A single vote is what the message tells.
    ...(votes.length > 1 ? votes.map(voteText) : []),
  ];
}

/** Of `http`: `GET http://localhost/orders: 500`. */
export function exchangeText({ request, response }: StepAccount): string[] {
  if (!request) return [];
  return [`${request.method} ${request.url}: ${response?.status ?? 'no answer'}`];
}

/** What an extension logged, line by line as a log has it. */
export function logText({ log = [] }: StepAccount): string {
  return log.map(({ level, message }) => `${level}: ${message.trimEnd()}`).join('\n');
}

function voteText({ passed, reason = '', error = '' }: Vote, index: number): string {
  const verdict = passed === null ? `no verdict: ${error}` : passed ? 'passed' : 'failed';
  return `vote ${index + 1}: ${verdict}${reason === '' ? '' : `: ${reason}`}`;
}
