import { expect, test } from 'vitest';
import { eventsOf, journalEvents } from '../support/check-journal.js';
import type { CheckSuite } from '../support/check-suite.js';
import { suiteOf } from '../support/check-suites.js';
import { expectNothingLeft } from '../support/left-behind.js';

/** The most agents that worked at once, by the journal. */
function mostAgents(journal: string): number {
  let working = 0;
  let most = 0;
  for (const event of journalEvents(journal)) {
    if (event.type === 'phase-started' && event.phase === 'agent') working += 1;
    if (event.type === 'phase-ended' && event.phase === 'agent') working -= 1;
    most = Math.max(most, working);
  }
  return most;
}

const tasks = ['a', 'b', 'c'];

/** A check whose agents are held up, when some of them have to wait for others. */
async function checkWithWaitingAgents(suite: CheckSuite, ...args: string[]) {
  for (const task of tasks) suite.close('agent', task);
  const check = suite.start(['--parallel', '3', '-v', ...args]);
  await check.says('waits for another agent to finish');
  return check;
}

function endedTaskRuns(journal: string) {
  return eventsOf(journal, 'task-run-ended');
}

test('agents wait for each other, and for nothing else of other task runs', async () => {
  const suite = await suiteOf({ parallel: true });
  for (const task of tasks) suite.close('verify', task);
  const check = await checkWithWaitingAgents(suite, '--concurrent-agents', '1');
  for (const task of tasks) suite.release('agent', task);
  for (const task of tasks) await suite.reached('verify', task);
  for (const task of tasks) suite.release('verify', task);
  const { exitCode, stderr } = await check.ended;
  expect(exitCode, stderr).toBe(0);
  expect(mostAgents(suite.journal)).toBe(1);
  const waited = endedTaskRuns(suite.journal).filter(({ waitedMs = 0 }) => waitedMs >= 1_000);
  expect(waited.length).toBeGreaterThan(0);
  expectNothingLeft(suite);
});

test('agents work together up to the limit of the eval', async () => {
  const suite = await suiteOf({ parallel: true, config: { limits: { concurrentAgents: 2 } } });
  const check = await checkWithWaitingAgents(suite);
  for (const task of tasks) suite.release('agent', task);
  const { exitCode, stderr } = await check.ended;
  expect(exitCode, stderr).toBe(0);
  expect(mostAgents(suite.journal)).toBe(2);
});

test('a check can be stopped while agents wait', async () => {
  const suite = await suiteOf({ parallel: true });
  const check = await checkWithWaitingAgents(suite, '--concurrent-agents', '1');
  check.kill('SIGINT');
  const { exitCode } = await check.ended;
  expect(exitCode).toBe(130);
  const outcomes = endedTaskRuns(suite.journal).map(({ outcome }) => outcome);
  expect(outcomes).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expect(suite.traces('cleanup')).toHaveLength(3);
  expectNothingLeft(suite);

  for (const task of tasks) suite.open('agent', task);
  const resumed = await suite.check('--resume', '--concurrent-agents', '3');
  expect(resumed.exitCode, resumed.stderr).toBe(0);
});
