import { Redactor } from '../config/secrets/redactor.js';
import { collectSecrets } from '../config/secrets/suite-secrets.js';
import type { CommandIo } from './terminal/output.js';

type Environment = CommandIo['environment'];

let known: { environment: Environment; redactor: Redactor } | undefined;

/** Knows the environment's secrets alone: a suite has more, but messages can be about a missing suite. */
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

/** JSON without the secrets of the environment. */
export function jsonWithoutSecrets(json: string, environment: Environment): string {
  return redactorOf(environment).json(json);
}
