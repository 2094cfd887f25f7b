import { promptVariable } from '../../config/prompt-place/prompt-reference.js';
import { NotStarted } from '../program/not-started.js';
import { writePrivateFile } from '../program/private-file.js';

/** What one variable of the environment can hold on Linux, less some room for its name. */
const maxPromptBytes = 120 * 1024;

/** Writes the prompt to its file and gives the variables through which a command finds it. */
export function deliverPrompt(
  prompt: string,
  folder: string,
  carriedByCommand: boolean,
): NodeJS.ProcessEnv {
  const obstacle = obstacleFor(prompt);
  if (obstacle !== undefined && carriedByCommand) {
    throw new NotStarted(
      `${obstacle}, so a command line cannot carry it: let the command read the file that PROCTOR_PROMPT_FILE names`,
    );
  }
  return {
    [promptVariable]: obstacle === undefined ? prompt : undefined,
    PROCTOR_PROMPT_FILE: writePrivateFile(folder, 'prompt.txt', prompt),
  };
}

function obstacleFor(prompt: string): string | undefined {
  if (prompt.includes('\0')) return 'the prompt has a NUL character in it';
  const bytes = Buffer.byteLength(prompt);
  return bytes > maxPromptBytes
    ? `the prompt is ${bytes} bytes long (at most ${maxPromptBytes})`
    : undefined;
}
