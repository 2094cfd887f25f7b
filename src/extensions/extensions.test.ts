import { expect, test } from 'vitest';
import { RunningExtensions } from '../../testing/extensions.js';
import { ExtensionError } from './extension-definition.js';

const { signal } = new AbortController();

test('an extension says what it can do, and does it', async () => {
  const good = new RunningExtensions('good.mjs');
  const [check] = await good.extensions.prepare(['it'], signal);
  expect(check).toMatchObject({
    extension: 'it',
    manifest: { name: 'fixture', version: '1.2.3', protocolVersion: '0.0.1' },
  });
  expect(good.extensions.manifestOf('it')?.operations.get('echo')).toMatchObject({
    description: 'echo',
    params: { type: 'object' },
  });
  expect(await good.execute('echo', { text: 'hello' })).toEqual({
    success: true,
    message: 'echoed',
    outputs: { text: 'hello' },
    log: [],
  });
  expect(await good.execute('fail')).toMatchObject({
    success: false,
    message: 'looked for it',
    error: 'the pod is not there',
  });
});

test('an extension that no step uses is not started', async () => {
  const good = new RunningExtensions('good.mjs');
  expect(good.processes).toEqual([]);
  expect(good.extensions.manifestOf('it')).toBeUndefined();
  await good.extensions.close();
});

test('an extension gets its settings, its environment and the context of the step', async () => {
  const definition = { config: { database: { port: 5432 } }, env: { GREETING: 'hello' } };
  const good = new RunningExtensions('good.mjs', { definition, environment: { GREETING: 'no' } });
  const { outputs } = await good.execute('settings');
  expect(outputs.greeting).toBe('hello');
  expect(outputs.cwd).toBe(good.folder);
  expect(JSON.parse(outputs.config ?? '')).toEqual({ database: { port: 5432 } });
  expect(JSON.parse(outputs.context ?? '')).toEqual({
    workdir: good.folder,
    phase: 'verify',
    env: {},
    timeout: '1m',
  });
});

test('outputs become text, and those that are null are left out', async () => {
  const good = new RunningExtensions('good.mjs');
  const { outputs } = await good.execute('kinds');
  expect(outputs).toEqual({
    text: ' a\n',
    number: '1.5',
    yes: 'true',
    list: '[1,"x"]',
    map: '{"a":{}}',
  });
});

test('one process serves all executions, and keeps its state', async () => {
  const good = new RunningExtensions('good.mjs');
  const answers = await Promise.all([1, 2, 3].map(() => good.execute('count')));
  expect(answers.map(({ outputs }) => outputs.count)).toEqual(['1', '2', '3']);
  expect(new Set(answers.map(({ outputs }) => outputs.pid)).size).toBe(1);
});

test('answers may come in another order than the questions', async () => {
  const good = new RunningExtensions('good.mjs');
  const order: (string | undefined)[] = [];
  await Promise.all(
    ['hold', 'release'].map(async (operation) => {
      const { outputs } = await good.execute(operation);
      order.push(outputs.order);
    }),
  );
  expect(order).toEqual(['first', 'second']);
});

test('what is logged belongs to every execution under way, and to no later one', async () => {
  const good = new RunningExtensions('good.mjs');
  const held = good.execute('hold');
  const logged = await good.execute('log', { lines: 2 });
  const lines = [
    { level: 'debug', message: 'line 1 {"line":1}' },
    { level: 'debug', message: 'line 2 {"line":2}' },
  ];
  expect(logged.log).toEqual(lines);
  await good.execute('release');
  expect((await held).log).toEqual(lines);
  expect((await good.execute('count')).log).toEqual([]);
});

test('a long log is cut, and says how much is missing', async () => {
  const good = new RunningExtensions('good.mjs');
  const { log } = await good.execute('log', { lines: 250 });
  expect(log).toHaveLength(201);
  expect(log.at(-1)?.message).toBe('50 more lines of the log are left out here');
});

test('secrets are taken out of the log before it is cut', async () => {
  const good = new RunningExtensions('good.mjs', { redact: (text) => text.replace('line', '***') });
  const { log } = await good.execute('log', { lines: 1 });
  expect(log[0]?.message).toBe('*** 1 {"line":1}');
});

test('arguments that do not fit the schema are refused before anything is asked', async () => {
  const good = new RunningExtensions('good.mjs');
  await expect(good.execute('echo', { text: 5, txet: '' })).rejects.toThrow(
    'it.echo cannot be asked for: txet: is not a known argument; text: must be string',
  );
  expect(good.extensions.flawsOf('it', 'echo', {})).toEqual(['text: is missing']);
  expect(good.extensions.flawsOf('it', 'echo', { text: '' })).toEqual([]);
  expect(good.extensions.flawsOf('it', 'count', { anything: 1 })).toEqual([]);
});

test('an operation that does not exist is refused', async () => {
  const good = new RunningExtensions('good.mjs');
  await expect(good.execute('ehco')).rejects.toThrow(
    'it.ehco cannot be asked for: there is no operation ehco: did you mean echo?',
  );
});

test('an extension that is not defined, or whose program is not found, is reported', async () => {
  const locate = async () => {
    throw new ExtensionError('there is no such file', { hint: 'build it first' });
  };
  const none = new RunningExtensions('none.mjs', { locate });
  expect(await none.extensions.prepare(['it', 'other'], signal)).toEqual([
    { extension: 'it', message: 'there is no such file', hint: 'build it first' },
    { extension: 'other', message: 'there is no extension other' },
  ]);
  expect(none.extensions.flawsOf('it', 'echo', {})).toEqual(['the extension it is not running']);
});

test('a program that cannot be started is reported', async () => {
  const none = new RunningExtensions('none.mjs');
  expect(await none.extensions.prepare(['it'], signal)).toEqual([
    {
      extension: 'it',
      message: expect.stringMatching(
        /^the extension it could not be started: command not found: .*none\.mjs$/,
      ),
    },
  ]);
});

test('closing ends what runs, can be repeated, and nothing starts after it', async () => {
  const good = new RunningExtensions('good.mjs');
  await good.extensions.prepare(['it'], signal);
  expect(good.processes).toHaveLength(1);
  await Promise.all([good.extensions.close(), good.extensions.close()]);
  await good.extensions.close();
  await good.expectNothingLeft();
  await expect(good.execute('count')).rejects.toThrow('the extension it has been shut down');
});

test('closing calls off a search for the program that goes on for ever', async () => {
  let started = () => {};
  const isSearching = new Promise<void>((resolve) => {
    started = resolve;
  });
  const locate = (_: unknown, stop: AbortSignal) => {
    started();
    return new Promise<string>((_, reject) => {
      stop.addEventListener('abort', () => reject(stop.reason));
    });
  };
  const lost = new RunningExtensions('good.mjs', { locate });
  const pending = expect(lost.execute('count')).rejects.toThrow(
    'the extension it was cancelled before it was ready',
  );
  await isSearching;
  await lost.extensions.close();
  await pending;
});
