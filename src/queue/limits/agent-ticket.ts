import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { agentLineScript } from './agent-line-script.js';

export interface AgentLineOptions {
  /** Of all keys of the run. */
  prefix: string;
  /** How long keys are kept when nobody uses them any more. */
  keepMs: number;
  /** How many agents may work at once, wherever they are. */
  slots: number;
  /** A slot comes free so long after the last sign of life of whoever has it. */
  leaseMs: number;
  /** What time it is, where that is not for Redis to say. */
  now?: () => number;
}

/** One place in the line for slots that is kept in Redis. */
export class AgentTicket {
  readonly #redis: Redis;
  readonly #options: AgentLineOptions;
  readonly #id = randomUUID();
  #number = 0;
  /** One step at a time: none that was on its way comes after the one that leaves. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(redis: Redis, options: AgentLineOptions) {
    this.#redis = redis;
    this.#options = options;
  }

  /** Gets in line at first. Whether it holds a slot by now. */
  async enter(): Promise<boolean> {
    const [number, isIn] = (await this.#step('enter', this.#options.slots)) as [number, number];
    this.#number = number;
    return isIn === 1;
  }

  async renew(): Promise<void> {
    await this.#step('renew', this.#number);
  }

  async leave(): Promise<void> {
    await this.#step('leave');
  }

  #step(step: string, ...args: number[]): Promise<unknown> {
    const { prefix, keepMs, leaseMs, now } = this.#options;
    const keys = [`${prefix}:agents:line`, `${prefix}:agents:leases`, `${prefix}:agents:clock`];
    const take = () => {
      const settings = [keepMs, now?.() ?? '', leaseMs, step, this.#id];
      return agentLineScript.run(this.#redis, keys, [...settings, ...args]);
    };
    this.#last = this.#last.then(take, take);
    return this.#last;
  }
}
