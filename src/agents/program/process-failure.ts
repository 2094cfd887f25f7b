import { describeEnd, type ProcessEnd } from '../../base/processes/process-group.js';
import type { AgentFailure } from '../agent.js';

/** What went wrong with a program that ended, if anything; the end of its log tells more. */
export function failureOf(name: string, end: ProcessEnd, log: string): AgentFailure | undefined {
  if (end.code === 0) return undefined;
  const details = log === '' ? {} : { details: log };
  if (end.error) return { code: 'not-started', message: `${name} ${describeEnd(end)}`, ...details };
  return {
    code: 'failed',
    message: `${name} ${describeEnd(end)}${reasonOf(end.code)}`,
    ...details,
  };
}

/** What shells mean by a code. */
function reasonOf(code: number | null): string {
  if (code === 126) return ': a program of its command line could not be executed';
  if (code === 127) return ': a program of its command line was not found';
  if (code !== null && code > 128 && code < 160) {
    return `: a program of its command line was probably ended by signal ${code - 128}`;
  }
  return '';
}
