import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ServedExtension } from '../../testing/extensions.js';
import { defineExtension } from './extension.js';

/** Notes what happens in it. */
function noting(notes: string[]) {
  return defineExtension({
    name: 'noting',
    version: '1',
    setup: () => ({ name: 'connection' }),
    operations: {
      wait: {
        async run(_args, { signal, log }) {
          log.info('waiting');
          await once(signal, 'abort');
          notes.push('aborted');
          signal.throwIfAborted();
        },
      },
      ignore: {
        run(_args, { log }) {
          log.info('waiting');
          return new Promise<void>(() => {});
        },
      },
    },
    teardown(state) {
      notes.push(`closed ${state.name}`);
    },
  });
}

const isLog = ({ method }: { method?: string }) => method === 'log';

describe('the end of an extension', () => {
  it('is that shutdown tears down, then answers', async () => {
    const notes: string[] = [];
    const served = await ServedExtension.initialized(noting(notes));
    const { result } = await served.ask('shutdown', {});
    expect(result).toEqual({});
    expect(notes).toEqual(['closed connection']);
    await served.ended;
  });

  it('aborts what is running, and answers it first', async () => {
    const notes: string[] = [];
    const served = await ServedExtension.initialized(noting(notes));
    const execution = served.execute('wait');
    await served.message(isLog);
    await served.ask('shutdown');
    expect(notes).toEqual(['aborted', 'closed connection']);
    expect((await execution).error?.message).toBe('the extension is shutting down');
    expect(served.messages.map(({ id }) => id)).toEqual([1, undefined, 2, 3]);
  });

  it('comes also when an operation does not heed its signal', async () => {
    const notes: string[] = [];
    const served = await ServedExtension.initialized(noting(notes));
    void served.execute('ignore');
    await served.message(isLog);
    expect((await served.ask('shutdown')).result).toEqual({});
    expect(notes).toEqual(['closed connection']);
  });

  it('comes with the end of the input', async () => {
    const notes: string[] = [];
    const served = await ServedExtension.initialized(noting(notes));
    const execution = served.execute('wait');
    await served.message(isLog);
    served.endInput();
    await served.ended;
    expect(notes).toEqual(['aborted', 'closed connection']);
    expect((await execution).error?.message).toBe('the extension is shutting down');
  });

  it('comes when the input cannot be read, which is reported', async () => {
    const notes: string[] = [];
    const served = await ServedExtension.initialized(noting(notes));
    served.breakInput(new Error('read EIO'));
    await expect(served.ended).rejects.toThrow('read EIO');
    expect(notes).toEqual(['closed connection']);
  });

  it('comes with a shutdown that is a notification', async () => {
    const notes: string[] = [];
    const served = await ServedExtension.initialized(noting(notes));
    served.write('{"jsonrpc":"2.0","method":"shutdown"}\n');
    await served.ended;
    expect(notes).toEqual(['closed connection']);
    expect(served.messages).toHaveLength(1);
  });

  it('tears nothing down that was not set up', async () => {
    const notes: string[] = [];
    const served = new ServedExtension(noting(notes));
    expect((await served.ask('shutdown')).result).toEqual({});
    await served.ended;
    expect(notes).toEqual([]);
  });

  it('does not begin anything new', async () => {
    const served = await ServedExtension.initialized(noting([]));
    void served.execute('wait');
    await served.message(isLog);
    const shutdown = served.ask('shutdown');
    const late = served.execute('wait');
    expect((await late).error?.message).toBe('the extension is shutting down');
    await shutdown;
  });

  it('reports when teardown fails', async () => {
    const served = await ServedExtension.initialized({
      name: 'x',
      version: '1',
      operations: {},
      teardown: () => Promise.reject(new Error('still locked')),
    });
    expect((await served.ask('shutdown')).error).toEqual({ code: -32603, message: 'still locked' });
    await expect(served.ended).rejects.toThrow('still locked');
  });
});

describe('setup that fails', () => {
  it('is the answer to initialize and to everything after it', async () => {
    const notes: string[] = [];
    const served = new ServedExtension({
      ...noting(notes),
      setup: () => Promise.reject(new Error('no such database')),
    });
    const failure = { code: -32603, message: 'no such database' };
    expect((await served.ask('initialize', { protocolVersion: '0.0.1' })).error).toEqual(failure);
    expect((await served.execute('wait')).error).toEqual(failure);
    expect((await served.ask('shutdown')).result).toEqual({});
    expect(notes).toEqual([]);
  });

  it('is aborted when the extension is to end', async () => {
    const served = new ServedExtension({
      ...noting([]),
      async setup(_config, { signal, log }) {
        log.info('connecting');
        await once(signal, 'abort');
        signal.throwIfAborted();
        return { name: 'never' };
      },
    });
    const initialize = served.ask('initialize', { protocolVersion: '0.0.1' });
    await served.message(isLog);
    await served.ask('shutdown');
    expect((await initialize).error?.message).toBe('the extension is shutting down');
  });
});

