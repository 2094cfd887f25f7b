import { readFile } from 'node:fs/promises';
import { CheckSuite, type CheckSuiteOptions } from './check-suite.js';
import { serverProgram } from './mcp-servers.js';
import { QueueSite } from './queue-site.js';
import { RedisServer, type RedisServerOptions } from './redis-server.js';
import { type ScratchSuite, it as scratchIt } from './scratch-suite.js';
import type { SuiteParts } from './suite-parts.js';

/** What is in the folder of a suite that is no part of it. */
const ignored = ['/tmp', '/home', '/gates', '/log', '/out*', ''].join('\n');

/** So soon that tests need not wait, and not so soon that a busy machine is taken for a dead one. */
export const shortLease = ['--lease', '4s'];

/** A server whose program travels with the suite; every tool is allowed. */
export const travellingServer = {
  command: '/bin/sh',
  args: ['server.sh'],
  cwd: '.',
  enableAllTools: true,
};

/** A call of its tool, by an agent that is scripted. */
export const note = { call: { server: 'shell', tool: 'note' } };

interface ServedSuite {
  suite: ScratchSuite;
  site: QueueSite;
}

interface QueueFixtures {
  redis: RedisServer;
  /** What Redis is started with. */
  redisOptions: RedisServerOptions;
  /** A suite that has everything it needs in its folder. */
  makeServed: (parts: SuiteParts) => Promise<ServedSuite>;
  /** A suite whose steps can be held up. */
  makeGated: (
    options?: Partial<CheckSuiteOptions>,
  ) => Promise<{ suite: CheckSuite; site: QueueSite }>;
}

/** Tests with a Redis server of their own, and suites that workers run. */
export const it = scratchIt.extend<QueueFixtures>({
  redisOptions: {},
  redis: async ({ redisOptions, onTestFinished }, use) => {
    const redis = await RedisServer.start(redisOptions);
    onTestFinished(() => redis.close());
    await use(redis);
  },
  makeServed: async ({ redis, makeSuite, onTestFinished }, use) => {
    await use(async (parts) => {
      const server = await readFile(serverProgram('shell-stdio-server.sh'), 'utf8');
      const servers = { shell: travellingServer };
      const files = { 'server.sh': server, '.proctorignore': ignored, ...parts.files };
      const suite = await makeSuite({ servers, ...parts, files });
      const env = { HOME: suite.path('home'), TMPDIR: suite.temporaryFolder };
      const site = new QueueSite(redis.url, { folder: suite.folder, env });
      onTestFinished(() => site.close());
      return { suite, site };
    });
  },
  makeGated: async ({ redis, onTestFinished }, use) => {
    await use(async (options) => {
      const suite = await CheckSuite.create({
        tasks: ['a', 'b', 'c'],
        agent: 'command',
        ...options,
      });
      onTestFinished(() => suite.remove());
      await suite.write('.proctorignore', ignored);
      const site = new QueueSite(redis.url, { folder: suite.folder, env: suite.environment });
      onTestFinished(() => site.close());
      return { suite, site };
    });
  },
});
