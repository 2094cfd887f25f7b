import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { eventsOf } from '../support/check-journal.js';
import { readResults } from '../support/check-results.js';
import { killedIn, suiteOf } from '../support/check-suites.js';
import { expectNothingLeft } from '../support/left-behind.js';

describe('an unfinished journal', () => {
  test('is not overwritten unless --force says so', async () => {
    const suite = await suiteOf({ env: { FAMILY: 'yes' } });
    await killedIn(suite, 'agent');
    const before = readFileSync(suite.journal, 'utf8');

    const refused = await suite.check();

    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(
      'is the journal of a run that did not finish (1 of 3 task runs',
    );
    expect(refused.stderr).toContain('continue it with --resume, or discard it with --force');
    expect(readFileSync(suite.journal, 'utf8')).toBe(before);
    expect(suite.traces('setup')).toHaveLength(2);

    const forced = await suite.check('--force');

    expect(forced.exitCode, forced.stderr).toBe(0);
    expect(forced.stderr).toContain('did not finish the cleanup of 1 task run (b, run 1)');
    expect(suite.traces('setup', 'a')).toHaveLength(2);
    expect(readResults(suite.results)).toMatchObject({ finished: true, resumed: 0 });
    expectNothingLeft(suite);
  });

  test('of a suite whose files changed is refused with their names, unless --force', async () => {
    const suite = await suiteOf();
    await killedIn(suite, 'verify');
    const step = readFileSync(`${suite.folder}/step.sh`, 'utf8');
    await suite.write('step.sh', `${step}\n# changed\n[ 1 = 1 ]\n`);
    await suite.write(
      'tasks/d.yaml',
      readFileSync(`${suite.folder}/tasks/c.yaml`, 'utf8').replace('name: c', 'name: d'),
    );
    const before = readFileSync(suite.journal, 'utf8');

    const refused = await suite.check('--resume');

    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('changed since the unfinished run: step.sh, tasks/d.yaml');
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(suite.journal, 'utf8')).toBe(before);

    const forced = await suite.check('--resume', '--force');

    expect(forced.exitCode, forced.stderr).toBe(0);
    expect(suite.traces('setup', 'a')).toHaveLength(1);
    expect(suite.traces('setup', 'd')).toHaveLength(1);
    const { taskRuns } = readResults(suite.results);
    expect(taskRuns.map(({ task, outcome }) => `${task} ${outcome}`)).toEqual([
      'a passed',
      'b passed',
      'c passed',
      'd passed',
    ]);
    const [resumed] = eventsOf(suite.journal, 'run-resumed');
    expect(resumed?.changed).toEqual(['step.sh', 'tasks/d.yaml']);
    expectNothingLeft(suite);
  });

  test('of a suite that was edited is moved aside by the next check, which starts', async () => {
    const suite = await suiteOf();
    await killedIn(suite, 'verify');
    const before = readFileSync(suite.journal, 'utf8');
    const task = readFileSync(`${suite.folder}/tasks/c.yaml`, 'utf8');
    await suite.write('tasks/c.yaml', `${task}# a comment\n`);

    const { exitCode, stderr } = await suite.check();

    expect(exitCode, stderr).toBe(0);
    expect(stderr).toContain('did not finish (1 of 3 task runs done)');
    expect(stderr).toContain('its journal is now proctor-suite-out.1.jsonl');
    expect(stderr).toContain(
      'It did not finish the cleanup of 1 task run (b, run 1), which runs if you continue it.',
    );
    expect(readFileSync(`${suite.folder}/proctor-suite-out.1.jsonl`, 'utf8')).toBe(before);
    expect(readResults(suite.results)).toMatchObject({ finished: true, resumed: 0 });
    expect(suite.traces('setup', 'a')).toHaveLength(2);

    // Under its new name it can be continued, and is cleaned up after.
    const moved = ['--out', 'proctor-suite-out.1.json'];
    const resumed = await suite.check('--resume', '--force', ...moved);

    expect(resumed.exitCode, resumed.stderr).toBe(0);
    expect(suite.traces('setup', 'a')).toHaveLength(2);
    expectNothingLeft(suite);
  });

  test('is moved aside as often as needed, also when the program of a server was edited', async () => {
    const suite = await suiteOf({ tasks: ['a', 'b'] });
    const own = `${suite.folder}/server.sh`;
    await suite.write('server.sh', readFileSync(suite.environment.SERVER ?? '', 'utf8'));
    const mcp = readFileSync(`${suite.folder}/mcp.yaml`, 'utf8');
    await suite.write('mcp.yaml', mcp.replace('${SERVER}', own));
    for (const number of [1, 2]) {
      suite.close('agent', 'b');
      const stopped = suite.start();
      await suite.reached('agent', 'b');
      stopped.kill('SIGINT');
      expect((await stopped.ended).exitCode).toBe(130);
      suite.open('agent', 'b');
      const before = readFileSync(suite.journal, 'utf8');
      await suite.write('server.sh', `${readFileSync(own, 'utf8')}# edit ${number}\n`);

      const resumed = await suite.check('--resume');
      expect(resumed.stderr).toContain('changed since the unfinished run: server.sh');
      const { exitCode, stderr } = await suite.check();

      expect(exitCode, stderr).toBe(0);
      expect(stderr).toContain(`its journal is now proctor-suite-out.${number}.jsonl`);
      expect(stderr).not.toContain('cleanup');
      expect(readFileSync(`${suite.folder}/proctor-suite-out.${number}.jsonl`, 'utf8')).toBe(
        before,
      );
    }
    expectNothingLeft(suite);
  });

  test('of a check that still goes on is left alone, whatever was edited', async () => {
    const suite = await suiteOf();
    suite.close('agent', 'b');
    const running = suite.start();
    await suite.reached('agent', 'b');
    const task = readFileSync(`${suite.folder}/tasks/c.yaml`, 'utf8');
    await suite.write('tasks/c.yaml', `${task}# a comment\n`);

    for (const options of [[], ['--force'], ['--resume', '--force']]) {
      const { exitCode, stderr } = await suite.check(...options);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('is running a check that writes to it');
    }

    suite.release('agent', 'b');
    expect((await running.ended).exitCode).toBe(0);
    expect(readResults(suite.results)).toMatchObject({ finished: true });
    expect(existsSync(`${suite.folder}/proctor-suite-out.1.jsonl`)).toBe(false);
  });

  test('of a suite that was edited stays in place when the next check is refused', async () => {
    const suite = await suiteOf();
    await killedIn(suite, 'verify');
    const before = readFileSync(suite.journal, 'utf8');
    await suite.write('mcp.yaml', 'mcpServers: {pets: {command: no-such-program}}\n');

    const { exitCode, stderr } = await suite.check();

    expect(exitCode, stderr).toBe(2);
    expect(readFileSync(suite.journal, 'utf8')).toBe(before);
    expect(existsSync(`${suite.folder}/proctor-suite-out.1.jsonl`)).toBe(false);
  });

  test('in which nothing was done is no hindrance', async () => {
    const suite = await suiteOf();
    suite.close('agent', 'a');
    const stopped = suite.start();
    await suite.reached('agent', 'a');
    stopped.kill('SIGINT');
    expect((await stopped.ended).exitCode).toBe(130);
    suite.open('agent', 'a');

    const { exitCode, stderr } = await suite.check();

    expect(exitCode, stderr).toBe(0);
    expect(existsSync(`${suite.folder}/proctor-suite-out.1.jsonl`)).toBe(false);
    expect(readResults(suite.results)).toMatchObject({ finished: true, resumed: 0 });
    expectNothingLeft(suite);
  });

  test('of a task that is gone is finished without it, and says so', async () => {
    const suite = await suiteOf();
    await killedIn(suite, 'verify');
    await suite.write(
      'eval.yaml',
      readFileSync(`${suite.folder}/eval.yaml`, 'utf8').replace('*.yaml', '[ac].yaml'),
    );

    const { exitCode, stderr } = await suite.check('--resume', '--force');

    // What it left behind, nobody has cleaned up.
    expect(exitCode, stderr).toBe(1);
    expect(stderr).toContain('its task is gone: its cleanup did not run');
    expect(suite.traces('cleanup', 'b')).toEqual([]);
    const { taskRuns } = readResults(suite.results);
    expect(taskRuns.map(({ task, outcome }) => `${task} ${outcome}`)).toEqual([
      'a passed',
      'b cancelled',
      'c passed',
    ]);
    expectNothingLeft(suite);
  });

  test('is refused with other options that decide what runs, and with no others', async () => {
    const suite = await suiteOf();
    await killedIn(suite, 'setup');

    const refused = await suite.check('--resume', '--runs', '2', '--task-timeout', '5m');

    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('changed since the unfinished run: --runs, --task-timeout\n');
    const fine = await suite.check('--resume', '-p', '7', '--bail', '9', '-v');
    expect(fine.exitCode, fine.stderr).toBe(0);
  });
});