const greeter = () =>
  defineExtension({
    name: 'greeter',
    version: '1.2.3',
    description: 'Greets',
    setup: (config: { greeting?: string }) => ({ greeting: config.greeting ?? 'Hello' }),
    operations: {
      greet: {
        description: 'Greets somebody',
        params: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        run: ({ name }: { name: string }, { state }) => ({
          message: 'done',
          outputs: { text: `${state.greeting} ${name}`, length: name.length, nested: { ok: true } },
        }),
      },
      nothing: { run() {} },
      context: { run: (_args, { context }) => ({ outputs: { context } }) },
    },
  });

/** An extension whose operation `go` does this, initialized. */
function withOperation(run: () => unknown): Promise<ServedExtension> {
  return ServedExtension.initialized({
    name: 'x',
    version: '1',
    // What authors without a compiler may write.
    operations: { go: { run: run as () => undefined } },
  });
}

describe('an extension', () => {
  it('answers initialize with its manifest', async () => {
    const served = new ServedExtension(greeter());
    const { result } = await served.ask('initialize', { protocolVersion: '0.0.1', config: {} });
    expect(result).toEqual({
      name: 'greeter',
      version: '1.2.3',
      protocolVersion: '0.0.1',
      description: 'Greets',
      operations: {
        greet: {
          description: 'Greets somebody',
          params: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        },
        nothing: {},
        context: {},
      },
    });
  });

  it('hands the config to setup, and what setup returns to operations', async () => {
    const served = await ServedExtension.initialized(greeter(), { greeting: 'Ahoy' });
    expect(await served.execute('greet', { name: 'Ada' })).toMatchObject({
      result: {
        success: true,
        message: 'done',
        outputs: { text: 'Ahoy Ada', length: 3, nested: { ok: true } },
      },
    });
  });

  it('succeeds when an operation returns nothing', async () => {
    const served = await ServedExtension.initialized(greeter());
    expect((await served.execute('nothing')).result).toEqual({ success: true });
  });

  it('operations get the context in which they are called', async () => {
    const served = await ServedExtension.initialized(greeter());
    const context = {
      workdir: '/tmp/run',
      phase: 'cleanup',
      env: { A: 'b' },
      timeout: '1m',
      agent: { prompt: 'Do it', output: 'Done' },
    };
    const { result } = await served.execute('context', {}, context);
    expect(result).toEqual({ success: true, outputs: { context } });
    const bare = { ...context, env: undefined, timeout: undefined, agent: undefined };
    expect(await served.execute('context', {}, bare)).toMatchObject({
      result: { outputs: { context: { env: {}, agent: {} } } },
    });
  });

  it('runs operations side by side', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const served = await ServedExtension.initialized({
      name: 'x',
      version: '1',
      operations: { first: { run: () => released }, second: { run: () => release() } },
    });
    const first = served.execute('first');
    await served.execute('second');
    expect((await first).result).toEqual({ success: true });
  });

  it('sends what operations and setup log', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    const served = await ServedExtension.initialized({
      name: 'x',
      version: '1',
      setup: (_config, { log }) => log.debug('set up'),
      operations: {
        go: {
          run(_args, { log }) {
            log.info('created', { rows: 3 });
            log.warn('round', circle);
            log.error('last');
          },
        },
      },
    });
    await served.execute('go');
    const logs = served.messages.filter(({ method }) => method === 'log');
    expect(logs.map(({ params }) => params)).toEqual([
      { level: 'debug', message: 'set up' },
      { level: 'info', message: 'created', data: { rows: 3 } },
      { level: 'warn', message: expect.stringContaining('round (data cannot be written as JSON') },
      { level: 'error', message: 'last' },
    ]);
  });

  it('survives that a chunk ends within a character', async () => {
    const served = await ServedExtension.initialized(greeter());
    const request = { id: 'a', method: 'execute', params: { operation: 'greet' } };
    const context = { workdir: '/', phase: 'setup' };
    const params = { ...request.params, args: { name: 'Zoë\u2028' }, context };
    const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', ...request, params })}\n`);
    const middle = bytes.indexOf('ë') + 1;
    served.write(bytes.subarray(0, middle));
    served.write(bytes.subarray(middle));
    expect(await served.message(({ id }) => id === 'a')).toMatchObject({
      result: { outputs: { text: 'Hello Zoë\u2028' } },
    });
  });
});

