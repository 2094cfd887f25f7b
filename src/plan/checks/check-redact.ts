import { type Environment, getVariable } from '../../config/placeholders/environment-variables.js';
import type { Problems } from '../../config/problems/problem.js';
import { Redactor } from '../../config/secrets/redactor.js';
import { minNamedLength, type Secrets } from '../../config/secrets/secrets.js';
import { collectSuiteSecrets, type Suite } from '../suite.js';

/** A misspelt variable would let its value into every file. */
export function checkRedact(
  { eval: { source, data } }: Suite,
  environment: Environment,
  problems: Problems,
): void {
  for (const [index, { env }] of (data.config.redact ?? []).entries()) {
    const path = ['config', 'redact', index, 'env'];
    if (env === undefined || source.isFaulty(path)) continue;
    const value = getVariable(environment, env)?.trim();
    if (value !== undefined && value.length >= minNamedLength) continue;
    const flaw = value === undefined ? 'is not set' : `has fewer than ${minNamedLength} characters`;
    const message = `the environment variable ${env} ${flaw}, so nothing is redacted for it`;
    problems.atValue(source, path, 'nothing-to-redact', message);
  }
}

/**
 * What is called like a secret is shown, and so is the secret. Where only a part of a name is one, names
 * that differ in that part alone would be the same: the results of one would count for the other.
 */
export function checkSecretNames(
  suites: readonly [Suite, ...Suite[]],
  environment: Environment,
  problems: Problems,
): void {
  const [suite] = suites;
  const secrets = collectSuiteSecrets(suite, environment, suites);
  checkNamesStayDistinct(suites, secrets, problems);
  for (const name of secrets.shown()) {
    const message = `the value of ${name} is also the name of a server, a task, a variant or this eval, so it is not redacted`;
    problems.atKey(suite.eval.source, ['metadata'], 'secret-is-name', message);
  }
}

function checkNamesStayDistinct(
  suites: readonly [Suite, ...Suite[]],
  secrets: Secrets,
  problems: Problems,
): void {
  const [{ eval: first }] = suites;
  let redactor: Redactor | undefined;
  const kinds = {
    tasks: suites.flatMap(({ tasks }) => tasks.map(({ definition }) => definition.name)),
    servers: suites.flatMap(({ mcp }) => mcp?.servers ?? []).map(({ name }) => name),
    variants: suites.flatMap(({ variant }) => variant?.name ?? []),
  };
  for (const [kind, names] of Object.entries(kinds)) {
    const distinct = new Set(names);
    // One is like no other, and making a redactor takes a while.
    if (distinct.size < 2) continue;
    redactor ??= new Redactor(secrets);
    const namesOf = new Map<string, number>();
    for (const name of distinct) {
      const shown = redactor.text(name);
      namesOf.set(shown, (namesOf.get(shown) ?? 0) + 1);
    }
    for (const [shown, count] of namesOf) {
      if (count === 1) continue;
      const path = first.data.config.redact ? ['config', 'redact'] : ['metadata'];
      const message = `redacted, the names of ${count} ${kind} are the same: ${shown}`;
      problems.atKey(first.source, path, 'names-redacted-alike', message);
    }
  }
}
