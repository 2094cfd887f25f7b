import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, inject } from 'vitest';
import { suiteOf } from '../support/check-suites.js';
import { examples } from '../support/cli.js';
import { startCheck } from '../support/running-check.js';
import { it } from '../support/scratch-suite.js';
import { callTelling, scripted, tellingServer } from '../support/suite-parts.js';

const tasks = { one: {}, two: {} };

/** What is said of reporters. */
const complaints = (stderr: string) => stderr.match(/^error: reporter .*$/gm) ?? [];

describe('a reporter of somebody else', () => {
  it('sees every event as it happens, and the results in the end', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks,
      files: {
        'mine.mjs': `
          export default ({ output, evalFile, evalFolder, file, environment }) => {
            const types = new Set();
            return {
              async onEvent({ type }) { types.add(type); },
              async onEnd({ results, ...check }) {
                const tasks = [];
                for await (const { task } of results.taskRuns()) tasks.push(task);
                const told = { types: [...types], tasks, check, evalFile, evalFolder, file };
                await output.write(JSON.stringify({ ...told, word: environment.WORD }));
              },
            };
          };`,
      },
    });
    const { exitCode, stderr, events } = await suite.check(['--reporter', './mine.mjs=told.json'], {
      WORD: 'hello',
    });
    expect(exitCode, stderr).toBe(0);
    expect(JSON.parse(await suite.read('told.json'))).toEqual({
      types: [...new Set(events.map(({ type }) => type))],
      tasks: ['one', 'two'],
      check: {
        end: 'finished',
        exitCode: 0,
        resultsPath: suite.path('out.json'),
        journalPath: suite.path('out.jsonl'),
      },
      evalFile: suite.path('eval.yaml'),
      evalFolder: suite.folder,
      file: suite.path('told.json'),
      word: 'hello',
    });
  });

  it('has standard output without a file, unless it says that it does not want it', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks,
      files: {
        'loud.cjs': 'module.exports = ({ output }) => ({ onEnd: () => output.write("mine\\n") });',
        'quiet.mjs': 'export default { printsToStdout: false, onEnd() {} };',
      },
    });
    const loud = await suite.check(['--reporter', './loud.cjs']);
    expect(loud.stdout).toBe('mine\n');
    expect(loud.stderr).toContain('Totals');
    expect(loud.stderr).not.toContain('Warning');
    const quiet = await suite.check(['--reporter', './quiet.mjs', '--force']);
    expect(quiet.stdout).toContain('Totals');
  });

  it('can be a package', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks,
      files: {
        'node_modules/@team/reporter/package.json':
          '{"name":"@team/reporter","exports":{"import":"./main.mjs"}}',
        'node_modules/@team/reporter/main.mjs':
          'export default ({ output }) => ({ onEnd: () => output.write("of the team\\n") });',
      },
    });
    const { stdout, stderr } = await suite.check(['--reporter', '@team/reporter']);
    expect(stdout, stderr).toBe('of the team\n');
  });

  it('is the example of the documentation', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks });
    const example = path.join(examples, 'reporter/slowest-task-runs.mjs');
    const { exitCode, stderr } = await suite.check(['--reporter', `${example}=slowest.tsv`]);
    expect(exitCode, stderr).toBe(0);
    expect(await suite.read('slowest.tsv')).toMatch(
      /^# finished, 0 warnings\nseconds\ttask\trun\toutcome\n\d+\.\d\t(one|two)\t1\tpassed\n/,
    );
  });

  it.each([
    ['throws at an event', 'onEvent() { throw new Error("no"); }, onEnd() {}', 'no'],
    ['rejects an event', 'async onEvent() { throw new Error("no"); }', 'no'],
    ['throws in the end', 'onEnd() { throw new Error("no"); }', 'no'],
    ['rejects in the end', 'async onEnd() { throw "no"; }', 'no'],
    ['throws nothing at all', 'onEnd() { throw undefined; }', 'undefined'],
    [
      'throws out of a timer',
      'onEnd: () => new Promise(() => setTimeout(() => { throw new Error("no"); }))',
      'no',
    ],
    ['ends the process at an event', 'onEvent() { process.exit(0); }', 'it called process.exit'],
    ['ends the process in the end', 'onEnd() { process.exit(7); }', 'it called process.exit'],
    [
      'ends the process out of a timer',
      'onEnd: () => new Promise(() => setTimeout(process.exit, 0, 7))',
      'it called process.exit',
    ],
    [
      'has a stream of which nobody takes the errors',
      'onEnd: () => new Promise(() => process.getBuiltinModule("fs").createWriteStream("none/x"))',
      "ENOENT: no such file or directory, open 'none/x'",
    ],
    ['leaves a promise alone', 'onEnd() { Promise.reject(new Error("no")); }', undefined],
  ])('that %s is told of, and hurts nobody', async (_what, members, why) => {
    const { ScratchSuite } = await import('../support/scratch-suite.js');
    const suite = await ScratchSuite.create({
      tasks,
      files: { 'bad.mjs': `export default { ${members} };`, 'bad.txt': 'of an earlier run' },
    });
    try {
      const names = ['./bad.mjs=bad.txt', 'tap=t.tap'];
      const { exitCode, stderr, results } = await suite.check(
        names.flatMap((name) => ['--reporter', name]),
      );
      expect(exitCode, stderr).toBe(0);
      if (why !== undefined) {
        expect(complaints(stderr)).toEqual([`error: reporter ./bad.mjs=bad.txt: ${why}`]);
      }
      expect(results?.totals.outcomes.passed).toBe(2);
      expect(await suite.read('t.tap')).toContain('1..2');
      expect(existsSync(suite.path('bad.txt'))).toBe(false);
    } finally {
      await suite.remove();
    }
  });

  it.each([
    [
      'ends the process',
      'process.exit(0); export default { onEnd() {} };',
      'it called process.exit',
    ],
    ['is none, and keeps at work', 'setInterval(() => {}, 1000);', 'its default export is neither'],
  ])('that %s when it is loaded is told before anything runs', async (_what, module, why) => {
    const { ScratchSuite } = await import('../support/scratch-suite.js');
    const suite = await ScratchSuite.create({ tasks, files: { 'bad.mjs': module } });
    try {
      const { exitCode, stderr, results } = await suite.check(['--reporter', './bad.mjs=x']);
      expect(exitCode, stderr).toBe(2);
      expect(stderr).toContain(`cannot load ${suite.path('bad.mjs')}: ${why}`);
      expect(results).toBeUndefined();
    } finally {
      await suite.remove();
    }
  });

  it('that does not end is not waited for when somebody presses Ctrl-C', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks,
      files: {
        'stuck.mjs': `
          export default {
            onEnd() {
              console.error('now stuck');
              return new Promise(() => setInterval(() => {}, 1000));
            },
          };`,
      },
    });
    const check = startCheck(
      ['check', 'eval.yaml', '--out', 'out.json', '--reporter', './stuck.mjs=x'],
      { cwd: suite.folder, env: { HOME: inject('homeFolder'), TMPDIR: suite.temporaryFolder } },
    );
    await check.says('now stuck');
    check.kill('SIGINT');
    const { exitCode, stderr } = await check.ended;
    expect(exitCode).toBe(0);
    expect(complaints(stderr)).toEqual([
      'error: reporter ./stuck.mjs=x: it was still at work when the check was stopped',
    ]);
  });

  it('is told of an interruption', async () => {
    const suite = await suiteOf();
    await suite.write(
      'mine.mjs',
      `export default ({ output }) => ({
        onEnd: ({ end, exitCode }) => output.write(end + ' ' + exitCode),
      });`,
    );
    suite.close('agent', 'b');
    const check = suite.start(['--reporter', './mine.mjs=told.txt', '--reporter', 'tap=t.tap']);
    await suite.reached('agent', 'b');
    check.kill('SIGINT');
    const { exitCode, stderr } = await check.ended;
    expect(exitCode, stderr).toBe(130);
    expect(await readFile(path.join(suite.folder, 'told.txt'), 'utf8')).toBe('interrupted 130');
    const tap = await readFile(path.join(suite.folder, 't.tap'), 'utf8');
    expect(tap).toContain('not ok 2 - b');
    expect(tap).toContain('1..3\nBail out!');
  });

  it('that leaves something at work does not keep the process', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks,
      files: { 'busy.mjs': 'setInterval(() => {}, 1000); export default { onEnd() {} };' },
    });
    const { exitCode } = await suite.check(['--reporter', './busy.mjs=x']);
    expect(exitCode).toBe(0);
  });

  it('gets events without secrets', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: scripted(callTelling('echo', { text: 'it is x7Kq9-secret-Zt' }), { say: 'done' }),
      servers: { telling: tellingServer([], { env: { API_TOKEN: '${API_TOKEN}' } }) },
      files: {
        'all.mjs': `
          const events = [];
          export default ({ output }) => ({
            onEvent(event) { events.push(event); },
            onEnd: () => output.write(JSON.stringify(events)),
          });`,
      },
    });
    const args = ['--reporter', './all.mjs=events.json'];
    const { events } = await suite.check(args, { API_TOKEN: 'x7Kq9-secret-Zt' });
    const seen = await suite.read('events.json');
    expect(seen).toContain('it is ');
    expect(seen).not.toContain('x7Kq9');
    const shown = events.filter(({ type }) => type !== 'mcp-message');
    expect(JSON.parse(seen)).toHaveLength(shown.length);
  });

  it('that is slow does not slow down the run, and is told what it missed', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite({
      tasks: { one: {} },
      agent: scripted(...Array.from({ length: 1500 }, () => ({ say: 'hm' }))),
      files: {
        'slow.mjs': `
          import { existsSync } from 'node:fs';
          import { setImmediate } from 'node:timers/promises';
          let seen = 0;
          export default ({ output }) => ({
            async onEvent(event) {
              seen += 1;
              while (!existsSync('out.json')) await setImmediate();
            },
            onEnd: () => output.write(String(seen)),
          });`,
      },
    });
    const { exitCode, events, stderr } = await suite.check(['--reporter', './slow.mjs=seen.txt']);
    expect(exitCode, stderr).toBe(0);
    expect(await suite.read('seen.txt')).toBe('1001');
    expect(complaints(stderr)).toEqual([
      `error: reporter ./slow.mjs=seen.txt: it was too slow: ${events.length - 1001} events were left out`,
    ]);
  });
});