describe('an operation that fails', () => {
  it.each([
    ['throws an error', () => Promise.reject(new Error('no table')), 'no table'],
    ['throws at once', () => raise(new TypeError('not a function')), 'not a function'],
    ['throws an error without a message', () => raise(new RangeError()), 'RangeError'],
    ['throws a text', () => raise('out of luck'), 'out of luck'],
    ['throws anything', () => raise(42), 'number was thrown'],
    ['returns that it failed', () => ({ success: false, error: 'two rows' }), 'two rows'],
    ['returns an error alone', () => ({ error: 'two rows' }), 'two rows'],
  ])('says so when it %s', async (_what, run, error) => {
    const served = await withOperation(run);
    expect((await served.execute('go')).result).toEqual({ success: false, error });
  });

  it.each([
    ['false', false, 'returned false'],
    ['null', null, 'returned null'],
    ['a text', 'failed', 'returned a string'],
    ['a list', [], 'returned an array'],
    ['an unknown member', { passed: false }, 'returned an object with `passed`'],
    ['a success that is no boolean', { success: 'no' }, 'returned a string as `success`'],
    ['outputs that are no map', { outputs: [1] }, 'returned an array as `outputs`'],
    ['a success with an error', { success: true, error: 'x' }, 'success: true with an error'],
    ['a failure without an error', { success: false }, 'success: false without an error'],
  ])('is an error, and no verdict, when it returns %s', async (_what, returned, message) => {
    const served = await withOperation(() => returned);
    const { result, error } = await served.execute('go');
    expect(result).toBeUndefined();
    expect(error).toMatchObject({ code: -32603, message: expect.stringContaining(message) });
  });

  it('is an error when its outputs are no JSON', async () => {
    const served = await withOperation(() => ({ outputs: { big: 10n } }));
    expect((await served.execute('go')).error?.message).toContain('cannot be written as JSON');
  });
});

describe('time limits', () => {
  it('abort the signal of an operation, which is an error and no verdict', async () => {
    const served = await ServedExtension.initialized({
      name: 'x',
      version: '1',
      operations: {
        listens: {
          async run(_args, { signal }) {
            await once(signal, 'abort');
            signal.throwIfAborted();
          },
        },
        waits: { run: (_args, { signal }) => wait(2 ** 30, undefined, { signal }) },
      },
    });
    for (const operation of ['listens', 'waits']) {
      const { error } = await served.execute(operation, {}, { timeout: '5ms' });
      expect(error).toEqual({
        code: -32603,
        message: "the step's time limit of 5ms was reached",
      });
    }
  });

  it('leave no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const served = await ServedExtension.initialized(greeter());
    await served.execute('nothing', {}, { timeout: '1h' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('requests that make no sense', () => {
  it.each([
    ['{"half', -32700],
    ['', -32700],
    ['[]', -32600],
    ['null', -32600],
    ['{"jsonrpc":"2.0","id":1}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"execute"}', -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"execute","params":[]}', -32600],
  ])('are answered with an error: %s', async (line, code) => {
    const served = await ServedExtension.initialized(greeter());
    served.write(`${line}\n`);
    expect((await served.message(({ id }) => id === null)).error?.code).toBe(code);
    expect((await served.execute('nothing')).result).toEqual({ success: true });
  });

  it('are answered for unknown methods, but not for unknown notifications', async () => {
    const served = await ServedExtension.initialized(greeter());
    served.write('{"jsonrpc":"2.0","method":"progress"}\n');
    expect((await served.ask('status')).error).toEqual({
      code: -32601,
      message: 'there is no method status',
    });
    expect(served.messages).toHaveLength(2);
  });

  it.each([
    ['an unknown operation', { operation: 'wave' }, 'there is no operation wave; there are: greet'],
    ['one that every object has', { operation: 'toString' }, 'there is no operation toString'],
    ['no operation', {}, 'there is no operation undefined'],
    ['arguments that are no object', { operation: 'greet', args: [] }, '`args` is not an object'],
    ['no context', { operation: 'greet' }, '`context` is missing'],
    ['no workdir', { operation: 'greet', context: {} }, '`context.workdir` is missing'],
    [
      'an unknown phase',
      { operation: 'greet', context: { workdir: '/', phase: 'agent' } },
      '`context.phase` is missing or invalid',
    ],
  ])('are answered for %s', async (_what, params, message) => {
    const served = await ServedExtension.initialized(greeter());
    expect((await served.ask('execute', params)).error).toMatchObject({
      code: -32602,
      message: expect.stringContaining(message),
    });
  });

  it('are answered for an execution before initialize', async () => {
    const served = new ServedExtension(greeter());
    expect((await served.execute('greet')).error).toEqual({
      code: -32600,
      message: 'the extension was not initialized',
    });
  });

  it('are answered for a second initialize', async () => {
    const served = await ServedExtension.initialized(greeter());
    const { error } = await served.ask('initialize', { protocolVersion: '0.0.1' });
    expect(error?.message).toBe('the extension was initialized already');
  });

  it.each(['0.1.0', '1.0.0', '', 1, undefined])('are answered for version %s', async (version) => {
    const served = new ServedExtension(greeter());
    const { error } = await served.ask('initialize', { protocolVersion: version });
    expect(error).toMatchObject({
      code: -32602,
      message: 'the extension speaks protocol version 0.0.1, and no other',
    });
  });
});

function raise(thrown: unknown): never {
  throw thrown;
}
