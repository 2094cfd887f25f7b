import path from 'node:path';
import type { EvalFile } from '../config/files/eval-file.js';
import { type Environment, getVariable } from '../config/placeholders/environment-variables.js';
import { replacePlaceholders } from '../config/placeholders/placeholders.js';
import { resolvedStrings } from '../steps/resolved-strings.js';
import { type ExtensionDefinition, ExtensionError } from './extension-definition.js';
import { withHome } from './package/home-folder.js';

/** Those of an eval's extensions that are needed, ready to be started. Throws ExtensionError. */
export function extensionDefinitions(
  { source, data }: EvalFile,
  environment: Environment,
  needed: readonly string[],
): ExtensionDefinition[] {
  const folder = path.dirname(source.path);
  return Object.entries(data.config.extensions ?? {})
    .filter(([name]) => needed.includes(name))
    .map(([name, { package: source, config = {}, env = {} }]) => {
      const expand = (text: string) => expanded(text, name, environment);
      return {
        name,
        package: source,
        // Before anything is put in: what a variable holds was not written as a path.
        config: resolvedStrings(config, (text) => expand(withHome(text, environment))),
        env: resolvedStrings(env, expand),
        folder,
      };
    });
}

function expanded(text: string, extension: string, environment: Environment): string {
  return replacePlaceholders(text, ({ family, name }) => {
    if (family !== 'env') return undefined;
    const value = getVariable(environment, name);
    if (value !== undefined) return value;
    throw new ExtensionError(
      `the extension ${extension} needs the environment variable ${name}, which is not set`,
    );
  });
}
