import { makeSchedule, reserve, type Slot, settleCost, tryAdmit } from '../src/limits/gcra.js';
import type { Allowance } from '../src/limits/rate-limiter.js';

/** A request that somebody wants to make. Times are milliseconds. */
export interface WantedRequest {
  /** After the one before it. */
  gap: number;
  estimate: number;
  /** What it really takes. */
  tokens: number;
  /** Until that is known. */
  lasts: number;
}

export interface SentRequest {
  /** In the line: machines that look late send in another order. */
  place: number;
  joinedAt: number;
  sentAt: number;
  settledAt: number;
  takes: number;
  tokens: number;
}

/** How long a machine waits at most until it looks again. */
const look = 250;

interface Work {
  at: number;
  /** Gives the time at which there is more to do. */
  go(now: number): number | undefined;
}

/**
 * Several machines that know nothing of each other and take requests in turn. The first request of
 * each has a place in the line, and asks again when it was told to, or a bit before. `clock` tells what
 * the clock says at a time.
 */
export function simulate(
  wanted: readonly WantedRequest[],
  allowance: Allowance,
  { machines = 1, clock = (time: number) => time } = {},
): SentRequest[] {
  let line = makeSchedule(clock(0));
  const sent: SentRequest[] = [];
  const works: Work[] = [];
  const send = (request: WantedRequest, place: Slot, joinedAt: number, sentAt: number) => {
    const settledAt = sentAt + request.lasts;
    const tokens = Math.min(request.tokens, allowance.tokensPerMinute ?? request.tokens);
    const { takes, requests: number } = place;
    sent.push({ place: number, joinedAt, sentAt, settledAt, takes, tokens });
    const go = () => {
      line = settleCost(line, place, request.tokens, allowance);
      return undefined;
    };
    works.push({ at: settledAt, go });
  };
  for (let machine = 0; machine < machines; machine++) {
    const queue = arrivals(wanted).filter((_, index) => index % machines === machine);
    let place: Slot | undefined;
    const go = (now: number) => {
      const [first] = queue;
      if (!first) return undefined;
      if (first.at > now) return first.at;
      if (!place) ({ line, place } = reserve(line, first.request.estimate, allowance));
      const going = tryAdmit(line, clock(now), place, allowance);
      line = going.line;
      if (going.waitMs > 0) return now + Math.min(going.waitMs, look);
      send(first.request, place, first.at, now);
      queue.shift();
      place = undefined;
      return now;
    };
    works.push({ at: 0, go });
  }
  for (let next = earliest(works); next; next = earliest(works)) {
    const later = next.go(next.at);
    if (later === undefined) works.splice(works.indexOf(next), 1);
    else next.at = later;
  }
  return sent;
}

function arrivals(wanted: readonly WantedRequest[]): { at: number; request: WantedRequest }[] {
  let at = 0;
  return wanted.map((request) => {
    at += request.gap;
    return { at, request };
  });
}

/** Of several at one time, the one that came first. */
function earliest(works: readonly Work[]): Work | undefined {
  let found: Work | undefined;
  for (const work of works) if (!found || work.at < found.at) found = work;
  return found;
}
