import type { ProcessIdentity } from '../process-identity.js';

/** What a guard is started with, as its first argument. */
export interface GuardOrders {
  /** The process that the guard watches. */
  owner: ProcessIdentity;
  /** The file in which the owner notes what it starts. */
  ledger: string;
  /** In milliseconds: an owner that was not heard for so long is frozen or stuck, and is killed. */
  silenceMs: number;
  /** A folder that is useless without the owner: it is removed with what the owner left behind. */
  workspace?: string;
}

/** Both are a single byte, which cannot arrive in pieces. */
export const heartbeat = '.';
export const goodbye = '!';

/** How often the owner speaks and the guard looks: some may be late before silence means anything. */
export function getHeartbeatInterval(silenceMs: number): number {
  return silenceMs / 10;
}

/** However late a check comes, it counts for at most so many intervals. */
const maxLooks = 2;

/**
 * How long nothing was heard, in time in which we were there to hear it. A check that comes
 * far later than planned means that this process was frozen, with the machine or the container, and
 * so was the other side: it gets the time to speak again.
 */
export class Silence {
  readonly #limit: number;
  readonly #lookEvery: number;
  #lastLook: number;
  #length = 0;

  /** All in milliseconds. */
  constructor({ limit, lookEvery, now }: { limit: number; lookEvery: number; now: number }) {
    this.#limit = limit;
    this.#lookEvery = lookEvery;
    this.#lastLook = now;
  }

  heard(): void {
    this.#length = 0;
  }

  /** To be called at the interval `lookEvery`. */
  isTooLong(now: number): boolean {
    this.#length += Math.min(now - this.#lastLook, maxLooks * this.#lookEvery);
    this.#lastLook = now;
    return this.#length > this.#limit;
  }
}
