import {
  type Environment,
  findStrings,
  getVariable,
} from '../../config/placeholders/environment-variables.js';
import { findPlaceholders } from '../../config/placeholders/placeholders.js';
import type { Problems } from '../../config/problems/problem.js';
import type { Suite } from '../suite.js';

/** `{env.X}` in an extension's settings is expanded too. */
export function checkExtensionVariables(
  { eval: { source, data } }: Suite,
  environment: Environment,
  problems: Problems,
): void {
  for (const [name, { config, env }] of Object.entries(data.config.extensions ?? {})) {
    const at = ['config', 'extensions', name];
    for (const { path, text } of findStrings('{env.', { config, env }, at)) {
      for (const found of findPlaceholders(text)) {
        if (found.family !== 'env' || getVariable(environment, found.name) !== undefined) continue;
        const message = `the environment variable ${found.name} is not set`;
        problems.atPart(source, path, found, 'unset-variable', message);
      }
    }
  }
}
