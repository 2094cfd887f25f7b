import { closeSync, openSync, readSync } from 'node:fs';
import { findProgram, isBourneShell } from '../base/processes/find-program.js';

/** How a script is started. */
export interface ScriptCommand {
  program: string;
  args: string[];
}

/**
 * As the system would, if the script were executable: by the interpreter of its first line. Without
 * one, a text is for bash, or sh where there is none, and a program is a program. Tasks in the formats of
 * gevals and mcpchecker were written for the login shell, so they get it.
 */
export async function scriptCommand(
  path: string,
  environment: NodeJS.ProcessEnv,
  usesLoginShell: boolean,
): Promise<ScriptCommand> {
  const head = firstBytes(path);
  const line = /^#!([^\n\r]*)/.exec(head.toString('utf8'))?.[1]?.trim();
  if (line) {
    // All that follows the interpreter is one argument, whatever spaces are in it.
    const [, interpreter = line, argument = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
    return { program: interpreter, args: [...(argument === '' ? [] : [argument]), path] };
  }
  if (head.includes(0)) return { program: path, args: [] };
  const { SHELL } = environment;
  const program = usesLoginShell && SHELL ? scriptShell(SHELL) : await bashOrSh(environment);
  return { program, args: [path] };
}

/** A shell that runs nothing, or something else, would look like a script that fails, or passes. */
function scriptShell(shell: string): string {
  if (isBourneShell(shell)) return shell;
  throw new Error(
    `the shell ${JSON.stringify(shell)} (SHELL) cannot run the script: tasks of this apiVersion run in $SHELL; set SHELL to bash or sh`,
  );
}

/** Values of PATH with a bash: each step would look through all of its folders. */
const pathsWithBash = new Set<string | undefined>();

async function bashOrSh(environment: NodeJS.ProcessEnv): Promise<string> {
  const { PATH } = environment;
  if (!pathsWithBash.has(PATH) && (await findProgram('bash', environment)) === undefined)
    return 'sh';
  pathsWithBash.add(PATH);
  return 'bash';
}

function firstBytes(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(512);
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}
