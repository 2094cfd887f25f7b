import { exitCodes } from '../exit-codes.js';
import type { CommandIo } from '../io.js';
import { candidatesFor } from './candidates.js';

/** Answers a shell, in the words that its script understands. */
export function complete(words: readonly string[], { stdout }: CommandIo): number {
  const { values, isFile } = candidatesFor(words);
  const lines = values.map(({ value, description }) => `${value}\t${description}\n`);
  stdout.write(lines.join('') + (isFile ? ':files\n' : ''));
  return exitCodes.ok;
}
