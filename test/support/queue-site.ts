import type { QueueStatus } from '../../src/cli/commands/queue.js';
import { type ProcessResult, runProctor } from './proctor-process.js';
import { type RunningCheck, startCheck } from './running-check.js';

/** Where programs are started, and with what in their environment besides PATH. */
interface Place {
  folder: string;
  env: Record<string, string>;
}

/** What one program is given besides. */
interface More {
  args?: readonly string[];
  env?: Record<string, string>;
}

/** The workers and the checks of one suite, which meet at a queue. */
export class QueueSite {
  readonly url: string;
  readonly #place: Place;
  readonly #started: RunningCheck[] = [];
  readonly #others: QueueSite[] = [];

  constructor(url: string, place: Place) {
    this.url = url;
    this.#place = place;
  }

  /** The same at another address. */
  at(url: string, env: Record<string, string> = {}): QueueSite {
    const { folder, env: own } = this.#place;
    const other = new QueueSite(url, { folder, env: { ...own, ...env } });
    this.#others.push(other);
    return other;
  }

  /** A worker that takes task runs when this settles. */
  async worker(name: string, { args = [], env = {} }: More = {}): Promise<RunningCheck> {
    const worker = this.#start(['worker', '--name', name, ...args], env);
    await worker.says('takes task runs from');
    return worker;
  }

  async workers(names: readonly string[], more: More = {}): Promise<RunningCheck[]> {
    return Promise.all(names.map((name) => this.worker(name, more)));
  }

  check(args: readonly string[] = [], env: Record<string, string> = {}): RunningCheck {
    return this.#start(['check', 'eval.yaml', ...args], env);
  }

  /** Runs another command that asks the queue, to its end. */
  ask(...args: string[]): Promise<ProcessResult> {
    const { folder, env } = this.#place;
    return runProctor([...args, '--queue', this.url], { cwd: folder, env });
  }

  async status(): Promise<QueueStatus> {
    const { stdout } = await this.ask('queue', 'status', '-o', 'json');
    return JSON.parse(stdout) as QueueStatus;
  }

  /** Asks workers to leave, and waits until they have. */
  async sendAway(...workers: readonly RunningCheck[]): Promise<void> {
    for (const worker of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
  }

  /** Ends whatever still runs. */
  async close(): Promise<void> {
    for (const each of this.#started) each.kill('SIGKILL');
    await Promise.all(this.#started.map(({ ended }) => ended));
    await Promise.all(this.#others.map((other) => other.close()));
  }

  #start([command = '', ...args]: readonly string[], env: Record<string, string>): RunningCheck {
    const { folder, env: own } = this.#place;
    const started = startCheck([command, ...args, '--queue', this.url], {
      cwd: folder,
      env: { ...own, ...env },
    });
    this.#started.push(started);
    return started;
  }
}
