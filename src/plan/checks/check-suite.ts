import type { Task } from '../../config/files/task-file.js';
import type { Environment } from '../../config/placeholders/environment-variables.js';
import type { Problems } from '../../config/problems/problem.js';
import { unnamed } from '../../config/problems/repair.js';
import type { Suite } from '../suite.js';
import { checkTotalRuns, countRuns } from '../task-settings.js';
import { checkAssertionsFit } from './check-assertions-fit.js';
import { checkCoverage } from './check-coverage.js';
import { checkExtensionVariables, checkPlaceholders } from './check-placeholders.js';
import { checkRatesUsed } from './check-rates-used.js';
import { checkRedact, checkSecretNames } from './check-redact.js';
import { checkAssertionServers, checkScriptedAgent } from './check-server-names.js';
import { checkSkills } from './check-skills.js';
import { checkSteps } from './check-steps.js';

/**
 * Checks everything that can be said of a whole suite without running it.
 *
 * @deprecated Use `loadEval`, which checks what it loads.
 */
export function checkSuite(suite: Suite, environment: Environment, problems: Problems): void {
  checkSuites([suite], environment, problems);
}

/** Checks all variants of a suite. */
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
  const total = suite.tasks.reduce((sum, entry) => sum + countRuns(entry), 0);
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

/** Names of tasks must be distinct: results go by them. */
function checkTaskNames({ tasks }: Suite, problems: Problems): void {
  const first = new Map<string, Task>();
  for (const { definition: task } of tasks) {
    if (task.name === unnamed) continue;
    const other = first.get(task.name);
    if (!other) {
      first.set(task.name, task);
      continue;
    }
    const message = `another task has the name ${task.name} too`;
    const at = ['metadata', 'name'];
    const hint = `the other one is ${other.source.name}`;
    problems.atValue(task.source, at, 'duplicate-task-name', message, hint);
  }
}
