import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RunningExtensions } from '../../testing/extensions.js';
import { ExtensionError } from './extension-definition.js';

const { signal } = new AbortController();

/** Says how it starts, in a test without patience. */
async function startOf(how: string, startLimitMs?: number) {
  const misfit = new RunningExtensions('misfit-start.mjs', {
    environment: { HOW: how },
    ...(startLimitMs !== undefined && { startLimitMs }),
  });
  const [check] = await misfit.extensions.prepare(['it'], signal);
  await misfit.expectNothingLeft();
  return check;
}

test.each([
  [
    'refuses the settings',
    'the extension it answered initialize with an error: initialization failed: no kubeconfig',
  ],
  [
    'has no manifest',
    'the extension it answered initialize with no manifest: its name is not text',
  ],
  [
    'has no operations',
    'the extension it answered initialize with no manifest: its operations are not a map',
  ],
  [
    'has a strange operation',
    'the extension it answered initialize with no manifest: its operation "pod" is not a map',
  ],
  [
    'speaks the next version',
    'the extension it speaks version "0.1.0" of the protocol; only 0.0.x is understood',
  ],
])('an extension that %s is reported before anything runs', async (how, message) => {
  expect(await startOf(how)).toEqual({ extension: 'it', message });
});

test('an extension that exits at once is reported, with the end of its log', async () => {
  expect(await startOf('exits at once')).toEqual({
    extension: 'it',
    message: 'the extension it exited with code 127, before it answered initialize',
    details: 'a library is missing',
  });
});

test('an extension that does not start is given up after a while', async () => {
  expect(await startOf('hangs', 500)).toEqual({
    extension: 'it',
    message: 'the extension it did not answer initialize within 0.5 s',
  });
});

test('an extension that says something else than its manifest is quoted', async () => {
  expect(await startOf('talks only')).toEqual({
    extension: 'it',
    message:
      'the extension it exited with code 0, before it answered initialize; it wrote a line that answers nothing: Welcome!',
  });
});

test('an extension that does not start in time is ended', async () => {
  const misfit = new RunningExtensions('misfit-start.mjs', { environment: { HOW: 'hangs' } });
  const controller = new AbortController();
  const pending = expect(misfit.execute('fine', {}, controller.signal)).rejects.toThrow(
    'the extension it was cancelled before it was ready',
  );
  await expect.poll(() => misfit.processes).toHaveLength(1);
  controller.abort();
  await pending;
  await misfit.expectNothingLeft();
});

test('an extension that ignores all signals to leave is ended with what it started', async () => {
  const misfit = new RunningExtensions('misfit-start.mjs', {
    environment: { HOW: 'ignores whoever wants it to leave' },
  });
  await misfit.extensions.prepare(['it'], signal);
  await expect.poll(() => misfit.processes).toHaveLength(2);
  await misfit.extensions.close();
  await misfit.expectNothingLeft();
});

test.each([
  ['crash', 'exited with code 3, before it answered execute', 'cannot reach the database'],
  ['leave', 'exited with code 0, before it answered execute', undefined],
  ['childThenCrash', 'exited with code 4, before it answered execute', undefined],
  [
    'longLine',
    'sent too much in one line: a message is longer than 16777216 characters, before it answered execute',
    undefined,
  ],
  [
    'flood',
    'writes only lines that are not messages, before it answered execute; it wrote a line that answers nothing: nothing',
    undefined,
  ],
  ['deep', 'gave the output deep, which is nested too deep', undefined],
  ['refuse', 'answered execute with an error: no such pod', '{"pod":"web"}'],
])(
  'an operation that does %s gives an error, and the next one runs',
  async (operation, end, details) => {
    const misfit = new RunningExtensions('misfit.mjs');
    const error = await misfit.execute(operation).catch((reason) => reason);
    expect(error).toBeInstanceOf(ExtensionError);
    expect(error.message).toBe(`the extension it ${end}`);
    expect(error.details).toBe(details);
    expect(await misfit.execute('fine')).toMatchObject({ success: true });
    await misfit.extensions.close();
    await misfit.expectNothingLeft();
  },
);

test.each([
  [null, 'does not say whether it succeeded'],
  [[], 'does not say whether it succeeded'],
  ['passed', 'does not say whether it succeeded'],
  [{}, 'does not say whether it succeeded'],
  [{ success: 'true' }, 'does not say whether it succeeded'],
  [{ success: 1 }, 'does not say whether it succeeded'],
  [{ success: true, message: {} }, 'whose message is not text'],
  [{ success: false, error: 5 }, 'whose error is not text'],
  [{ success: true, error: 'not found' }, 'that contradicts itself'],
  [{ success: true, outputs: ['a'] }, 'whose outputs are not a map'],
  [
    { success: true, outputs: { ['x'.repeat(300)]: '' } },
    'an output whose name has 300 characters',
  ],
  [
    { success: true, outputs: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, ''])) },
    'with 1001 outputs',
  ],
])('an answer of the wrong shape is an error: %j', async (result, reason) => {
  const misfit = new RunningExtensions('misfit.mjs');
  await expect(misfit.execute('wrong', { result })).rejects.toThrow(reason);
});