test('--resume without a journal starts afresh and says so', async () => {
  const suite = await suiteOf({ tasks: ['a'] });

  const { exitCode, stderr } = await suite.check('--resume');

  expect(exitCode).toBe(0);
  expect(stderr).toContain('There is no journal of an earlier run: starting afresh.\n');
});

test.each([
  { fail: 'none', code: 0 },
  { fail: 'verify-b', code: 1 },
])(
  '--resume of a run that is complete runs nothing, and exits by its results ($code)',
  async ({ fail, code }) => {
    const suite = await suiteOf({ env: { FAIL: fail } });
    expect((await suite.check()).exitCode).toBe(code);
    const { taskRuns } = readResults(suite.results);
    const traces = suite.traces();

    // Not even its server is asked.
    const { exitCode, stdout, stderr } = await suite.start(['--resume'], { MUTE: 'yes' }).ended;

    expect(exitCode, stderr).toBe(code);
    expect(stdout + stderr).toContain('Nothing left to do');
    expect(suite.traces()).toEqual(traces);
    expect(readResults(suite.results).taskRuns).toEqual(taskRuns);
    expectNothingLeft(suite);
  },
);

test('a complete run is simply run again without --resume', async () => {
  const suite = await suiteOf({ tasks: ['a'] });
  expect((await suite.check()).exitCode).toBe(0);

  const { exitCode } = await suite.check();

  expect(exitCode).toBe(0);
  expect(suite.traces('setup')).toHaveLength(2);
  expect(eventsOf(suite.journal, 'run-started')).toHaveLength(1);
});

