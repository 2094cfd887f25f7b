import { LocalRateLimiter } from './local-rate-limiter.js';
import { type Allowance, findAllowance, type Rate, type RateLimiter } from './rate-limiter.js';

/** Limits that hold over a whole check, as plain data. */
export interface LimitSettings {
  /** None: as many as there are task runs at once. */
  concurrentAgents?: number;
  /** The rates of the command line, then those of the eval: the first list that says something counts. */
  rates: readonly (readonly Rate[])[];
}

/** What keeps the limits. All task runs of a check share one. */
export interface Limits {
  agents: AgentSlots;
  rates: RateLimiter;
  close(): Promise<void>;
}

/** Says how many agents may work at once. */
export interface AgentSlots {
  /**
   * Settles when one more agent may work, in the order of asking, with what gives its place to the next.
   * Rejects when the signal aborts.
   */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** Slots for the agents of this process. */
export class LocalAgentSlots implements AgentSlots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#leave();
    };
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(enter);
    });
  }

  /** Hands the slot to the next in line at once, so that a later caller cannot overtake it. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}

/** Limits for a check that runs in one process. */
export function makeLocalLimits(settings: LimitSettings): Limits {
  return makeLimits(settings, makeRateLimiter([settings]));
}

/**
 * Limits for several evals that one process runs one after the other. Each has its own number of agents.
 * A provider does not care which eval asks: its models have one rate for all, the lowest.
 */
export function makeLocalLimitsForEvals(all: readonly LimitSettings[]): Limits[] {
  const limiter = makeRateLimiter(all);
  return all.map((settings) => makeLimits(settings, limiter));
}

function makeLimits({ concurrentAgents }: LimitSettings, limiter: LocalRateLimiter): Limits {
  return {
    agents: new LocalAgentSlots(concurrentAgents ?? Number.POSITIVE_INFINITY),
    rates: limiter,
    close: () => limiter.close(),
  };
}

function makeRateLimiter(all: readonly LimitSettings[]): LocalRateLimiter {
  return new LocalRateLimiter((model) =>
    findLowest(all.map(({ rates }) => findAllowance(model, rates))),
  );
}

function findLowest(all: readonly Allowance[]): Allowance {
  const lowest: Allowance = {};
  for (const key of ['requestsPerMinute', 'tokensPerMinute'] as const) {
    const numbers = all.flatMap((allowance) => allowance[key] ?? []);
    if (numbers.length > 0) lowest[key] = Math.min(...numbers);
  }
  return lowest;
}
