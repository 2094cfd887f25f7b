import { RedisScript } from '../redis-script.js';

/**
 * A line of tickets in the order in which they were drawn; the first of them hold the slots. Each has a
 * lease, and whoever does not renew it is out of the line. Each step can be asked for again.
 *
 * Leases are kept in a time of their own, which goes on with each step, by half a lease at most: when
 * Redis was away nobody could renew, and all would be taken for dead.
 *
 * KEYS: the line, its leases, its clock
 * ARGV: milliseconds to keep them, the time in milliseconds (empty: that of Redis), milliseconds of a
 *   lease, the step, the ticket, and then:
 *
 * - `enter`, slots: draws the ticket if it is new, renews its lease, and returns its number, and whether
 *   it holds a slot.
 * - `renew`, number: renews the lease. Who was taken for dead and was not gets its old place: it works, so
 *   somebody else has to wait.
 * - `leave`: only this ticket. The slot of a ticket that is out already is that of another by now.
 */
export const agentLineScript = new RedisScript(`
local line, leases, clock = unpack(KEYS)
local lease, step, ticket = tonumber(ARGV[3]), ARGV[4], ARGV[5]

local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end
local before = redis.call('HMGET', clock, 'at', 'time')
local passed = math.min(math.max(now - (tonumber(before[1]) or now), 0), lease / 2)
local time = (tonumber(before[2]) or 0) + passed
redis.call('HSET', clock, 'at', now, 'time', time)

if step ~= 'leave' then redis.call('ZADD', leases, time + lease, ticket) end
for _, dead in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', time)) do
  redis.call('ZREM', line, dead)
  redis.call('ZREM', leases, dead)
end

local answer = {}
if step == 'enter' then
  local number = redis.call('ZSCORE', line, ticket)
  if not number then
    number = redis.call('HINCRBY', clock, 'drawn', 1)
    redis.call('ZADD', line, number, ticket)
  end
  local isIn = redis.call('ZRANK', line, ticket) < tonumber(ARGV[6])
  answer = {tonumber(number), isIn and 1 or 0}
elseif step == 'renew' then
  redis.call('ZADD', line, ARGV[6], ticket)
elseif step == 'leave' then
  redis.call('ZREM', line, ticket)
  redis.call('ZREM', leases, ticket)
else
  return redis.error_reply('ERR no such step: ' .. step)
end
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ARGV[1]) end
return answer
`);
