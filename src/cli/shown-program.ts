import { relative, sep } from 'node:path';
import { quoteForShell } from './check/wording.js';

/** What to type to run Proctor again: npm leaves no `proctor` where a shell would find it. */
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