test('an answer to no request, or a second one, changes nothing', async () => {
  const misfit = new RunningExtensions('misfit.mjs');
  expect((await misfit.execute('stray')).outputs).toEqual({ answer: 'the right one' });
  expect(await misfit.execute('twice')).toMatchObject({ success: true });
  expect(await misfit.execute('fine')).toMatchObject({ success: true });
});

test('a flood of log lines is cut, and does not keep the answer from coming', async () => {
  const misfit = new RunningExtensions('misfit.mjs');
  const { success, log } = await misfit.execute('floodLogs');
  expect(success).toBe(true);
  expect(log).toHaveLength(201);
  expect(log[0]?.message.length).toBeLessThanOrEqual(2 * 1024 + 2);
  expect(log.at(-1)?.message).toBe('99801 more lines of the log are left out here');
});

test.each([
  ['hang', ''],
  ['floodLogsForEver', ''],
  ['garbage', '; it wrote a line that answers nothing: Connecting ...'],
  [
    'strayOnly',
    '; it wrote a line that answers nothing: {"jsonrpc":"2.0","id":"2","result":{"success":true}}',
  ],
])(
  'an operation that does %s can be called off, and the next one has a process of its own',
  async (operation, more) => {
    const misfit = new RunningExtensions('misfit.mjs');
    const before = await misfit.execute('fine');
    const controller = new AbortController();
    const pending = misfit.execute(operation, {}, controller.signal).catch((reason) => reason);
    await misfit.hasBegun(operation);
    controller.abort();
    const error = await pending;
    expect(error).toBeInstanceOf(ExtensionError);
    expect(error.message).toBe(`the extension it was cancelled, before it answered execute${more}`);
    const after = await misfit.execute('fine');
    expect(after.outputs.pid).not.toBe(before.outputs.pid);
    await expect
      .poll(() => misfit.processes, { timeout: 20_000 })
      .toEqual([Number(after.outputs.pid)]);
  },
);

test('a request under way gets its answer from a process that others have given up', async () => {
  const good = new RunningExtensions('good.mjs');
  const file = path.join(good.folder, 'ready');
  const waiting = good.execute('wait', { file });
  const controller = new AbortController();
  const held = good.execute('hold', {}, controller.signal).catch((reason) => reason);
  const { outputs: first } = await good.execute('count');
  controller.abort();
  expect((await held).message).toContain('was cancelled, before it answered execute');
  const { outputs: second } = await good.execute('count');
  expect(second.pid).not.toBe(first.pid);
  writeFileSync(file, '');
  expect((await waiting).outputs.pid).toBe(first.pid);
  await expect.poll(() => good.processes, { timeout: 20_000 }).toEqual([Number(second.pid)]);
});

test('a request under way fails when everything is closed', async () => {
  const good = new RunningExtensions('good.mjs');
  const held = good.execute('hold').catch((reason) => reason);
  await good.execute('count');
  await good.extensions.close();
  expect((await held).message).toBe(
    'the extension it exited with code 0, before it answered execute',
  );
});

test('a request that is aborted before it is sent changes nothing', async () => {
  const good = new RunningExtensions('good.mjs');
  const { outputs: first } = await good.execute('count');
  await expect(good.execute('count', {}, AbortSignal.abort())).rejects.toThrow('was cancelled');
  expect((await good.execute('count')).outputs).toEqual({ count: '2', pid: first.pid });
});

test('an extension that has closed its input is not waited for', async () => {
  const misfit = new RunningExtensions('closing-input.sh');
  await misfit.execute('fine');
  await expect(misfit.execute('fine')).rejects.toThrow(
    'the extension it has closed its input, before it answered execute',
  );
  await misfit.extensions.close();
  await misfit.expectNothingLeft();
});

test('what an extension does not read does not pile up without end', async () => {
  const misfit = new RunningExtensions('misfit.mjs');
  await misfit.execute('deaf');
  const text = 'x'.repeat(17 * 1024 * 1024);
  const unread = [1, 2, 3].map(() =>
    misfit.execute('fine', { text }).catch(({ message }) => message),
  );
  const expected = 'the extension it does not read its input, before it answered execute';
  expect(await Promise.all(unread)).toEqual([expected, expected, expected]);
});

test('what an extension started is ended with it', async () => {
  const misfit = new RunningExtensions('misfit.mjs');
  const { outputs } = await misfit.execute('child');
  expect(misfit.processes).toContain(Number(outputs.pid));
  await misfit.extensions.close();
  await misfit.expectNothingLeft();
});
