import { describe, expect, vi } from 'vitest';
import {
  expectNothingLeft,
  extension,
  processesOf,
  startSuite,
  stepsOf,
} from '../support/extension-suite.js';
import { mebibyte } from '../support/process-memory.js';
import { it } from '../support/scratch-suite.js';
import { script } from '../support/suite-parts.js';

interface Misfit {
  operation: string;
  args?: object;
  timeout?: string;
  message: string;
  log?: string[];
  /** Whether it is the same process that is asked next. */
  stays?: true;
}

const late = (limit: string) => `the step took longer than its limit of ${limit}`;
const calledOff = 'the extension misfit was cancelled, before it answered execute';
const noise = '; it wrote a line that answers nothing: ';

const misfits: Misfit[] = [
  { operation: 'hang', timeout: '500ms', message: late('0.5 s'), log: [calledOff] },
  {
    operation: 'garbage',
    timeout: '5s',
    message: late('5 s'),
    log: [`${calledOff}${noise}Connecting ...`],
  },
  {
    operation: 'strayOnly',
    timeout: '5s',
    message: late('5 s'),
    log: [`${calledOff}${noise}{"jsonrpc":"2.0","id":"2","result":{"success":true}}`],
  },
  {
    operation: 'floodLogsForEver',
    timeout: '3s',
    message: late('3 s'),
    log: [calledOff, expect.stringMatching(/^(info: again\n){19}info: \d+ more lines of the log/)],
  },
  {
    operation: 'flood',
    message: `the extension misfit writes only lines that are not messages, before it answered execute${noise}nothing`,
  },
  {
    operation: 'longLine',
    message:
      'the extension misfit sent too much in one line: a message is longer than 16777216 characters, before it answered execute',
  },
  {
    operation: 'crash',
    message: 'the extension misfit exited with code 3, before it answered execute',
    log: ['cannot reach the database'],
  },
  {
    operation: 'leave',
    message: 'the extension misfit exited with code 0, before it answered execute',
  },
  {
    operation: 'childThenCrash',
    message: 'the extension misfit exited with code 4, before it answered execute',
  },
  {
    operation: 'refuse',
    message: 'the extension misfit answered execute with an error: no such pod',
    log: ['{"pod":"web"}'],
    stays: true,
  },
  {
    operation: 'wrong',
    args: { result: { passed: true } },
    message:
      'the extension misfit gave an answer that does not say whether it succeeded: success is not a boolean',
    stays: true,
  },
  {
    operation: 'deep',
    message: 'the extension misfit gave the output deep, which is nested too deep',
    stays: true,
  },
];

const requires = [{ extension: 'misfit' }];
const fine = { 'misfit.fine': {} };

function stepOf({ operation, args = {}, timeout }: Misfit) {
  return { [`misfit.${operation}`]: args, ...(timeout !== undefined && { timeout }) };
}

describe.concurrent('an extension that misbehaves', () => {
  it('is a step error that says how, and the next step has one that works', async ({
    makeSuite,
  }) => {
    const tasks = misfits.map((misfit) => [
      misfit.operation,
      { spec: { requires, verify: [fine, stepOf(misfit), fine] } },
    ]);
    const suite = await makeSuite({
      tasks: {
        ...Object.fromEntries(tasks),
        'x-child': { spec: { requires, verify: [{ 'misfit.child': {} }] } },
        'z-last': { spec: { verify: [script('grep VmHWM /proc/$PPID/status', { id: 'memory' })] } },
      },
      config: { extensions: { misfit: extension('misfit.mjs') } },
    });

    const result = await suite.check();

    expect(result.exitCode).toBe(1);
    for (const { operation, message, log, stays } of misfits) {
      const run = result.taskRuns.find(({ task }) => task === operation);
      expect(run, operation).toMatchObject({
        outcome: 'error',
        verified: false,
        failure: {
          category: 'step-error',
          message: `verify, step 2 (misfit.${operation}): ${message}`,
        },
      });
      const [before, misfit, after] = run?.phases.verify?.steps ?? [];
      expect(misfit, operation).toMatchObject({ outcome: 'error', message, outputs: {} });
      const logged = log?.map((line) => ({ level: 'error', message: line }));
      expect(misfit?.log, operation).toEqual(logged);
      expect([before, after], operation).toMatchObject([{ passed: true }, { passed: true }]);
      expect(before?.outputs.pid === after?.outputs.pid, operation).toBe(stays === true);
    }
    const [last, previous] = result.taskRuns.toReversed();
    expect(previous).toMatchObject({ task: 'x-child', outcome: 'passed' });
    const peak = /VmHWM:\s+(\d+) kB/.exec(last?.phases.verify?.steps[0]?.outputs.stdout ?? '');
    expect(Number(peak?.[1]) * 1024).toBeLessThan(400 * mebibyte);
    await expectNothingLeft(suite);
  });

  it('keeps the agent from running in setup, and is told of in cleanup', async ({ makeSuite }) => {
    const crash = { 'misfit.crash': {} };
    const cleanup = [crash, fine];
    const suite = await makeSuite({
      tasks: {
        setup: { spec: { requires, setup: [crash, fine], cleanup: [fine] } },
        cleanup: { spec: { requires, cleanup } },
        'z-goes-on': {
          spec: { requires, setup: [{ ...crash, continueOnError: true }, fine] },
        },
      },
      config: { extensions: { misfit: extension('misfit.mjs') } },
    });

    const result = await suite.check();

    const message = 'the extension misfit exited with code 3, before it answered execute';
    expect(result.taskRuns).toMatchObject([
      {
        task: 'cleanup',
        outcome: 'passed',
        cleanupFailed: true,
        phases: { cleanup: { message: `cleanup, step 1 (misfit.crash): ${message}` } },
      },
      {
        task: 'setup',
        outcome: 'error',
        failure: {
          category: 'setup-failed',
          message: `setup, step 1 (misfit.crash): ${message}`,
        },
        verified: null,
        phases: { agent: null, verify: null, cleanup: { outcome: 'passed' } },
      },
      { task: 'z-goes-on', outcome: 'passed', cleanupFailed: false },
    ]);
    expect(stepsOf(result, 'setup').map(({ passed }) => passed)).toEqual([false, true]);
    expect(stepsOf(result, 'cleanup').at(-1)).toMatchObject({ passed: true });
    expect(result.stderr).toContain(`setup, step 1 (misfit.crash): ${message}`);
    expect(result.stdout).toContain('cannot reach the database');
    await expectNothingLeft(suite);
  });
});

