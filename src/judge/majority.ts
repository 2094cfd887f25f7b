import type { Judgement, Vote } from '../journal/step-events.js';

type Decision = Pick<Judgement, 'passed' | 'reason' | 'failureCategory'>;

/** What more than half of all votes say: those that were asked for, not those that came. */
export function majorityOf(votes: readonly Vote[]): Decision {
  for (const side of [true, false]) {
    const saySo = votes.filter(({ passed }) => passed === side);
    const [first] = saySo;
    if (!first || saySo.length * 2 <= votes.length) continue;
    const { reason = '', failureCategory = 'n/a' } = first;
    return { passed: side, reason, failureCategory };
  }
  return noVerdict(withoutMajority(votes));
}

export function noVerdict(reason: string): Decision {
  return { passed: null, reason, failureCategory: 'n/a' };
}

function withoutMajority(votes: readonly Vote[]): string {
  const silent = votes.filter(({ passed }) => passed === null);
  const [{ error = '' } = {}] = silent;
  if (silent.length === votes.length) return error;
  const passed = votes.filter((vote) => vote.passed === true).length;
  const failed = votes.length - silent.length - passed;
  const none = silent.length === 0 ? '' : `, ${silent.length} gave no verdict (${error})`;
  return `the votes are split: ${passed} passed, ${failed} failed${none}`;
}
