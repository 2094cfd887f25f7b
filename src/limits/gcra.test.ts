import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SentRequest, simulate, type WantedRequest } from '../../testing/simulated-line.js';
import { makeSchedule, pauseSchedule, reserve, tryAdmit, type VirtualSchedule } from './gcra.js';
import type { Allowance } from './rate-limiter.js';

const minute = 60_000;

const allowances: fc.Arbitrary<Required<Allowance>> = fc.record({
  requestsPerMinute: fc.integer({ min: 1, max: 600 }),
  tokensPerMinute: fc.integer({ min: 1, max: 20_000 }),
});

const request = (more: Partial<Record<keyof WantedRequest, fc.Arbitrary<number>>> = {}) =>
  fc.record({
    gap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 10_000 })),
    estimate: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 50_000 })),
    tokens: fc.integer({ min: 0, max: 5_000 }),
    lasts: fc.integer({ min: 0, max: 30_000 }),
    ...more,
  });

const requests = fc.array(request(), { maxLength: 60 });
const asEstimated = requests.map((wanted) =>
  wanted.map((each) => ({ ...each, tokens: each.estimate })),
);
const machineCounts = fc.integer({ min: 1, max: 8 });

/** Everything that was sent within a minute, for each minute that begins with a request. */
function minutesOf(sent: readonly SentRequest[]): SentRequest[][] {
  return sent.map(({ sentAt: from }) =>
    sent.filter(({ sentAt }) => sentAt >= from && sentAt < from + minute),
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
const rounding = 1e-6;

describe('a line', () => {
  it('lets no more requests through within any minute than it says', () => {
    fc.assert(
      fc.property(asEstimated, allowances, machineCounts, (wanted, allowance, machines) => {
        const { requestsPerMinute: limit } = allowance;
        for (const minutes of minutesOf(simulate(wanted, allowance, { machines }))) {
          expect(minutes.length).toBeLessThanOrEqual(limit + limit / 60 + rounding);
          if (limit < 120) expect(minutes.length).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });

  it('lets no more tokens through within any minute than it says', () => {
    fc.assert(
      fc.property(asEstimated, allowances, machineCounts, (wanted, allowance, machines) => {
        const { tokensPerMinute: limit } = allowance;
        for (const within of minutesOf(simulate(wanted, allowance, { machines }))) {
          const [last] = within.toSorted((one, other) => other.place - one.place);
          const most = limit + limit / 60 + (last?.tokens ?? 0);
          expect(sum(within.map(({ tokens }) => tokens))).toBeLessThanOrEqual(most + rounding);
        }
      }),
    );
  });

  it('corrects what was estimated wrongly as soon as that is known', () => {
    fc.assert(
      fc.property(requests, allowances, (wanted, allowance) => {
        const sent = simulate(wanted, allowance);
        for (const within of minutesOf(sent)) {
          const [first, last] = [within[0], within.at(-1)];
          if (!first || !last) continue;
          // What is settled in the same millisecond may come after it.
          const isSettled = ({ settledAt }: SentRequest) => settledAt < last.sentAt;
          const givenBack = sent
            .filter(({ sentAt, settledAt }) => sentAt < first.sentAt && settledAt >= first.sentAt)
            .map(({ takes, tokens }) => Math.max(takes - tokens, 0));
          const notKnownYet = within
            .filter((each) => each !== last && !isSettled(each))
            .map(({ takes, tokens }) => Math.max(tokens - takes, 0));
          const { tokensPerMinute: limit } = allowance;
          const most = limit + limit / 60 + last.tokens + sum(givenBack) + sum(notKnownYet);
          expect(sum(within.map(({ tokens }) => tokens))).toBeLessThanOrEqual(most + rounding);
        }
      }),
    );
  });

  it('is first come, first served, however large a request is', () => {
    fc.assert(
      fc.property(requests, allowances, (wanted, allowance) => {
        const times = simulate(wanted, allowance).map(({ sentAt }) => sentAt);
        expect(times).toEqual([...times].sort((left, right) => left - right));
      }),
    );
  });

  it('lets nobody wait for longer than those before it take', () => {
    fc.assert(
      fc.property(requests, allowances, machineCounts, (wanted, allowance, machines) => {
        const { requestsPerMinute, tokensPerMinute } = allowance;
        const sent = simulate(wanted, allowance, { machines });
        expect(sent).toHaveLength(wanted.length);
        for (const [index, { joinedAt, sentAt }] of sent.entries()) {
          const before = sent.slice(0, index);
          const tokens = sum(before.map((each) => Math.max(each.takes, each.tokens)));
          const most = minute * (index / requestsPerMinute + tokens / tokensPerMinute);
          // Each may have been told a whole millisecond where a part of it was left.
          expect(sentAt - joinedAt).toBeLessThanOrEqual(most + index + 1);
        }
      }),
    );
  });

  it.each([1, 20, 90, 600])(
    'leaves nothing unused of %i requests a minute while somebody waits',
    (limit) => {
      const wanted = Array.from({ length: 5 * limit }, () => ({
        gap: 0,
        estimate: 10,
        tokens: 10,
        lasts: 100,
      }));
      const sent = simulate(wanted, { requestsPerMinute: limit });
      const last = sent.at(-1)?.sentAt ?? 0;
      expect(last).toBeGreaterThanOrEqual(((5 * limit - limit / 60 - 1) / limit) * minute);
      expect(last).toBeLessThanOrEqual(((5 * limit) / limit) * minute * 1.005);
    },
  );

  it('uses what requests leave of their estimates', () => {
    const wanted = Array.from({ length: 100 }, () => ({
      gap: 0,
      estimate: 1_000,
      tokens: 100,
      lasts: 10,
    }));
    for (const machines of [1, 8]) {
      const last = simulate(wanted, { tokensPerMinute: 10_000 }, { machines }).at(-1)?.sentAt ?? 0;
      expect(last / minute).toBeGreaterThan(0.9);
      expect(last / minute).toBeLessThan(1.1);
    }
  });

  it('lets a request go at once after a while, whatever it takes, and makes the next one wait', () => {
    const large = { gap: 0, estimate: 3_000, tokens: 3_000, lasts: 1 };
    const later = { ...large, gap: 10 * minute };
    const sent = simulate([large, large, later], { tokensPerMinute: 6_000 });
    expect(sent.map(({ sentAt }) => sentAt)).toEqual([0, minute / 2, 10 * minute]);
  });

  it('does not wait for ever behind an estimate larger than the limit', () => {
    const huge = { gap: 0, estimate: 10_000, tokens: 20_000, lasts: 1 };
    const sent = simulate([huge, huge, huge], { tokensPerMinute: 100 });
    expect(sent.map(({ sentAt }) => sentAt)).toEqual([0, minute, 2 * minute]);
  });
});

describe('a clock that is set back', () => {
  /** What the clock says, with these steps back at these times. */
  const steppingBack = (steps: readonly { at: number; by: number }[]) => (time: number) =>
    1e9 + time - sum(steps.filter(({ at }) => at <= time).map(({ by }) => by));

  it('neither lets more through nor stops anybody for longer than a request takes', () => {
    const steps = fc.array(
      fc.record({
        at: fc.integer({ min: 0, max: 3 * minute }),
        by: fc.integer({ min: 1, max: 100 * minute }),
      }),
      { maxLength: 5 },
    );
    const small = fc.array(request({ estimate: fc.constant(1), tokens: fc.constant(1) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(small, fc.integer({ min: 10, max: 300 }), steps, (wanted, limit, back) => {
        const sent = simulate(wanted, { requestsPerMinute: limit }, { clock: steppingBack(back) });
        for (const minutes of minutesOf(sent)) {
          expect(minutes.length).toBeLessThanOrEqual(limit + limit / 60);
        }
        for (const [index, { joinedAt, sentAt }] of sent.entries()) {
          const most = (minute * index * (1 + back.length)) / limit;
          expect(sentAt - joinedAt).toBeLessThanOrEqual(most + (index + 1) * (1 + back.length));
        }
      }),
    );
  });

  it('does not make a pause longer than it was', () => {
    const paused = pauseSchedule(makeSchedule(1e9), 1e9, 5_000, {});
    const { line, place } = reserve(paused, 1, {});
    expect(tryAdmit(line, 1e9 - minute, place, {}).waitMs).toBe(5_000);
  });
});

describe('a pause', () => {
  const allowance = { requestsPerMinute: 600 };

  /** When each of so many who wait goes, asking in turn. */
  function times(line: VirtualSchedule, from: number, count: number): number[] {
    const found: number[] = [];
    let now = from;
    for (let index = 0; index < count; index++) {
      const joined = reserve(line, 0, allowance);
      let going = tryAdmit(joined.line, now, joined.place, allowance);
      while (going.waitMs > 0) {
        now += going.waitMs;
        going = tryAdmit(going.line, now, joined.place, allowance);
      }
      line = going.line;
      found.push(now);
    }
    return found;
  }

  it('lets nobody go before its end, and then one after the other', () => {
    const [, ...rested] = times(makeSchedule(0), 10_000, 10);
    // After a while of rest, a second's worth goes at once.
    expect(new Set(rested)).toEqual(new Set([10_000]));
    const line = pauseSchedule(makeSchedule(0), 10_000, 7_000, allowance);
    expect(times(line, 10_500, 4)).toEqual([17_000, 17_100, 17_200, 17_300]);
  });

  it('ends when the longest of several does', () => {
    const long = pauseSchedule(makeSchedule(0), 0, 9_000, allowance);
    expect(times(pauseSchedule(long, 1_000, 2_000, allowance), 2_000, 1)).toEqual([9_000]);
  });

  it('holds also where nothing is limited', () => {
    const { line, place } = reserve(pauseSchedule(makeSchedule(0), 0, 2_000, {}), 1e9, {});
    expect(tryAdmit(line, 500, place, {}).waitMs).toBe(1_500);
    expect(tryAdmit(line, 2_000, place, {}).waitMs).toBe(0);
  });
});