describe('a journal that is something else', () => {
  const event = (seq: number, more: object) =>
    `${JSON.stringify({ seq, at: '2026-01-01T00:00:00.000Z', ...more })}\n`;
  const started = { type: 'run-started', proctor: '0.1.0', mcpServers: [] };
  const schema = 'mcp-proctor/journal/v1';

  test.each([
    { what: 'a text', text: 'Dear diary,\n', says: 'found no events' },
    { what: 'other JSON', text: '{"a":1}\n{}\n', says: 'found no events' },
    { what: 'one line without an end', text: '{"a":1}', says: 'never finished' },
    {
      what: 'the record of the proxy',
      text: event(1, { ...started, schema, command: 'proxy' }),
      says: 'is the record of something other than a check',
    },
    {
      what: 'made by a newer Proctor',
      text: event(1, { ...started, schema: 'mcp-proctor/journal/v2', command: 'check' }),
      says: 'was made by a newer Proctor',
    },
  ])(
    '($what) is neither gone on with nor overwritten, but with --force',
    async ({ text, says }) => {
      const suite = await suiteOf({ tasks: ['a'] });
      for (const args of [[], ['--resume'], ['--resume', '--force']]) {
        writeFileSync(suite.journal, text);
        const { exitCode, stderr } = await suite.check(...args);
        expect(exitCode, args.join(' ')).toBe(2);
        expect(stderr).toContain(says);
        expect(readFileSync(suite.journal, 'utf8')).toBe(text);
      }
      expect(suite.traces()).toEqual([]);
      expect(existsSync(suite.results)).toBe(false);

      const { exitCode } = await suite.check('--force');

      expect(exitCode).toBe(0);
      expect(readResults(suite.results).taskRuns).toHaveLength(1);
    },
  );
});

describe('a damaged journal', () => {
  test('is resumed: what has no readable end runs again, and the results say what was lost', async () => {
    const suite = await suiteOf({ tasks: ['a', 'b'] });
    await suite.check();
    const lines = readFileSync(suite.journal, 'utf8').split('\n');
    const end = lines.findLastIndex((line) => line.includes('"type":"task-run-ended"'));
    writeFileSync(suite.journal, lines.with(end, '\0'.repeat(100)).join('\n'));

    const refused = await suite.check();
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('did not finish (1 of 2 task runs done)');

    const { exitCode, stderr } = await suite.check('--resume');

    expect(exitCode, stderr).toBe(0);
    const lost = `line ${end + 1}: expected an event, found NUL bytes`;
    expect(stderr).toContain(`is damaged: 1 part left out (${lost}).`);
    expect(stderr).toContain('Task runs without a readable start and end run again.');
    expect(suite.traces('setup', 'a')).toHaveLength(1);
    expect(suite.traces('setup', 'b')).toHaveLength(2);
    const results = readResults(suite.results);
    expect(results.taskRuns).toMatchObject([
      { task: 'a', outcome: 'passed', attempt: 1 },
      { task: 'b', outcome: 'passed', attempt: 2 },
    ]);
    expect(results).toMatchObject({ finished: true, leftOut: { count: 1 } });
    expectNothingLeft(suite);
  });

  test('of a run that is done all the same does not hold up the next check', async () => {
    const suite = await suiteOf({ tasks: ['a'] });
    await suite.check();
    const lines = readFileSync(suite.journal, 'utf8').split('\n');
    writeFileSync(suite.journal, lines.with(4, 'x'.repeat(20)).join('\n'));

    expect((await suite.check()).exitCode).toBe(0);
    expect(readResults(suite.results).taskRuns).toHaveLength(1);
  });

  test('without a readable first line is refused, and the hint works', async () => {
    const suite = await suiteOf({ tasks: ['a'] });
    await suite.check();
    const lines = readFileSync(suite.journal, 'utf8').split('\n');
    const damaged = lines.with(0, 'x'.repeat(20)).join('\n');
    writeFileSync(suite.journal, damaged);
    const hint = 'choose another file with --out, or overwrite it with --force';

    for (const args of [[], ['--resume'], ['--resume', '--force']]) {
      const { exitCode, stderr } = await suite.check(...args);
      expect(exitCode, args.join(' ')).toBe(2);
      expect(stderr).toContain('or its first line is damaged');
      expect(stderr).toContain(args.length > 0 ? `leave out --resume, and ${hint}` : hint);
      expect(readFileSync(suite.journal, 'utf8')).toBe(damaged);
    }

    expect((await suite.check('--force')).exitCode).toBe(0);
  });
});
