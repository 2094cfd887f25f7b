import { expect, it } from 'vitest';
import { ProcessGroup } from './process-group.js';

it('does not wait for a process to leave by itself once that is hopeless', async () => {
  const group = new ProcessGroup(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const patience = { endOfInput: 600_000, terminate: 600_000 };
  expect(await group.stop(patience, Promise.resolve())).toMatchObject({ signal: 'SIGTERM' });
});
