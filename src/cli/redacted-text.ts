import { Redactor } from '../config/secrets/redactor.js';
import { collectSecrets } from '../config/secrets/suite-secrets.js';
import type { CommandIo } from './io.js';

type Environment = CommandIo['environment'];

let known: { environment: Environment; redactor: Redactor } | undefined;

/** Of the environment alone: suites have more secrets, and a message may be that there is no suite. */
function redactorOf(environment: Environment): Redactor {
  if (known?.environment !== environment) {
    known = { environment, redactor: new Redactor(collectSecrets({}, environment)) };
  }
  return known.redactor;
}

/**
 * A message without the secrets of the environment: messages quote what somebody typed or wrote into a
 * file, and CI keeps them in its logs.
 */
export function withoutSecrets(text: string, environment: Environment): string {
  return redactorOf(environment).text(text);
}

/** The same of JSON. */
export function jsonWithoutSecrets(json: string, environment: Environment): string {
  return redactorOf(environment).json(json);
}
