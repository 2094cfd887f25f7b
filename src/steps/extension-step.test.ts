import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stepContext } from '../../testing/step-context.js';
import { runExtensionStep } from './extension-step.js';
import type { ExtensionAnswer, ExtensionRequest, StepContext } from './step.js';

const fine: ExtensionAnswer = { success: true, outputs: {}, log: [] };

/** A step with an extension that answers this. */
function stepWith(
  answer: (request: ExtensionRequest, extension: string) => Promise<ExtensionAnswer>,
  changes: Partial<StepContext> = {},
): StepContext {
  const context = stepContext({ target: { name: 'db', operation: 'query' }, ...changes });
  const execute: StepContext['services']['execute'] = (extension, request) =>
    answer(request, extension);
  return { ...context, services: { ...context.services, execute } };
}

test('asks for the operation with resolved arguments and the context of the step', async () => {
  const asked: unknown[] = [];
  const context = stepWith(
    async (request, extension) => {
      asked.push(extension, request);
      return { ...fine, message: 'done', outputs: { rows: '3' } };
    },
    {
      phase: 'cleanup',
      timeoutMs: 90_000,
      agent: { prompt: 'count', output: '3' },
      environment: { PATH: '/bin', SECRET: 'x', PROCTOR_TASK_NAME: 't', PROCTOR_WORKDIR: '/w' },
      resolve: (text) => text.replace('{task.name}', 'counting'),
    },
  );
  const data = { table: '{task.name}', where: [{ id: 1, name: '{task.name}' }] };
  const args = { table: 'counting', where: [{ id: 1, name: 'counting' }] };
  const { account, ...result } = await runExtensionStep(data, context);
  expect(result).toEqual({ outcome: 'passed', outputs: { rows: '3' } });
  expect(account?.args?.value).toEqual(args);
  expect(account).not.toHaveProperty('log');
  expect(asked).toEqual([
    'db',
    {
      operation: 'query',
      args,
      context: {
        workdir: context.workdir,
        phase: 'cleanup',
        env: { PROCTOR_TASK_NAME: 't', PROCTOR_WORKDIR: '/w' },
        timeout: '1m30s',
        agent: { prompt: 'count', output: '3' },
      },
    },
  ]);
});

test.each([
  [{ error: 'no such table', message: 'looked' }, 'no such table'],
  [{ message: 'looked' }, 'looked'],
  [{}, 'the extension says that it failed'],
])('fails when the extension says so, with its reason: %j', async (more, message) => {
  const log = [{ level: 'warn', message: 'slow' }];
  const context = stepWith(async () => ({ success: false, outputs: { a: 'b' }, log, ...more }));
  const result = await runExtensionStep(null, context);
  expect(result).toMatchObject({ outcome: 'failed', message, outputs: { a: 'b' } });
  expect(result.account?.log).toEqual(log);
  expect(result.account?.args?.text).toBe('{}');
});

test('an extension that gives no answer is an error, with what it has logged', async () => {
  const failure = Object.assign(new Error('it exited'), { details: 'out of memory' });
  const context = stepWith(() => Promise.reject(failure));
  const { outcome, message, account } = await runExtensionStep({}, context);
  expect({ outcome, message }).toEqual({ outcome: 'error', message: 'it exited' });
  expect(account?.log).toEqual([{ level: 'error', message: 'out of memory' }]);
});

test('a step that is stopped was not judged', async () => {
  const controller = new AbortController();
  const context = stepWith(
    async () => {
      controller.abort();
      throw new Error('was cancelled');
    },
    { signal: controller.signal },
  );
  const { account, ...result } = await runExtensionStep({}, context);
  expect(result).toEqual({ outcome: 'stopped', isUnjudged: true, outputs: {} });
  expect(account?.log).toEqual([{ level: 'error', message: 'was cancelled' }]);
});

test('a long output is cut, and the whole is kept in a file', async () => {
  const long = 'word '.repeat(400_000);
  const context = stepWith(async () => ({ ...fine, outputs: { long, short: 'x\n' } }));
  const { outputs, truncated, spilled } = await runExtensionStep({}, context);
  expect(outputs.short).toBe('x\n');
  expect(outputs.long).toMatch(/\n\[\.\.\. \d+ characters left out \.\.\.]\n/);
  expect(outputs.long?.length).toBeLessThan(600_000);
  expect(truncated).toEqual(['long']);
  expect(readFileSync(spilled?.long ?? '', 'utf8')).toBe(long);
});

test('arguments have to be a map', async () => {
  const context = stepWith(async () => fine);
  await expect(runExtensionStep(['a'], context)).rejects.toThrow('have to be a map');
});
