import { closeSync, openSync, readSync } from 'node:fs';

/** How a script is started. */
export interface ScriptCommand {
  program: string;
  args: string[];
}

/**
 * As the system would, if the script were executable: by the interpreter of its first line. Without
 * one, a text is for the shell, and a program is a program.
 */
export function scriptCommand(path: string, environment: NodeJS.ProcessEnv): ScriptCommand {
  const head = firstBytes(path);
  const line = /^#!([^\n\r]*)/.exec(head.toString('utf8'))?.[1]?.trim();
  if (line) {
    // All that follows the interpreter is one argument, whatever spaces are in it.
    const [, interpreter = line, argument = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
    return { program: interpreter, args: [...(argument === '' ? [] : [argument]), path] };
  }
  if (head.includes(0)) return { program: path, args: [] };
  return { program: environment.SHELL || 'bash', args: [path] };
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
