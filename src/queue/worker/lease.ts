import type { ItemJob } from '../job-queue.js';

interface LeaseOptions {
  token: string;
  leaseMs: number;
  /** Somebody else may be given it from now on, or soon: whatever is under way has to end. */
  onOver(why: 'taken' | 'silence'): void;
}

/** Parts of the lease. */
const renewAfter = 0.25;
/** What is under way still has to be stopped before the lease is over. */
const giveUpAfter = 0.5;

/** Keeps a job ours, as long as the queue hears of us. */
export class Lease {
  readonly #job: ItemJob;
  readonly #options: LeaseOptions;
  readonly #renewing: NodeJS.Timeout;
  #patience: NodeJS.Timeout;
  #isOver = false;

  /** It was taken a moment ago. */
  constructor(job: ItemJob, options: LeaseOptions) {
    this.#job = job;
    this.#options = options;
    this.#patience = this.#givingUp();
    this.#renewing = setInterval(() => void this.#renew(), options.leaseMs * renewAfter);
  }

  release(): void {
    clearInterval(this.#renewing);
    clearTimeout(this.#patience);
    this.#isOver = true;
  }

  async #renew(): Promise<void> {
    const { token, leaseMs } = this.#options;
    // It holds from when it was asked for: the answer may take its time.
    const patience = this.#givingUp();
    try {
      const renewed = await this.#job.extendLock(token, leaseMs);
      if (this.#isOver) clearTimeout(patience);
      else if (renewed !== 1) this.#end('taken', patience);
      else {
        clearTimeout(this.#patience);
        this.#patience = patience;
      }
    } catch {
      // BullMQ throws if it is not ours any more.
      this.#end('taken', patience);
    }
  }

  #givingUp(): NodeJS.Timeout {
    const { leaseMs } = this.#options;
    return setTimeout(() => this.#end('silence'), leaseMs * giveUpAfter);
  }

  #end(why: 'taken' | 'silence', patience?: NodeJS.Timeout): void {
    clearTimeout(patience);
    if (this.#isOver) return;
    this.release();
    this.#options.onOver(why);
  }
}
