import type { Environment } from './environment-expansion.js';
import { variablesIn, withVariables } from './environment-placeholders.js';
import { findPlaceholders, withoutPlaceholders } from './placeholders.js';
import { soundsSecret } from './secret-names.js';
import type { Secrets } from './secrets.js';
import { addEnv, addSent } from './secrets-of-env.js';
import { addScript } from './secrets-of-environment.js';
import { addHeaders, addPartsOfUrl } from './secrets-of-requests.js';
import type { TaskStep } from './task-steps.js';

/** The secrets of the steps of tasks, as far as they are known before they run. */
export function addSteps(
  secrets: Secrets,
  steps: readonly TaskStep[],
  environment: Environment,
): void {
  for (const { type, data } of steps) {
    for (const { name, value, path } of variablesIn(data, environment)) {
      const isHeader = type === 'http' && path[0] === 'headers';
      // Elsewhere most variables are ports and folders.
      if (isHeader || soundsSecret(name)) secrets.add(name, value);
    }
    if (type === 'http') addRequest(secrets, data as HttpStep, environment);
    else if (type !== 'script') addSent(secrets, data, environment);
    else {
      const { inline = '', env = {} } = data as ScriptStep;
      addEnv(secrets, env, environment);
      addScript(secrets, inline);
    }
  }
}

interface HttpStep {
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
}

interface ScriptStep {
  inline?: string;
  env?: Record<string, string>;
}

function addRequest(secrets: Secrets, step: HttpStep, environment: Environment) {
  const { url, headers = {}, body } = step;
  const complete = Object.entries(headers).flatMap(([name, text]) => {
    const value = withVariables(text, environment);
    // What a step before it gives is not known yet.
    return findPlaceholders(value).length > 0 ? [] : [[name, value]];
  });
  addHeaders(secrets, Object.fromEntries(complete), (name, value) => headers[name] === value);
  addPartsOfUrl(secrets, withoutPlaceholders(withVariables(url, environment)));
  addSent(secrets, body, environment);
}
