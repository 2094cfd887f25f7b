import path from 'node:path';
import type { EvalFile } from '../config/files/eval-file.js';
import { type Environment, getVariable } from '../config/placeholders/environment-variables.js';
import { replacePlaceholders } from '../config/placeholders/placeholders.js';
import { resolveStrings } from '../steps/placeholder-values.js';
import { expandHome } from './package/cache-folder.js';

/** An extension as the eval defines it, with every placeholder replaced. */
export interface ExtensionDefinition {
  /** Name of the extension in the eval. */
  name: string;
  /** The package as written: a path, or `https://github.com/org/repo@version`. */
  package: string;
  config: Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string>>;
  /** Folder of the eval, which holds the lock file, and where relative paths start. */
  folder: string;
}

/** The operations of an extension, as it declares them. */
export interface ExtensionManifest {
  name: string;
  version: string;
  protocolVersion: string;
  description?: string;
  operations: ReadonlyMap<string, ExtensionOperation>;
}

export interface ExtensionOperation {
  description?: string;
  /** JSON Schema of the arguments; undefined: they are not checked. */
  params?: unknown;
}

/** Why an extension cannot be used. */
export class ExtensionError extends Error {
  /** The end of the extension's log, and other details. */
  readonly details: string | undefined;
  /** How to fix it. */
  readonly hint: string | undefined;

  constructor(message: string, more: { details?: string; hint?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'ExtensionError';
    this.details = more.details;
    this.hint = more.hint;
  }
}

/** Lists the needed extensions of an eval, ready to be started. Throws ExtensionError. */
export function listExtensionDefinitions(
  { source, data }: EvalFile,
  environment: Environment,
  needed: readonly string[],
): ExtensionDefinition[] {
  const folder = path.dirname(source.path);
  return Object.entries(data.config.extensions ?? {})
    .filter(([name]) => needed.includes(name))
    .map(([name, { package: source, config = {}, env = {} }]) => {
      const expand = (text: string) => expandVariables(text, name, environment);
      return {
        name,
        package: source,
        // Before placeholders are replaced: the value of a variable was not written as a path.
        config: resolveStrings(config, (text) => expand(expandHome(text, environment))),
        env: resolveStrings(env, expand),
        folder,
      };
    });
}

function expandVariables(text: string, extension: string, environment: Environment): string {
  return replacePlaceholders(text, ({ family, name }) => {
    if (family !== 'env') return undefined;
    const value = getVariable(environment, name);
    if (value !== undefined) return value;
    throw new ExtensionError(
      `the extension ${extension} needs the environment variable ${name}, which is not set`,
    );
  });
}
