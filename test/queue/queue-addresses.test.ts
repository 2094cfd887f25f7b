import path from 'node:path';
import { describe, expect } from 'vitest';
import { fixtures } from '../support/cli.js';
import { it as queueIt } from '../support/queue-suites.js';
import { RedisServer } from '../support/redis-server.js';
import { expectNoTrace, expectNoTraceInFiles } from '../support/secret-traces.js';

const password = 'mW4k-Zs82-tR6n-Jb39-vC7x-Lp51';
const tls = path.join(fixtures, 'tls');
const tasks = { a: {} };
const out = ['--out', 'out.json'];

describe('a queue', () => {
  queueIt('that is no address, or not there, is refused', async ({ makeServed }) => {
    const { suite } = await makeServed({ tasks });
    const asked = async (...args: string[]) => {
      const { exitCode, stderr } = await suite.proctor(args);
      expect(exitCode, stderr).toBe(2);
      return stderr;
    };
    const closed = await RedisServer.start();
    await closed.close();
    for (const command of [['check', 'eval.yaml'], ['worker'], ['queue', 'status']]) {
      expect(await asked(...command, '--queue', `http://user:${password}@host`)).toMatch(
        /--queue: expected an address such as redis:\/\/host:6379/,
      );
      const url = `redis://user:${password}@127.0.0.1:${closed.port}`;
      const refused = await asked(...command, '--queue', url);
      expect(refused).toContain(`cannot reach the queue at redis://127.0.0.1:${closed.port}`);
      expect(refused).toContain('ECONNREFUSED');
      expectNoTrace('the error', refused, [password]);
    }
    expect(await asked('worker')).toContain('there is no queue');
    expect(await asked('check', 'eval.yaml', '--detach')).toContain('--detach needs --queue');
  });

  const withPassword = queueIt.extend({
    redisOptions: { settings: ['--requirepass', password] },
  });

  withPassword(
    'with a password lets in who has it, and tells nobody',
    async ({ redis, makeServed }) => {
      const { suite, site } = await makeServed({ tasks });
      const url = `redis://:${password}@127.0.0.1:${redis.port}`;
      const without = await suite.proctor(['check', 'eval.yaml', '--queue', site.url]);
      expect(without.exitCode).toBe(2);
      expect(without.stderr).toContain('NOAUTH');
      const wrong = await suite.proctor(['worker', '--queue', url.replace('mW4k', 'nope')]);
      expect(wrong.exitCode).toBe(2);
      expect(wrong.stderr).toContain('WRONGPASS');

      const open = site.at(url);
      const worker = await open.worker('one');
      const { exitCode, stderr, stdout } = await open.check(out).ended;
      expect(exitCode, stderr).toBe(0);
      const status = await open.ask('queue', 'status');
      expect(status.stdout).toContain(`redis://127.0.0.1:${redis.port}: 0 runs, 1 worker`);
      await open.sendAway(worker);
      const said = await worker.ended;
      const all = [stderr, stdout, said.stderr, status.stdout, without.stderr, wrong.stderr].join(
        '\n',
      );
      expectNoTrace('what is said', all, [password]);
      expectNoTraceInFiles(suite.folder, [password]);
    },
  );

  const withTls = queueIt.extend({
    redisOptions: {
      tls: { certificate: path.join(tls, 'certificate.pem'), key: path.join(tls, 'key.pem') },
    },
  });

  withTls('over TLS is used if its certificate is known', async ({ makeServed, redis }) => {
    const { suite, site } = await makeServed({ tasks });
    const unknown = await suite.proctor(['queue', 'status', '--queue', redis.url]);
    expect(unknown.exitCode).toBe(2);
    expect(unknown.stderr).toMatch(/self-signed|unable to verify/);

    const env = { NODE_EXTRA_CA_CERTS: path.join(tls, 'certificate.pem') };
    const open = site.at(redis.url, env);
    await open.worker('one');
    const { exitCode, stderr } = await open.check(out).ended;
    expect(exitCode, stderr).toBe(0);
  });

  queueIt('knows nothing of what is behind other prefixes', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks });
    await site.worker('other', { args: ['--queue-prefix', 'other'] });
    const check = site.check([...out, '--queue-prefix', 'mine']);
    await check.says('Waiting for a worker: start one with proctor worker --queue');
    expect(await site.status()).toEqual({ runs: [], workers: [] });
    const own = await site.ask('queue', 'status', '-o', 'json', '--queue-prefix', 'mine');
    expect(JSON.parse(own.stdout)).toMatchObject({ runs: [{ state: 'preparing' }], workers: [] });

    await site.worker('mine', { args: ['--queue-prefix', 'mine'] });
    expect((await check.ended).exitCode).toBe(0);
    const { taskRuns } = JSON.parse(await suite.read('out.json'));
    expect(taskRuns).toMatchObject([{ worker: 'mine' }]);
  });
});
