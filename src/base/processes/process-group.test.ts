import { expect, it } from 'vitest';
import { bypassProxyForLoopback, ProcessGroup } from './process-group.js';

it('does not wait for a process to leave by itself once that is hopeless', async () => {
  const group = new ProcessGroup(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const patience = { endOfInput: 600_000, terminate: 600_000 };
  expect(await group.stop(patience, Promise.resolve())).toMatchObject({ signal: 'SIGTERM' });
});

const both = (list: string) => ({ NO_PROXY: list, no_proxy: list });

it.each([
  ['nothing', {}, both('127.0.0.1,localhost,::1')],
  ['one spelling', { NO_PROXY: 'a.test' }, both('a.test,127.0.0.1,localhost,::1')],
  ['the other spelling', { no_proxy: 'a.test' }, both('a.test,127.0.0.1,localhost,::1')],
  [
    'two that differ',
    { NO_PROXY: 'a.test', no_proxy: 'b.test 10.0.0.0/8' },
    {
      NO_PROXY: 'a.test,127.0.0.1,localhost,::1',
      no_proxy: 'b.test,10.0.0.0/8,127.0.0.1,localhost,::1',
    },
  ],
  ['some of it', { NO_PROXY: 'localhost,a.test' }, both('localhost,a.test,127.0.0.1,::1')],
  ['everything', { NO_PROXY: '*' }, both('*')],
])('adds this machine to %s', (_, environment, expected) => {
  expect(bypassProxyForLoopback(environment)).toEqual(expected);
});
