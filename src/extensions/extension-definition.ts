import path from 'node:path';
import { type Environment, variable } from '../config/environment-expansion.js';
import type { EvalFile } from '../config/eval-file.js';
import { replacePlaceholders } from '../config/placeholders.js';
import { resolveStrings } from '../steps/placeholder-values.js';
import { expandHome } from './package/cache-folder.js';

/** An extension as the eval defines it, with every placeholder replaced. */
export interface ExtensionDefinition {
  /** Its name in the eval. */
  name: string;
  /** As written: a path, or `https://github.com/org/repo@version`. */
  package: string;
  config: Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string>>;
  /** Folder of the eval: relative paths start here, and the lock file lies here. */
  folder: string;
}

/** What an extension says it can do. */
export interface ExtensionManifest {
  name: string;
  version: string;
  protocolVersion: string;
  description?: string;
  operations: ReadonlyMap<string, ExtensionOperation>;
}

export interface ExtensionOperation {
  description?: string;
  /** JSON Schema of the arguments; none: they are not checked. */
  params?: unknown;
}

/** Something that keeps an extension from being used. */
export class ExtensionError extends Error {
  /** The end of its log, and what else helps. */
  readonly details: string | undefined;
  /** What can be done about it. */
  readonly hint: string | undefined;

  constructor(message: string, more: { details?: string; hint?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? {} : { cause: more.cause });
    this.name = 'ExtensionError';
    this.details = more.details;
    this.hint = more.hint;
  }
}

/** Those of an eval's extensions that are needed, ready to be started. Throws ExtensionError. */
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
        // Before anything is put in: what a variable holds was not written as a path.
        config: resolveStrings(config, (text) => expand(expandHome(text, environment))),
        env: resolveStrings(env, expand),
        folder,
      };
    });
}

function expandVariables(text: string, extension: string, environment: Environment): string {
  return replacePlaceholders(text, ({ family, name }) => {
    if (family !== 'env') return undefined;
    const value = variable(environment, name);
    if (value !== undefined) return value;
    throw new ExtensionError(
      `the extension ${extension} needs the environment variable ${name}, which is not set`,
    );
  });
}
