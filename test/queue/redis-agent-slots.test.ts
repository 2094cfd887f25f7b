import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { AgentTicket, RedisAgentSlots } from '../../src/queue/limits/redis-agent-slots.js';
import { describeAgentSlots } from '../../testing/limit-behaviours.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { QuietRedis } from '../support/quiet-redis.js';
import { RedisServer } from '../support/redis-server.js';

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.close());

const leaseMs = 30_000;
let tests = 0;

/** Each with a clock that can be stopped, as that of a process which is killed. */
function processes(count: number, slots: number) {
  tests += 1;
  const redis = new QuietRedis(server.url);
  onTestFinished(() => redis.disconnect());
  const clock = new ManualClock(() => redis.quiet());
  const options = { prefix: `p:{${tests}}`, keepMs: 60_000, slots, leaseMs };
  const all = Array.from({ length: count }, () => {
    let isAlive = true;
    const own = {
      now: () => clock.now(),
      after: (milliseconds: number, callback: () => void) =>
        clock.after(milliseconds, () => isAlive && callback()),
    };
    const agentSlots = new RedisAgentSlots(redis, { ...options, clock: own });
    const freeze = () => {
      isAlive = false;
    };
    return { slots: agentSlots, freeze };
  });
  onTestFinished(() => {
    for (const { slots } of all) slots.close();
  });
  return { redis, clock, keys: options.prefix, all };
}

describeAgentSlots('slots for agents of several machines', async (count) => {
  const { clock, all } = processes(2, count);
  const [one, other] = all.map(({ slots }) => slots) as [RedisAgentSlots, RedisAgentSlots];
  return { slots: [one, other], settled: () => clock.advance(100) };
});

const never = new AbortController().signal;

/** Enters, and says whether it is inside by now. */
function entering(slots: RedisAgentSlots) {
  const state = { isIn: false, leave: () => {} };
  const entered = slots.enter(never).then((leave) => Object.assign(state, { isIn: true, leave }));
  // Those who still wait at the end of the test are sent away.
  entered.catch(() => {});
  return state;
}

describe('a slot for an agent', () => {
  it('comes free when its lease is over, if the process is killed', async () => {
    const { clock, all } = processes(2, 1);
    const [killed, other] = all as [(typeof all)[0], (typeof all)[0]];
    entering(killed.slots);
    await clock.advance(0);
    const waiting = entering(other.slots);
    killed.freeze();
    await clock.advance(leaseMs - 1);
    expect(waiting.isIn).toBe(false);
    await clock.advance(100);
    expect(waiting.isIn).toBe(true);
  });

  it('is kept as long as it is used', async () => {
    const { clock, all } = processes(2, 1);
    const [one, other] = all.map(({ slots }) => entering(slots));
    await clock.advance(20 * leaseMs);
    expect([one?.isIn, other?.isIn]).toEqual([true, false]);
  });

  it('does not go to those in line who were killed', async () => {
    const { clock, all } = processes(3, 1);
    const [one, , last] = all.map(({ slots }) => entering(slots));
    await clock.advance(200);
    all[1]?.freeze();
    one?.leave();
    await clock.advance(leaseMs - 200);
    expect(last?.isIn).toBe(false);
    await clock.advance(300);
    expect(last?.isIn).toBe(true);
  });

  it('stays with the next one when the one that was taken for dead leaves it late', async () => {
    const { clock, all } = processes(3, 1);
    const first = entering(all[0]?.slots as RedisAgentSlots);
    await clock.advance(0);
    all[0]?.freeze();
    const second = entering(all[1]?.slots as RedisAgentSlots);
    await clock.advance(leaseMs + 100);
    const third = entering(all[2]?.slots as RedisAgentSlots);
    await clock.advance(100);
    first.leave();
    await clock.advance(leaseMs);
    expect([second.isIn, third.isIn]).toEqual([true, false]);
    second.leave();
    await clock.advance(100);
    expect(third.isIn).toBe(true);
  });

  it('is not lost because Redis was away for longer than a lease', async () => {
    const { clock, all } = processes(2, 1);
    const [holder, other] = all as [(typeof all)[0], (typeof all)[0]];
    entering(holder.slots);
    await clock.advance(0);
    // Nobody can say anything for that long; then the one who waits comes first.
    await clock.advance(leaseMs * 0.3);
    holder.freeze();
    await clock.advance(10 * leaseMs);
    const waiting = entering(other.slots);
    await clock.advance(0);
    expect(waiting.isIn).toBe(false);
  });

  it('is not given to anybody else while one works who was taken for dead', async () => {
    const { redis, clock, keys } = processes(0, 1);
    const options = { prefix: keys, keepMs: 60_000, slots: 1, leaseMs, now: () => clock.now() };
    const [first, second, third] = [1, 2, 3].map(() => new AgentTicket(redis, options));
    expect([await first?.enter(), await second?.enter()]).toEqual([true, false]);
    await clock.advance(leaseMs / 2);
    await second?.enter();
    await clock.advance(leaseMs / 2);
    expect(await second?.enter()).toBe(true);
    await first?.renew();
    await second?.leave();
    expect(await third?.enter()).toBe(false);
    await first?.leave();
    expect(await third?.enter()).toBe(true);
  });

  it('leaves nothing in Redis for ever', async () => {
    const { redis, clock, keys, all } = processes(1, 1);
    const one = entering(all[0]?.slots as RedisAgentSlots);
    await clock.advance(leaseMs);
    const names = await redis.keys(`${keys}:*`);
    expect(names).toHaveLength(3);
    for (const name of names) expect(await redis.pttl(name)).toBeGreaterThan(0);
    one.leave();
    await clock.advance(0);
    expect(await redis.keys(`${keys}:*`)).toEqual([`${keys}:agents:clock`]);
  });

  it('comes free, and nobody waits, when the limits are closed', async () => {
    const { clock, all } = processes(2, 1);
    const [closed, other] = all.map(({ slots }) => slots) as [RedisAgentSlots, RedisAgentSlots];
    entering(closed);
    await clock.advance(0);
    const waiting = closed.enter(never);
    const next = entering(other);
    await clock.advance(0);
    closed.close();
    await expect(waiting).rejects.toThrow('closed');
    await clock.advance(100);
    expect(next.isIn).toBe(true);
  });
});
