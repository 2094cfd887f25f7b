import type { StepEnded } from '../../events/event.js';
import type { Vote } from '../../events/judgement.js';

/** What there is to say of a step that did not pass, beyond its message. */
export function stepDetails({
  message = '',
  unmet = [],
  judgement,
  log = [],
}: StepEnded): string[] {
  const votes = judgement?.votes ?? [];
  return [
    ...unmet.filter((each) => !message.includes(each)),
    // A single vote is what the message tells.
    ...(votes.length > 1 ? votes.map(voteText) : []),
    ...log.map(({ level, message: text }) => `${level}: ${text}`),
  ];
}

function voteText({ passed, reason = '', error = '' }: Vote, index: number): string {
  const verdict = passed === null ? `no verdict: ${error}` : passed ? 'passed' : 'failed';
  return `vote ${index + 1}: ${verdict}${reason === '' ? '' : `: ${reason}`}`;
}
