import { afterEach } from 'vitest';
import { CheckSuite, type CheckSuiteOptions } from './check-suite.js';

const suites: CheckSuite[] = [];
afterEach(async () => {
  for (const suite of suites.splice(0)) await suite.remove();
});

/** A suite of the tasks a, b and c, that is gone after the test. */
export async function suiteOf(options: Partial<CheckSuiteOptions> = {}): Promise<CheckSuite> {
  const suite = await CheckSuite.create({ tasks: ['a', 'b', 'c'], agent: 'command', ...options });
  suites.push(suite);
  return suite;
}

/** Kills a check while a step of task b goes on. */
export async function killedIn(suite: CheckSuite, step: string): Promise<void> {
  suite.close(step, 'b');
  const check = suite.start();
  await suite.reached(step, 'b');
  check.kill('SIGKILL');
  await check.ended;
  suite.open(step, 'b');
}
