import { sep } from 'node:path';

/** What to type to run Proctor again: npm leaves no `proctor` where a shell would find it. */
export function shownProgram(
  environment: Readonly<Record<string, string | undefined>>,
  program = '',
): string {
  if (environment.npm_command === undefined) return 'proctor';
  const isInstalled = !program.includes(`${sep}_npx${sep}`);
  return isInstalled ? 'npx proctor' : 'npx mcp-proctor';
}
