import { type RunningCheck, startCheck } from '../../support/running-check.js';
import type { ChaosSuite } from './chaos-suite.js';
import { CuttableRelay } from './cuttable-relay.js';

export interface FleetWorker {
  name: string;
  process: RunningCheck;
  relay: CuttableRelay;
  /** Somebody disturbs it already. */
  isDisturbed: boolean;
  /** A signal ended it, or it was asked to leave. */
  isOver: boolean;
}

/** Short, so that what is lost is found soon; every worker that is lost counts, and none is one too many. */
const options = ['--lease', '3s', '--max-lost', '100'];

/** The workers of a round. One that is lost is replaced by a new one, as a cluster would do. */
export class WorkerFleet {
  readonly flaws: string[] = [];
  readonly #suite: ChaosSuite;
  readonly #target: number;
  readonly #random: () => number;
  readonly #workers: FleetWorker[] = [];
  readonly #ended: Promise<void>[] = [];
  #isLeaving = false;
  #started = 0;

  /** `target` is the port of the queue. */
  constructor(suite: ChaosSuite, target: number, random: () => number) {
    this.#suite = suite;
    this.#target = target;
    this.#random = random;
  }

  get size(): number {
    return this.#started;
  }

  /** One that nobody disturbs yet. */
  get any(): FleetWorker | undefined {
    const calm = this.#workers.filter(({ isOver, isDisturbed }) => !isOver && !isDisturbed);
    return calm[Math.floor(this.#random() * calm.length)];
  }

  async start(): Promise<void> {
    const concurrency = 1 + Math.floor(this.#random() * 3);
    this.#started += 1;
    const name = `worker-${this.#started}`;
    const relay = await CuttableRelay.to(this.#target);
    const commandLine = ['worker', '--queue', relay.url, '--name', name, ...options];
    const process = startCheck([...commandLine, '--concurrency', String(concurrency)], {
      cwd: this.#suite.folder,
      env: this.#suite.environment,
    });
    const worker = { name, process, relay, isDisturbed: false, isOver: false };
    this.#workers.push(worker);
    this.#ended.push(this.#follow(worker));
  }

  /** Asks all of them to leave, and waits until they have. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    for (const { process, relay } of this.#workers) {
      relay.mend();
      process.kill('SIGCONT');
      process.kill('SIGTERM');
    }
    await Promise.all(this.#ended);
  }

  /** Whatever they do. */
  async kill(): Promise<void> {
    this.#isLeaving = true;
    for (const { process } of this.#workers) process.kill('SIGKILL');
    await Promise.all(this.#ended);
  }

  async #follow(worker: FleetWorker): Promise<void> {
    const { exitCode, signal, stderr } = await worker.process.ended;
    worker.isOver = true;
    await worker.relay.close();
    await this.#suite.keep(`${worker.name}.txt`, `${stderr}\n${exitCode ?? signal}\n`);
    // Asked before it had begun, it leaves without a word, or while it says that there is no queue.
    const hadNotBegun = stderr === '' || stderr.startsWith(withoutQueue);
    const hasLeft = exitCode === 0 || (signal === 'SIGTERM' && hadNotBegun);
    const isExpected =
      signal === 'SIGKILL' || (this.#isLeaving && hasLeft) || isWithoutQueue(exitCode, stderr);
    if (!isExpected) this.flaws.push(`${worker.name} ended with ${exitCode ?? signal}:\n${stderr}`);
    // Whatever else a worker calls an error is a bug of its own.
    const errors = stderr
      .split('\n')
      .filter((line) => line.startsWith('error:') && !line.startsWith(withoutQueue));
    this.flaws.push(...errors.map((line) => `${worker.name} said ${line}`));
    if (!this.#isLeaving) await this.start();
  }
}

const withoutQueue = 'error: cannot reach the queue';

/** It was started while Redis was down. */
export function isWithoutQueue(exitCode: number | null, stderr: string): boolean {
  return exitCode === 2 && stderr.includes(withoutQueue);
}
