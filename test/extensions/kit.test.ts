import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixtures } from '../support/cli.js';
import { ExtensionProcess } from '../support/extension-process.js';

const context = { workdir: '/', phase: 'setup', env: {}, timeout: '1m', agent: {} };

async function untidy(env: Record<string, string> = {}): Promise<ExtensionProcess> {
  const extension = new ExtensionProcess(path.join(fixtures, 'extension-kit/untidy.mjs'), env);
  await extension.initialize();
  return extension;
}

describe('a program made with the kit', () => {
  it('keeps stdout for the protocol, whatever is printed', async () => {
    const extension = await untidy();
    const { result } = await extension.execute('print', {}, context);
    expect(result).toEqual({ success: true, outputs: { printed: true } });
    await extension.ask('shutdown', {});
    expect(await extension.ended).toBe(0);
    expect(extension.messages).toHaveLength(3);
    expect(extension.stderr.split('\n').slice(0, 5)).toEqual([
      'printed by log',
      'printed by info',
      'printed by debug',
      'written',
      'bytes',
    ]);
  });

  it('goes on when an operation forgets a promise that rejects', async () => {
    const extension = await untidy();
    const { result } = await extension.execute('forget', {}, context);
    expect(result).toEqual({ success: true });
    expect((await extension.execute('print', {}, context)).result).toMatchObject({ success: true });
    extension.endInput();
    expect(await extension.ended).toBe(0);
    expect(extension.stderr).toContain('Unhandled rejection: Error: forgotten');
  });

  it('writes everything before it ends', async () => {
    const extension = await untidy();
    const flood = extension.execute('flood', {}, context);
    const shutdown = extension.ask('shutdown', {});
    const { result } = await flood;
    expect(result).toEqual({ success: true, outputs: { text: 'x'.repeat(1024 * 1024) } });
    expect((await shutdown).result).toEqual({});
    expect(await extension.ended).toBe(0);
  });

  it('tears down and ends with its input, though a timer is left', async () => {
    const extension = await untidy();
    extension.endInput();
    expect(await extension.ended).toBe(0);
    expect(extension.stderr).toBe('torn down\n');
  });

  it('ends with code 1 when teardown fails', async () => {
    const extension = await untidy({ TEARDOWN: 'fails' });
    extension.endInput();
    expect(await extension.ended).toBe(1);
    expect(extension.stderr).toContain('still locked');
  });
});
