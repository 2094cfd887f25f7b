import { errorMessage } from '../../../base/errors.js';

/** What somebody else's code threw, in one line. */
export function whyOf(error: unknown): string {
  const [line = ''] = errorMessage(error).split('\n', 1);
  return line || (error instanceof Error ? error.name : 'it threw nothing');
}
