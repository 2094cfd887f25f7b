import type { Allowance } from './rate-limiter.js';

/**
 * Those who wait to ask one model, first come, first served. Plain numbers, and functions of them and
 * of the time: whoever keeps the state, in a process or in a database, does one of these steps at once.
 *
 * Think of a line with a stretch for each request, as long as what the request takes: 1 where requests
 * are counted, its tokens where tokens are. A mark moves along it, as fast as the allowance says. When
 * it comes to the beginning of a stretch, all requests before are paid for, and that one may go. So a
 * large request goes as soon as a small one would, and those behind it wait longer.
 *
 * The mark stands still where the line ends, but for a second's worth, which makes up for those who are
 * late to notice that it is their turn. So within any minute
 *
 * - requests are at most the allowance and 1/60 of it,
 * - tokens are at most the allowance, 1/60 of it and what the last one in line takes, apart from what is
 *   given back within it to requests that took less than was thought.
 */
export interface VirtualSchedule {
  /** When the marks were moved last, in milliseconds of a clock. */
  at: number;
  /** The marks stand still until then, and nobody goes. */
  pausedUntil: number;
  requests: Meter;
  tokens: Meter;
}

/** Places along the line. */
interface Meter {
  /** The mark. */
  paid: number;
  /** The end of the last stretch whose request has gone. */
  gone: number;
  /** The end of the line. */
  joined: number;
}

/** Where the stretch of a request begins, and how long it is. */
export interface Slot {
  requests: number;
  tokens: number;
  /** In tokens. */
  takes: number;
}

const minute = 60_000;
/** In milliseconds: so little is only what adding many small numbers leaves. */
const rounding = 1e-6;

export function makeSchedule(now: number): VirtualSchedule {
  const meter = { paid: 0, gone: 0, joined: 0 };
  return { at: now, pausedUntil: now, requests: meter, tokens: meter };
}

/** Gets a place at the end of the line. Whoever leaves it unused makes the others wait for nothing. */
export function reserve(
  line: VirtualSchedule,
  tokens: number,
  allowance: Allowance,
): { line: VirtualSchedule; place: Slot } {
  const takes = clampTokens(tokens, allowance);
  return {
    line: {
      ...line,
      requests: { ...line.requests, joined: line.requests.joined + 1 },
      tokens: { ...line.tokens, joined: line.tokens.joined + takes },
    },
    place: { requests: line.requests.joined, tokens: line.tokens.joined, takes },
  };
}

/**
 * Goes, if it is the time for that place; then `waitMs` is 0. Else that is how long it takes as things
 * are: what others give back can make it shorter, and a pause longer.
 */
export function tryAdmit(
  line: VirtualSchedule,
  now: number,
  place: Slot,
  allowance: Allowance,
): { line: VirtualSchedule; waitMs: number } {
  const { requestsPerMinute, tokensPerMinute } = allowance;
  const moved = advance(line, now, allowance);
  const requests = capAtBurst(moved.requests, place.requests, requestBurst(requestsPerMinute));
  const tokens = capAtBurst(moved.tokens, place.tokens, tokenBurst(tokensPerMinute));
  const waitMs =
    Math.max(0, moved.pausedUntil - now) +
    Math.max(
      timeUntil(place.requests - requests.paid, requestsPerMinute),
      timeUntil(place.tokens - tokens.paid, tokensPerMinute),
    );
  if (waitMs > rounding)
    return { line: { ...moved, requests, tokens }, waitMs: Math.ceil(waitMs - rounding) };
  return {
    line: {
      ...moved,
      requests: { ...requests, gone: Math.max(requests.gone, place.requests + 1) },
      tokens: { ...tokens, gone: Math.max(tokens.gone, place.tokens + place.takes) },
    },
    waitMs: 0,
  };
}

/** The request that had that place took so many tokens. */
export function settleCost(
  line: VirtualSchedule,
  { takes }: Slot,
  tokens: number,
  allowance: Allowance,
): VirtualSchedule {
  const difference = takes - clampTokens(tokens, allowance);
  return { ...line, tokens: { ...line.tokens, paid: line.tokens.paid + difference } };
}

/** Nobody goes for so long, and then one after the other: whoever slows us down has had enough. */
export function pauseSchedule(
  line: VirtualSchedule,
  now: number,
  milliseconds: number,
  allowance: Allowance,
): VirtualSchedule {
  const moved = advance(line, now, allowance);
  return {
    ...moved,
    pausedUntil: Math.max(moved.pausedUntil, now + milliseconds),
    requests: dropBurst(moved.requests),
    tokens: dropBurst(moved.tokens),
  };
}

/** With the marks where they are by now. */
function advance(line: VirtualSchedule, now: number, allowance: Allowance): VirtualSchedule {
  if (now < line.at) {
    // The clock was set back. What had still to be waited for has, from now on.
    return { ...line, at: now, pausedUntil: line.pausedUntil - (line.at - now) };
  }
  const from = Math.max(line.at, Math.min(line.pausedUntil, now));
  const minutes = (now - from) / minute;
  const move = (meter: Meter, perMinute = 0): Meter => ({
    ...meter,
    paid: meter.paid + minutes * perMinute,
  });
  return {
    ...line,
    at: now,
    requests: move(line.requests, allowance.requestsPerMinute),
    tokens: move(line.tokens, allowance.tokensPerMinute),
  };
}

/**
 * With the mark held back where nobody uses it. It may always come to the place of somebody who asks:
 * those before may have left.
 */
function capAtBurst(meter: Meter, place: number, spare: number): Meter {
  return { ...meter, paid: Math.min(meter.paid, Math.max(meter.gone + spare, place)) };
}

function dropBurst(meter: Meter): Meter {
  return { ...meter, paid: Math.min(meter.paid, meter.gone) };
}

/** A second's worth, with the one that may go in any case. */
function requestBurst(perMinute = 0): number {
  return Math.max(0, perMinute / 60 - 1);
}

function tokenBurst(perMinute = 0): number {
  return perMinute / 60;
}

function timeUntil(distance: number, perMinute: number | undefined): number {
  if (perMinute === undefined || distance <= 0) return 0;
  return (distance / perMinute) * minute;
}

/** A request counts as a minute's worth at most: nobody behind it waits for ever. */
function clampTokens(tokens: number, { tokensPerMinute = Number.MAX_VALUE }: Allowance): number {
  return Math.min(Math.max(tokens, 0), tokensPerMinute);
}
