import type { ProblemCode } from './problem-codes.js';
import { readTextFile } from './read-text-file.js';

/** Why a script would check or do nothing; the reason goes on after its name. */
interface ScriptFlaw {
  code: ProblemCode;
  reason: string;
}

/** What is wrong with a YAML file may be right for a program. */
const fineForPrograms: ProblemCode[] = ['file-too-large', 'invalid-encoding'];

/** What is wrong with the text of a script, if anything. Only a script that verifies has to be able to fail. */
export function flawOfText(text: string, { verifies = false } = {}): ScriptFlaw | undefined {
  if (isEmptyScript(text)) return { code: 'empty-script', reason: 'is empty' };
  if (!verifies || !cannotFail(text)) return undefined;
  return { code: 'script-cannot-fail', reason: 'exits with 0 whatever happened' };
}

/** What is wrong with the file of a script, if anything. */
export function flawOfScript(
  path: string,
  options?: { verifies: boolean },
): ScriptFlaw | undefined {
  const read = readTextFile(path);
  if (read.ok) return flawOfText(read.text, options);
  return fineForPrograms.includes(read.code) ? undefined : read;
}

/** Nothing but white space and comments (a shebang looks like one). */
function isEmptyScript(text: string): boolean {
  return !/^[^\S\r\n]*[^#\s]/m.test(text);
}

/** A command that succeeds, at the end of a line. */
const success = '(?:true|:|exit 0)[ ;]*$';
const succeeds = new RegExp(`^${success}`);
const endsInSuccess = new RegExp(String.raw`(?:;|\|\||[^|]\|)\s*${success}`);
const pipesIntoSuccess = /^[^;&|]*\|\s*(?:true|:)[ ;]*$/;
/** What can end a shell script early, or change how it ends. */
const mayEnd =
  /\b(?:exit|exec|trap|kill|return|set|source|eval)\b|^\s*\.\s|:?\?[^}\s]*\}|<<|`|\\$/m;

/**
 * Whether a shell script exits with 0 whatever happened, as far as its last line shows. Scripts that
 * could end before it, or that are longer than one can see through, are taken to be in order.
 */
export function cannotFail(text: string): boolean {
  const [first = ''] = text.split('\n', 1);
  if (first.startsWith('#!') && !/\b(?:ba|da|k|z)?sh\b/.test(first)) return false;
  // As after `set -e`, any line can end it.
  const endsEarly = /^#!.*\s-\w*e/.test(first);
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const last = lines.pop() ?? '';
  if (lines.length === 0 && pipesIntoSuccess.test(last)) return true;
  if (!succeeds.test(last) && !endsInSuccess.test(last)) return false;
  const before = last.replace(new RegExp(success), '');
  // With `set -e` only a script of nothing but such commands cannot fail.
  const others = lines.filter(
    (line) => !succeeds.test(line) && !/^set -\w+( pipefail)?$/.test(line),
  );
  if (others.length === 0 && succeeds.test(last)) return true;
  return !endsEarly && ![...lines, before].some((line) => mayEnd.test(line));
}
