import { spawn } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { markedProcesses } from '../../testing/marked-processes.js';
import { eventsOf } from '../support/check-journal.js';
import { readResults } from '../support/check-results.js';
import { killedIn, suiteOf } from '../support/check-suites.js';
import { expectNothingLeft } from '../support/left-behind.js';

function sleeping(mark: string) {
  return markedProcesses(mark).filter(({ command }) => command === 'sleep 1000 ');
}

describe('a check that was killed', () => {
  test.each(['setup', 'agent', 'verify', 'cleanup'])(
    'in the phase %s goes on with what is missing, after the cleanup',
    async (step) => {
      const suite = await suiteOf();
      await killedIn(suite, step);
      const [first] = suite.traces('setup', 'b');

      const { exitCode, stderr } = await suite.check('--resume');

      expect(exitCode, stderr).toBe(0);
      expect(stderr).toContain('resuming: 2 of 3 task runs left');
      for (const each of ['setup', 'agent', 'verify', 'cleanup', 'undo']) {
        expect(suite.traces(each, 'a'), each).toHaveLength(1);
        expect(suite.traces(each, 'c'), each).toHaveLength(1);
      }
      // The first attempt is cleaned up with its own values before the second begins.
      const ids = suite.traces(undefined, 'b').filter(({ step }) => step !== 'agent');
      const second = suite.traces('setup', 'b')[1];
      expect(second?.id).not.toBe(first?.id);
      const until = ids.findIndex((trace) => trace.step === 'setup' && trace.id === second?.id);
      const before = ids.slice(0, until);
      expect(before.filter(({ step }) => step === 'cleanup').at(-1)?.id).toBe(first?.id);
      expect(before.every(({ id }) => id.endsWith(first?.id ?? '?'))).toBe(true);
      expect(suite.traces('blind')).toEqual([]);
      const results = readResults(suite.results);
      expect(results.taskRuns.map(({ task, outcome }) => `${task} ${outcome}`)).toEqual([
        'a passed',
        'b passed',
        'c passed',
      ]);
      expect(results).toMatchObject({ finished: true, interrupted: false, resumed: 1 });
      const attempts = eventsOf(suite.journal, 'task-run-started');
      expect(attempts.map(({ task, attempt }) => `${task} ${attempt}`)).toEqual([
        'a 1',
        'b 1',
        'b 2',
        'c 1',
      ]);
      expectNothingLeft(suite);
    },
  );

  test('hands the outputs of its steps to the cleanup that comes later', async () => {
    const suite = await suiteOf();
    await killedIn(suite, 'agent');

    await suite.check('--resume');

    const [first] = suite.traces('setup', 'b');
    expect(suite.traces('undo', 'b')[0]?.id).toBe(`made-by-setup-${first?.id}`);
    const [ended] = eventsOf(suite.journal, 'task-run-ended').filter(({ task }) => task === 'b');
    expect(ended).toMatchObject({ taskRun: 'b#1', outcome: 'cancelled' });
    expect(ended).not.toHaveProperty('cleanupFailed');
  });

  test('cleans up nothing by a name that the journal has only redacted', async () => {
    const suite = await suiteOf({ config: { redact: [{ pattern: 'made-by-setup' }] } });
    await killedIn(suite, 'agent');

    await suite.check('--resume');

    expect(suite.traces('undo').map(({ id }) => id)).toEqual([
      expect.stringMatching(/^made-by-setup-/),
      expect.stringMatching(/^made-by-setup-/),
      expect.stringMatching(/^made-by-setup-/),
    ]);
    const [ended] = eventsOf(suite.journal, 'task-run-ended').filter(({ task }) => task === 'b');
    expect(ended).toMatchObject({ taskRun: 'b#1', outcome: 'cancelled', cleanupFailed: true });
    const steps = eventsOf(suite.journal, 'step-ended').map(({ message }) => message);
    expect(steps).toContainEqual(expect.stringContaining('the journal has it only redacted'));
  });

  test('twice at the same place is cleaned up twice, and comes to its end', async () => {
    const suite = await suiteOf();
    await killedIn(suite, 'verify');
    suite.close('cleanup', 'b');
    const second = suite.start(['--resume']);
    await suite.reached('cleanup', 'b');
    second.kill('SIGKILL');
    await second.ended;
    suite.open('cleanup', 'b');

    const { exitCode, stderr } = await suite.check('--resume');

    expect(exitCode, stderr).toBe(0);
    const [first] = suite.traces('setup', 'b');
    expect(suite.traces('cleanup', 'b').filter(({ id }) => id === first?.id)).toHaveLength(2);
    expect(suite.traces('setup', 'b')).toHaveLength(2);
    expect(readResults(suite.results)).toMatchObject({ resumed: 2, totals: { planned: 3 } });
    expectNothingLeft(suite);
  });

  test('is cleaned up by the next --resume if Ctrl-C cuts the cleanup of this one short', async () => {
    const suite = await suiteOf();
    await killedIn(suite, 'agent');
    suite.close('cleanup', 'b');
    const second = suite.start(['--resume']);
    await suite.reached('cleanup', 'b');
    second.kill('SIGINT');
    await second.says('running cleanup');
    second.kill('SIGINT');
    await second.ended;
    expect(suite.traces('undo', 'b')).toEqual([]);
    suite.open('cleanup', 'b');

    const { exitCode, stderr } = await suite.check('--resume');

    expect(exitCode, stderr).toBe(0);
    const [first] = suite.traces('setup', 'b');
    expect(suite.traces('undo', 'b')[0]?.id).toBe(`made-by-setup-${first?.id}`);
    const ends = eventsOf(suite.journal, 'task-run-ended').filter(({ task }) => task === 'b');
    expect(ends).toMatchObject([
      { taskRun: 'b#1', outcome: 'cancelled' },
      { taskRun: 'b#1.2', outcome: 'passed' },
    ]);
    expect(ends[0]).not.toHaveProperty('cleanupFailed');
    expectNothingLeft(suite);
  });

  test('leaves processes behind, which --resume stops, and nobody else', async () => {
    const suite = await suiteOf({ env: { FAMILY: 'yes' } });
    await killedIn(suite, 'agent');
    // One that was only just begun takes a moment until it has its own name.
    await vi.waitFor(() => expect(sleeping(suite.mark).length).toBeGreaterThanOrEqual(2), {
      timeout: 60_000,
    });
    const bystander = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore', env: {} });
    // Its pid stands in the ledger, but that was another process.
    const [workspace = ''] = readdirSync(suite.temporary).filter((name) => !/preflight/.test(name));
    const ledger = path.join(suite.temporary, workspace, 'processes');
    const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    appendFileSync(ledger, `${bystander.pid} ${bootId}/1\n${bystander.pid} ?\nnonsense\n77`);

    const { exitCode, stderr } = await suite.check('--resume');

    expect(exitCode, stderr).toBe(0);
    expect(bystander.exitCode).toBeNull();
    expect(bystander.signalCode).toBeNull();
    expect(bystander.kill(0)).toBe(true);
    bystander.kill('SIGKILL');
    expectNothingLeft(suite);
  });

  test('while it looked at the servers has left nothing that the next one does not stop', async () => {
    const suite = await suiteOf({ env: { STUBBORN: 'yes', MUTE: 'yes' } });
    const check = suite.start();
    await check.says('Checking the servers');
    await suite.reached('server', 'initialize');
    check.kill('SIGKILL');
    await check.ended;
    expect(markedProcesses(suite.mark)).not.toEqual([]);

    const { exitCode, stderr } = await suite.start(['--resume'], { MUTE: '', STUBBORN: '' }).ended;

    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain('There is no journal of an earlier run: starting afresh.');
    expectNothingLeft(suite);
  });

  test('before its first line was whole starts afresh', async () => {
    const suite = await suiteOf({ tasks: ['a'] });
    await suite.check();
    const [line = ''] = readFileSync(suite.journal, 'utf8').split('\n');
    for (const text of ['', line.slice(0, 200)]) {
      writeFileSync(suite.journal, text);
      const { exitCode, stderr } = await suite.check('--resume');
      expect(exitCode, stderr).toBe(0);
      expect(stderr).toContain('starting afresh');
    }
  });

  test('while it wrote its last lines goes on wherever they are torn', async () => {
    const suite = await suiteOf({ tasks: ['a', 'b'], agent: 'scripted' });
    await suite.check();
    const whole = readFileSync(suite.journal);
    const lines = whole.toString().trimEnd().split('\n');
    const ends = lines.map((_, n) => Buffer.byteLength(lines.slice(0, n + 1).join('\n')) + 1);
    const [beforeVerdict = 0, verdict = 0] = ends.slice(-3);
    // In the verdict of task b, between it and the end of the run, and in that end.
    const offsets = [beforeVerdict, beforeVerdict + 9, verdict - 1, verdict, verdict + 9];

    for (const offset of [...offsets, whole.length - 1]) {
      writeFileSync(suite.journal, whole.subarray(0, offset));
      rmSync(suite.results);
      const { exitCode, stderr } = await suite.check('--resume');
      expect(exitCode, `${offset}: ${stderr}`).toBe(0);
      const { taskRuns } = readResults(suite.results);
      expect(
        taskRuns.map(({ task, outcome }) => `${task} ${outcome}`),
        `${offset}`,
      ).toEqual(['a passed', 'b passed']);
    }
    expectNothingLeft(suite);
  });
});
