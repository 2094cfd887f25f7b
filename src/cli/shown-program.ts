import { relative, sep } from 'node:path';
import { quoteForShell } from '../base/text.js';

/** The command that runs Proctor again: npm may leave no `proctor` on the PATH. */
export function shownProgram(
  environment: Readonly<Record<string, string | undefined>>,
  program = process.argv[1] ?? '',
): string {
  if (environment.npm_command === undefined) return 'proctor';
  if (program.includes(`${sep}_npx${sep}`)) return 'npx mcp-proctor';
  // Of a clone of its repository, npx would find nothing.
  const isInstalled = program.includes(`${sep}node_modules${sep}`);
  return isInstalled ? 'npx proctor' : `node ${quoteForShell(relative('', program))}`;
}
