import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
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
