import { type Environment, stringsWith } from './environment-expansion.js';
import { withVariables } from './environment-placeholders.js';
import { findPlaceholders } from './placeholders.js';
import type { Secrets } from './secrets.js';
import { addVariable } from './secrets-of-environment.js';
import type { DataPath } from './source-file.js';

/** The variables that something is started with, as far as they are known before. */
export function addEnv(
  secrets: Secrets,
  env: Readonly<Record<string, string>>,
  environment: Environment,
): void {
  for (const [name, text] of Object.entries(env)) addNamed(secrets, name, text, environment);
}

/** What stands, however deep, under a key that sounds like a secret. */
export function addSettings(secrets: Secrets, settings: unknown, environment: Environment): void {
  for (const { path, text } of stringsWith('', settings, [])) {
    addNamed(secrets, nameOf(path), text, environment);
  }
}

/**
 * What a step sends under a key that sounds like a secret. `key` alone does not: what is sent under it is
 * mostly the name of something, which results are about.
 */
export function addSent(secrets: Secrets, sent: unknown, environment: Environment): void {
  for (const { path, text } of stringsWith('', sent, [])) {
    const name = nameOf(path);
    if (!/^keys?$/i.test(name)) addNamed(secrets, name, text, environment);
  }
}

/** The innermost key: items of a list are called as the list is. */
function nameOf(path: DataPath): string {
  return String(path.findLast((each) => typeof each === 'string') ?? '');
}

function addNamed(secrets: Secrets, name: string, text: string, environment: Environment): void {
  const value = withVariables(text, environment);
  // What a step before it gives is not known yet.
  if (findPlaceholders(value).every(({ family }) => family === 'env')) {
    addVariable(secrets, name, value);
  }
}
