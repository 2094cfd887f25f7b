import type { Allowance } from './rate-limiter.js';

/**
 * A rate limit of one model, first come, first served: the virtual scheduling form of GCRA (generic cell
 * rate algorithm), with two counters, one for requests and one for tokens. The state is plain numbers, and
 * each step is a pure function of it and the time, so that a process or a database can keep the state.
 *
 * Requests are laid end to end along a line, each as long as its cost: 1 for the request counter, its
 * tokens for the token counter. `paid` moves along the line at the rate of the allowance. When it reaches
 * the start of a request, everything before is paid for, and the request may be sent. So a large request
 * is sent as soon as a small one would be, and those behind it wait longer.
 *
 * `paid` stops at the end of what was sent, plus a burst of one second, which makes up for senders that
 * notice late that their time has come. So within any minute
 *
 * - requests are at most the allowance and 1/60 of it,
 * - tokens are at most the allowance, 1/60 of it and the cost of the last request, apart from what is
 *   given back within it to requests that cost less than was estimated.
 */
export interface VirtualSchedule {
  /** When the counters were advanced last, in milliseconds of a clock. */
  at: number;
  /** Until then the counters stand still, and no request is sent. */
  pausedUntil: number;
  requests: Meter;
  tokens: Meter;
}

/** Positions along the line of one counter. */
interface Meter {
  /** How far the line is paid for: the virtual time of GCRA. */
  paid: number;
  /** The end of the last request that was sent. */
  gone: number;
  /** The end of the last request that has a slot. */
  joined: number;
}

/** Where a request begins on both lines, and its cost. */
export interface Slot {
  requests: number;
  tokens: number;
  /** The cost in tokens. */
  takes: number;
}

const minute = 60_000;
/** In milliseconds: a difference this small is a rounding error. */
const rounding = 1e-6;

export function makeSchedule(now: number): VirtualSchedule {
  const meter = { paid: 0, gone: 0, joined: 0 };
  return { at: now, pausedUntil: now, requests: meter, tokens: meter };
}

/** Reserves a slot at the end of the line. An unused slot makes the requests behind it wait in vain. */
export function reserve(
  schedule: VirtualSchedule,
  tokens: number,
  allowance: Allowance,
): { line: VirtualSchedule; place: Slot } {
  const takes = clampTokens(tokens, allowance);
  return {
    line: {
      ...schedule,
      requests: { ...schedule.requests, joined: schedule.requests.joined + 1 },
      tokens: { ...schedule.tokens, joined: schedule.tokens.joined + takes },
    },
    place: { requests: schedule.requests.joined, tokens: schedule.tokens.joined, takes },
  };
}

/**
 * Admits the request of a slot if its time has come; then `waitMs` is 0. Otherwise `waitMs` is the time
 * left as things are: tokens that others give back can make it shorter, and a pause longer.
 */
export function tryAdmit(
  schedule: VirtualSchedule,
  now: number,
  slot: Slot,
  allowance: Allowance,
): { line: VirtualSchedule; waitMs: number } {
  const { requestsPerMinute, tokensPerMinute } = allowance;
  const moved = advance(schedule, now, allowance);
  const requests = capAtBurst(moved.requests, slot.requests, requestBurst(requestsPerMinute));
  const tokens = capAtBurst(moved.tokens, slot.tokens, tokenBurst(tokensPerMinute));
  const waitMs =
    Math.max(0, moved.pausedUntil - now) +
    Math.max(
      timeUntil(slot.requests - requests.paid, requestsPerMinute),
      timeUntil(slot.tokens - tokens.paid, tokensPerMinute),
    );
  if (waitMs > rounding)
    return { line: { ...moved, requests, tokens }, waitMs: Math.ceil(waitMs - rounding) };
  return {
    line: {
      ...moved,
      requests: { ...requests, gone: Math.max(requests.gone, slot.requests + 1) },
      tokens: { ...tokens, gone: Math.max(tokens.gone, slot.tokens + slot.takes) },
    },
    waitMs: 0,
  };
}

/** Corrects the estimated cost of a request by the tokens that it really took. */
export function settleCost(
  schedule: VirtualSchedule,
  { takes }: Slot,
  tokens: number,
  allowance: Allowance,
): VirtualSchedule {
  const difference = takes - clampTokens(tokens, allowance);
  return { ...schedule, tokens: { ...schedule.tokens, paid: schedule.tokens.paid + difference } };
}

/** Sends nothing for a time, and resumes without a burst: the provider asked to slow down. */
export function pauseSchedule(
  schedule: VirtualSchedule,
  now: number,
  milliseconds: number,
  allowance: Allowance,
): VirtualSchedule {
  const moved = advance(schedule, now, allowance);
  return {
    ...moved,
    pausedUntil: Math.max(moved.pausedUntil, now + milliseconds),
    requests: dropBurst(moved.requests),
    tokens: dropBurst(moved.tokens),
  };
}

/** The schedule with its counters advanced to the present. */
function advance(schedule: VirtualSchedule, now: number, allowance: Allowance): VirtualSchedule {
  if (now < schedule.at) {
    // The clock was set back: the remaining wait counts from now on.
    return { ...schedule, at: now, pausedUntil: schedule.pausedUntil - (schedule.at - now) };
  }
  const from = Math.max(schedule.at, Math.min(schedule.pausedUntil, now));
  const minutes = (now - from) / minute;
  const move = (meter: Meter, perMinute = 0): Meter => ({
    ...meter,
    paid: meter.paid + minutes * perMinute,
  });
  return {
    ...schedule,
    at: now,
    requests: move(schedule.requests, allowance.requestsPerMinute),
    tokens: move(schedule.tokens, allowance.tokensPerMinute),
  };
}

/**
 * Unused quota is capped at the burst. It may always reach the slot of the request at hand: requests
 * before it may have been abandoned.
 */
function capAtBurst(meter: Meter, start: number, burst: number): Meter {
  return { ...meter, paid: Math.min(meter.paid, Math.max(meter.gone + burst, start)) };
}

function dropBurst(meter: Meter): Meter {
  return { ...meter, paid: Math.min(meter.paid, meter.gone) };
}

/** One second of quota, minus the request that is always allowed. */
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

/** A request costs at most a minute of quota, so that the wait behind it stays bounded. */
function clampTokens(tokens: number, { tokensPerMinute = Number.MAX_VALUE }: Allowance): number {
  return Math.min(Math.max(tokens, 0), tokensPerMinute);
}
