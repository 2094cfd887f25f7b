import { NotStarted } from '../program/not-started.js';

/** One argument of a program may not be longer on Linux. */
const maxCommandBytes = 128 * 1024 - 1;

/** Throws NotStarted. */
export function checkLength(command: string): void {
  const bytes = Buffer.byteLength(command);
  if (bytes <= maxCommandBytes) return;
  throw new NotStarted(
    `the command line would be ${bytes} bytes long, and the system takes ${maxCommandBytes}`,
    'Let the command read the prompt from the file that PROCTOR_PROMPT_FILE names, or allow fewer tools.',
  );
}
