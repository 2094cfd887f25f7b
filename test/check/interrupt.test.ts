import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { markedProcesses } from '../../testing/marked-processes.js';
import { eventsOf } from '../support/check-journal.js';
import { readResults } from '../support/check-results.js';
import { suiteOf } from '../support/check-suites.js';
import { expectNothingLeft } from '../support/left-behind.js';

const outcomes = (file: string) =>
  readResults(file).taskRuns.map(({ task, outcome }) => `${task} ${outcome}`);

describe('a check that is asked to stop', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'with %s stops its agents, cleans up, and writes what it has',
    async (signal) => {
      const suite = await suiteOf({ env: { FAMILY: 'yes' } });
      suite.close('agent', 'b');
      const check = suite.start();
      await suite.reached('agent', 'b');

      check.kill(signal);
      const { exitCode, stderr } = await check.ended;

      expect(exitCode, stderr).toBe(130);
      expect(stderr).toContain('stopping: running cleanup');
      expect(suite.traces('cleanup', 'b')).toHaveLength(1);
      expect(suite.traces('undo', 'b')).toHaveLength(1);
      expect(suite.traces('verify', 'b')).toEqual([]);
      expect(suite.traces('setup', 'c')).toEqual([]);
      expect(outcomes(suite.results)).toEqual(['a passed', 'b cancelled']);
      expect(readResults(suite.results)).toMatchObject({
        interrupted: true,
        totals: { planned: 3 },
      });
      expectNothingLeft(suite);
    },
  );

  test.each(['setup', 'verify'])(
    'in the phase %s runs the cleanup too, and --resume does the rest',
    async (step) => {
      const suite = await suiteOf();
      suite.close(step, 'b');
      const check = suite.start();
      await suite.reached(step, 'b');
      check.kill('SIGINT');
      expect((await check.ended).exitCode).toBe(130);
      expect(suite.traces('cleanup', 'b')).toHaveLength(1);
      expect(outcomes(suite.results)).toEqual(['a passed', 'b cancelled']);
      suite.open(step, 'b');

      const { exitCode, stderr } = await suite.check('--resume');

      expect(exitCode, stderr).toBe(0);
      expect(outcomes(suite.results)).toEqual(['a passed', 'b passed', 'c passed']);
      expect(suite.traces('setup', 'a')).toHaveLength(1);
      // It was cleaned up at the time.
      expect(suite.traces('cleanup', 'b')).toHaveLength(2);
      expectNothingLeft(suite);
    },
  );

  test('in its cleanup lets that come to its end', async () => {
    const suite = await suiteOf();
    suite.close('cleanup', 'b');
    const check = suite.start();
    await suite.reached('cleanup', 'b');

    check.kill('SIGINT');
    await check.says('stopping: running cleanup');
    suite.release('cleanup', 'b');
    const { exitCode } = await check.ended;

    expect(exitCode).toBe(130);
    expect(suite.traces('undo', 'b')).toHaveLength(1);
    expect(outcomes(suite.results)).toEqual(['a passed', 'b passed']);
    expectNothingLeft(suite);
  });

  test('twice cuts the cleanup short, and leaves nothing running', async () => {
    const suite = await suiteOf({ env: { FAMILY: 'yes' } });
    suite.close('agent', 'b');
    suite.close('cleanup', 'b');
    const check = suite.start();
    await suite.reached('agent', 'b');
    check.kill('SIGINT');
    await suite.reached('cleanup', 'b');

    check.kill('SIGINT');
    const { exitCode, stderr } = await check.ended;

    expect(exitCode, stderr).toBe(130);
    expect(stderr).toContain('stopping at once');
    expect(suite.traces('undo', 'b')).toEqual([]);
    expect(outcomes(suite.results)).toEqual(['a passed', 'b cancelled']);
    expectNothingLeft(suite);
  });

  test('three times ends at once, leaves nothing running, and --resume goes on', async () => {
    const suite = await suiteOf({ env: { FAMILY: 'stubborn' } });
    suite.close('agent', 'b');
    suite.close('cleanup', 'b');
    const check = suite.start();
    await suite.reached('agent', 'b');
    check.kill('SIGINT');
    await suite.reached('cleanup', 'b');
    check.kill('SIGINT');
    await check.says('stopping at once');

    check.kill('SIGINT');
    const { exitCode } = await check.ended;

    expect(exitCode).toBe(130);
    expect(markedProcesses(suite.mark)).toEqual([]);
    suite.open('agent', 'b');
    suite.open('cleanup', 'b');
    const resumed = await suite.start(['--resume'], { FAMILY: '' }).ended;
    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(outcomes(suite.results)).toEqual(['a passed', 'b passed', 'c passed']);
    expectNothingLeft(suite);
  });

  test('while it looks at the servers has run nothing', async () => {
    const suite = await suiteOf({ env: { MUTE: 'yes', STUBBORN: 'yes' } });
    const check = suite.start();
    await suite.reached('server', 'initialize');

    check.kill('SIGINT');
    const { exitCode, stderr } = await check.ended;

    expect(exitCode, stderr).toBe(130);
    expect(suite.traces()).toEqual([]);
    expect(existsSync(suite.journal)).toBe(false);
    expect(existsSync(suite.results)).toBe(false);
    expectNothingLeft(suite);
  });

  test('before its first task run leaves what an earlier check wrote', async () => {
    const suite = await suiteOf();
    await suite.write(
      'mark.mjs',
      `import { writeFileSync } from 'node:fs';
       export default { printsToStdout: false, onEvent: ({ type }) => writeFileSync(type, '') };`,
    );
    expect((await suite.check()).exitCode).toBe(0);
    const before = [suite.results, suite.journal].map((file) => readFileSync(file, 'utf8'));
    const traces = suite.traces();
    // The server of preflight takes its time to leave, and the first task run waits for that.
    const check = suite.start(['--reporter', './mark.mjs'], { STUBBORN: 'yes' });
    await check.says('\nserver ');

    check.kill('SIGINT');
    const { exitCode, stderr } = await check.ended;

    expect(exitCode, stderr).toBe(130);
    expect(suite.traces()).toEqual(traces);
    expect(existsSync(`${suite.folder}/run-started`)).toBe(false);
    expect([suite.results, suite.journal].map((file) => readFileSync(file, 'utf8'))).toEqual(
      before,
    );
    expectNothingLeft(suite);
  });

  test('while it cleans up after a killed one goes on with that, and runs nothing new', async () => {
    const suite = await suiteOf();
    suite.close('verify', 'b');
    const killed = suite.start();
    await suite.reached('verify', 'b');
    killed.kill('SIGKILL');
    await killed.ended;
    suite.open('verify', 'b');
    suite.close('cleanup', 'b');
    const check = suite.start(['--resume']);
    await suite.reached('cleanup', 'b');

    check.kill('SIGINT');
    await check.says('stopping: running cleanup');
    suite.release('cleanup', 'b');
    const { exitCode } = await check.ended;

    expect(exitCode).toBe(130);
    expect(suite.traces('undo', 'b')).toHaveLength(1);
    expect(suite.traces('setup')).toHaveLength(2);
    expect((await suite.check('--resume')).exitCode).toBe(0);
    expect(suite.traces('cleanup', 'b')).toHaveLength(2);
    expectNothingLeft(suite);
  });

  test('twice while it cleans up after a killed one leaves the run unfinished, even if no task run is left', async () => {
    const suite = await suiteOf({ tasks: ['a'] });
    expect((await suite.check('--runs', '1')).exitCode).toBe(0);
    suite.close('verify', 'a');
    const killed = suite.start(['--resume', '--force', '--runs', '2']);
    await suite.reached('verify', 'a');
    killed.kill('SIGKILL');
    await killed.ended;
    suite.open('verify', 'a');
    suite.close('cleanup', 'a');
    // The second run is not wanted any more, but it has to be cleaned up after.
    const again = ['--resume', '--force', '--runs', '1'];
    const check = suite.start(again);
    await suite.reached('cleanup', 'a');

    check.kill('SIGINT');
    await check.says('stopping: running cleanup');
    check.kill('SIGINT');
    const { exitCode, stderr } = await check.ended;

    expect(exitCode, stderr).toBe(130);
    expect(eventsOf(suite.journal, 'run-ended').at(-1)).toMatchObject({ interrupted: true });
    expect(suite.traces('undo', 'a')).toHaveLength(1);
    suite.open('cleanup', 'a');
    const { stdout } = await suite.check(...again);
    expect(stdout).not.toContain('Nothing left to do');
    expect(suite.traces('undo', 'a')).toHaveLength(2);
    expectNothingLeft(suite);
  });
});
