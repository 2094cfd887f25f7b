import { UnreadableResults } from '../results-errors.js';

/** A value out of a file as JSON. Reading takes any depth, writing does not. */
export function jsonOf(path: string, value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw UnreadableResults.damaged(path, 'something in it is nested too deep to be written again');
  }
}