/** How one does not start, and what is said of it. */
const starts: Record<string, string> = {
  'exits at once': 'exited with code 127, before it answered initialize',
  hangs: 'did not answer initialize within 30 s',
  'talks only': `exited with code 0, before it answered initialize${noise}Welcome!`,
  'refuses the settings': 'answered initialize with an error: initialization failed: no kubeconfig',
  'has no manifest': 'answered initialize with no manifest: its name is not text',
  'has no operations': 'answered initialize with no manifest: its operations are not a map',
  'speaks the next version': 'speaks version "0.1.0" of the protocol; only 0.0.x is understood',
};

describe.concurrent('an extension that does not start', () => {
  const named = Object.entries(starts).map(([how, says], n) => ({ name: `e${n}`, how, says }));
  const extensions = Object.fromEntries(
    named.map(({ name, how }) => [name, extension('misfit-start.mjs', { env: { HOW: how } })]),
  );

  it('is told with the place in the eval before anything runs', async ({ makeSuite }) => {
    const all = { ...extensions, none: { package: './none' }, text: { package: './text' } };
    const suite = await makeSuite({
      tasks: {
        one: {
          spec: {
            requires: Object.keys(all).map((name) => ({ extension: name })),
            setup: [script('touch ran')],
            verify: Object.keys(all).map((name) => ({ [`${name}.fine`]: {} })),
          },
        },
      },
      config: { extensions: all },
      files: { text: 'not a program' },
    });

    const result = await suite.check();

    expect(result.exitCode).toBe(2);
    const lines = (await suite.read('eval.yaml')).split('\n');
    for (const { name, says } of named) {
      const line = lines.findIndex((text) => text.includes(`"${name}": {`)) + 1;
      const code = `eval.yaml:${line}:7  error  [extension-not-ready]`;
      expect(result.stderr).toContain(`${code}  the extension ${name} ${says}\n`);
    }
    expect(result.stderr).toContain('a library is missing');
    expect(result.stderr).toMatch(/extension none is not ready: the program \S+ does not exist/);
    expect(result.stderr).toMatch(/extension text is not ready: the program \S+ is not executable/);
    expect(result.results).toBeUndefined();
    expect(result.events).toEqual([]);
    await expect(suite.read('tasks/ran')).rejects.toThrow('ENOENT');
    await expectNothingLeft(suite);
  });

  it('can be interrupted', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { one: { spec: { requires: [{ extension: 'e1' }], verify: [{ 'e1.fine': {} }] } } },
      config: { extensions },
    });
    const check = startSuite(suite);
    const commands = () => processesOf(suite).map(({ command }) => command);
    const isStarting = expect.stringContaining('misfit-start.mjs');
    const hasBegun = () => expect(commands()).toContainEqual(isStarting);
    await vi.waitFor(hasBegun, { timeout: 60_000 });

    check.kill('SIGINT');

    expect(await check.ended).toMatchObject({ exitCode: 130 });
    await expectNothingLeft(suite);
  });

  it('or does not want to leave is ended with what it started', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: {
        one: { spec: { requires: [{ extension: 'stays' }], verify: [{ 'stays.fine': {} }] } },
      },
      config: {
        extensions: {
          stays: extension('misfit-start.mjs', {
            env: { HOW: 'ignores whoever wants it to leave' },
          }),
        },
      },
    });

    const { exitCode, stdout } = await suite.proctor(['validate', '--connect', 'eval.yaml']);

    expect(exitCode).toBe(0);
    expect(stdout).toContain('extension stays 1.2.3: 1 operation\n');
    await expectNothingLeft(suite);
  });
});
