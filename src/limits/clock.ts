/** Time, as limits need it. */
export interface Clock {
  /** In milliseconds, from whenever. */
  now(): number;
  /** Calls back after so many milliseconds, unless what it returns is called before. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Longer than a timer can wait. */
const longest = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, longest));
    return () => clearTimeout(timer);
  },
};
