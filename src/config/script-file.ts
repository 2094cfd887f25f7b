import type { ProblemCode } from './problem-codes.js';
import { readTextFile } from './read-text-file.js';

/** Why a script would check or do nothing; the reason goes on after its name. */
interface ScriptFlaw {
  code: ProblemCode;
  reason: string;
}

/** What is wrong with a YAML file may be right for a program. */
const fineForPrograms: ProblemCode[] = ['file-too-large', 'invalid-encoding'];

/** What is wrong with the file of a script, if anything. */
export function flawOfScript(path: string): ScriptFlaw | undefined {
  const read = readTextFile(path);
  if (read.ok) {
    return isEmptyScript(read.text) ? { code: 'empty-script', reason: 'is empty' } : undefined;
  }
  return fineForPrograms.includes(read.code) ? undefined : read;
}

/** Nothing but white space and comments (a shebang looks like one). */
export function isEmptyScript(text: string): boolean {
  return !/^[^\S\r\n]*[^#\s]/m.test(text);
}
