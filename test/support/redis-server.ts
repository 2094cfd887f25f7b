import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface RedisServerOptions {
  /** Whatever was acknowledged is on disk, also when the server is killed. Default: nothing is kept. */
  durable?: boolean;
  /** Files: it takes nothing but TLS, with this certificate. */
  tls?: { certificate: string; key: string };
  /** More of its settings, as on its command line. */
  settings?: readonly string[];
}

/** A Redis server of the test's own, with a folder and a port that stay the same when it restarts. */
export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #options: RedisServerOptions;
  #process: ChildProcess | undefined;

  static async start(options: RedisServerOptions = {}): Promise<RedisServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'proctor-redis-'));
    try {
      return await startOnFreePort(folder, options);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** @internal Use `start`. */
  constructor(port: number, folder: string, options: RedisServerOptions) {
    this.port = port;
    this.#folder = folder;
    this.#options = options;
  }

  get url(): string {
    return `${this.#options.tls ? 'rediss' : 'redis'}://127.0.0.1:${this.port}`;
  }

  /** Starts it again after `stop` or `kill`. What was kept is loaded when it settles. */
  async restart(): Promise<void> {
    if (this.#process) throw new Error('the Redis server is running already');
    const { durable = false, tls, settings = [] } = this.#options;
    const child = spawn(
      redisProgram(),
      [
        ...['--bind', '127.0.0.1', '--dir', this.#folder, ...portSettings(this.port, tls)],
        ...['--save', '', '--appendonly', durable ? 'yes' : 'no', '--appendfsync', 'always'],
        ...settings,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    // Whoever ends the tests early does not leave a server behind.
    const killWithTests = () => child.kill('SIGKILL');
    process.once('exit', killWithTests);
    child.once('exit', () => process.off('exit', killWithTests));
    await isReady(child);
    this.#process = child;
  }

  /** Ends it as an administrator would. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Ends it as a loss of power would. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Ends it, and removes what it kept. */
  async close(): Promise<void> {
    await this.#end('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }
}

function portSettings(port: number, tls: RedisServerOptions['tls']): string[] {
  if (!tls) return ['--port', String(port)];
  const { certificate, key } = tls;
  return [
    ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no'],
    ...['--tls-cert-file', certificate, '--tls-key-file', key],
  ];
}

class PortTakenError extends Error {}

/**
 * Ports below those which the system gives to outgoing connections: nobody takes this one while the
 * server is down.
 */
async function startOnFreePort(folder: string, options: RedisServerOptions): Promise<RedisServer> {
  for (;;) {
    const server = new RedisServer(randomInt(20_000, 32_000), folder, options);
    try {
      await server.restart();
      return server;
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
    }
  }
}

function redisProgram(): string {
  const installed = path.resolve(import.meta.dirname, '../../.cache/redis/redis-server');
  return process.env.PROCTOR_REDIS_SERVER ?? (existsSync(installed) ? installed : 'redis-server');
}

/** Settles when it takes connections. */
function isReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const onOutput = (chunk: string) => {
      said += chunk;
      if (!said.includes('Ready to accept connections')) return;
      said = '';
      resolve();
    };
    for (const output of [child.stdout, child.stderr])
      output?.setEncoding('utf8').on('data', onOutput);
    child.once('close', (code) => {
      if (said.includes('Address already in use')) reject(new PortTakenError());
      else reject(new Error(`redis-server ended with code ${code} before it was ready:\n${said}`));
    });
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') return reject(error);
      const next =
        'run node scripts/install-redis.mjs, or name the program in PROCTOR_REDIS_SERVER';
      reject(new Error(`there is no ${child.spawnfile}: ${next}`));
    });
  });
}
