import { type Environment, stringsWith, variable } from './environment-expansion.js';
import { findPlaceholders, replacePlaceholders } from './placeholders.js';
import type { DataPath } from './source-file.js';

/** Every `{env.NAME}` in a value, with where it stands and what the variable holds. */
export function variablesIn(
  value: unknown,
  environment: Environment,
): { name: string; value: string | undefined; path: DataPath }[] {
  return stringsWith('{env.', value, []).flatMap(({ path, text }) =>
    findPlaceholders(text)
      .filter(({ family }) => family === 'env')
      .map(({ name }) => ({ name, value: variable(environment, name), path })),
  );
}

/** The text with every `{env.NAME}` replaced; one that is not set, and other placeholders, stay. */
export function withVariables(text: string, environment: Environment): string {
  return replacePlaceholders(text, ({ family, name }) =>
    family === 'env' ? variable(environment, name) : undefined,
  );
}
