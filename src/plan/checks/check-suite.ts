import type { Environment } from '../../config/placeholders/environment-variables.js';
import type { Problems } from '../../config/problems/problem.js';
import { checkTotalRuns, runCountOf } from '../runs.js';
import type { Suite } from '../suite.js';
import { checkAssertionServers } from './check-assertion-servers.js';
import { checkAssertionsFit } from './check-assertions-fit.js';
import { checkCoverage } from './check-coverage.js';
import { checkExtensionVariables } from './check-extension-variables.js';
import { checkPlaceholders } from './check-placeholders.js';
import { checkRatesUsed } from './check-rates-used.js';
import { checkRedact, checkSecretNames } from './check-redact.js';
import { checkScriptedAgent } from './check-scripted-agent.js';
import { checkSkills } from './check-skills.js';
import { checkSteps } from './check-steps.js';
import { checkTaskNames } from './check-task-names.js';

/** Everything that can be said of a whole suite without running it. */
export function checkSuite(suite: Suite, environment: Environment, problems: Problems): void {
  checkSuites([suite], environment, problems);
}

/** The same of all its variants. */
export function checkSuites(
  suites: readonly Suite[],
  environment: Environment,
  problems: Problems,
): void {
  for (const suite of suites) checkVariant(suite, environment, problems);
  const [first, ...others] = suites;
  if (!first) return;
  checkRatesUsed([first, ...others], problems);
  checkSecretNames([first, ...others], environment, problems);
}

function checkVariant(suite: Suite, environment: Environment, problems: Problems): void {
  checkTaskNames(suite, problems);
  const total = suite.tasks.reduce((sum, entry) => sum + runCountOf(entry), 0);
  checkTotalRuns(suite, total, problems);
  checkScriptedAgent(suite, problems);
  checkAssertionServers(suite, problems);
  checkAssertionsFit(suite, problems);
  checkCoverage(suite, problems);
  checkSkills(suite, problems);
  checkSteps(suite, problems);
  checkPlaceholders(suite, environment, problems);
  checkExtensionVariables(suite, environment, problems);
  checkRedact(suite, environment, problems);
}
