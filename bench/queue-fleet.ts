import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { RedisServer } from '../test/support/redis-server.js';
import { type BackgroundProcess, startProgram } from './background-process.js';
import { benchNode, proctorProgram } from './process-time.js';
import { type ResourceUse, resourceUseProgram, resourceUseVariable } from './resource-use.js';

interface FleetOptions {
  /** For the files of all of them. */
  folder: string;
  workers: number;
  /** More of the command line of a worker. */
  workerOptions?: string[];
  env?: Record<string, string>;
}

interface CheckOptions {
  /** More of its command line. */
  more?: string[];
  nodeOptions?: string[];
}

/** A Redis server and workers of its own, on this machine. */
export class QueueFleet {
  readonly redis: RedisServer;
  readonly #options: FleetOptions;
  readonly #workers: BackgroundProcess[] = [];
  readonly #checks = new Set<ChildProcess>();

  static async start(options: FleetOptions): Promise<QueueFleet> {
    const fleet = new QueueFleet(await RedisServer.start(), options);
    try {
      await fleet.#startWorkers();
      return fleet;
    } catch (error) {
      await fleet.close();
      throw error;
    }
  }

  private constructor(redis: RedisServer, options: FleetOptions) {
    this.redis = redis;
    this.#options = options;
  }

  /** Hands the eval in the folder to the workers; settles with what this took when all is done. */
  async check(
    evalFolder: string,
    { more = [], nodeOptions = [] }: CheckOptions = {},
  ): Promise<ResourceUse> {
    const { env } = this.#options;
    const usage = path.join(this.#options.folder, 'check-usage.json');
    await rm(usage, { force: true });
    const options = ['--queue', this.redis.url, '--out', 'out.json', ...more];
    const ofProctor = commandLine(['check', 'eval.yaml', ...options]);
    const child = spawn(benchNode, [...nodeOptions, ...ofProctor], {
      cwd: evalFolder,
      env: { PATH: process.env.PATH, ...this.#environment(usage), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#checks.add(child);
    const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    this.#checks.delete(child);
    if (exitCode !== 0) throw new Error(`proctor check exited with ${exitCode}:\n${said}`);
    return readUse(usage);
  }

  /** Lets the workers leave; resolves to what each of them took. */
  async dismiss(): Promise<ResourceUse[]> {
    await this.#stopWorkers();
    return Promise.all(
      Array.from({ length: this.#options.workers }, (_, index) => readUse(this.#usageOf(index))),
    );
  }

  async close(): Promise<void> {
    for (const check of this.#checks) check.kill('SIGKILL');
    await this.#stopWorkers();
    await this.redis.close();
  }

  async #startWorkers(): Promise<void> {
    const { folder, workers, workerOptions = [], env } = this.#options;
    await mkdir(path.join(folder, 'temporary'), { recursive: true });
    for (let index = 0; index < workers; index++) {
      const name = `worker-${index + 1}`;
      const options = ['--queue', this.redis.url, '--name', name, ...workerOptions];
      const worker = await startProgram({
        name,
        commandLine: commandLine(['worker', ...options]),
        env: { ...this.#environment(this.#usageOf(index)), ...env },
        folder,
        ready: { on: 'stderr', pattern: /(takes task runs)/ },
      });
      this.#workers.push(worker);
    }
  }

  async #stopWorkers(): Promise<void> {
    await Promise.all(this.#workers.splice(0).map((worker) => worker.stop()));
  }

  #usageOf(index: number): string {
    return path.join(this.#options.folder, `worker-${index + 1}-usage.json`);
  }

  #environment(usage: string): Record<string, string> {
    const { folder } = this.#options;
    return {
      HOME: folder,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
      TMPDIR: path.join(folder, 'temporary'),
      [resourceUseVariable]: usage,
    };
  }
}

function commandLine(ofProctor: string[]): string[] {
  return ['--import', resourceUseProgram, proctorProgram, ...ofProctor];
}

async function readUse(file: string): Promise<ResourceUse> {
  return JSON.parse(await readFile(file, 'utf8')) as ResourceUse;
}
