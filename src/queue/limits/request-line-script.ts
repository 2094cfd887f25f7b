import { RedisScript } from '../redis-connection.js';

/**
 * The steps of src/limits/gcra.ts, number by number, as Redis takes them: a hash holds the line
 * of one model. Besides, it holds for each client which of its requests has a place, and what it settled
 * last: when a connection breaks it is not known whether a step was taken, and each can be asked for again.
 *
 * KEYS: the line
 * ARGV: milliseconds to keep it, requests per minute, tokens per minute (empty: no limit), the time in
 *   milliseconds (empty: that of Redis), then the step:
 *
 * - `ask`, client, number, tokens: gets a place for the request of that number, unless it has one, and
 *   goes if it is the time for it. Returns 0 then, else the milliseconds to wait as things are.
 * - `settle`, client, number, tokens that it was thought to take, tokens that it took.
 * - `pause`, milliseconds.
 */
export const requestLineScript = new RedisScript(`
local key, step = KEYS[1], ARGV[5]
local requestsPerMinute, tokensPerMinute = tonumber(ARGV[2]), tonumber(ARGV[3])
local minute, rounding = 60000, 1e-6

local now = tonumber(ARGV[4])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local names = {'at', 'pausedUntil', 'requestsPaid', 'requestsGone', 'requestsJoined',
  'tokensPaid', 'tokensGone', 'tokensJoined'}
local line = {}
for index, value in ipairs(redis.call('HMGET', key, unpack(names))) do
  line[names[index]] = tonumber(value) or (index <= 2 and now or 0)
end

-- As many digits as it takes to get the same number back.
local function text(number) return string.format('%.17g', number) end

local function countedTokens(tokens)
  return math.min(math.max(tonumber(tokens), 0), tokensPerMinute or 1.7976931348623157e308)
end

local function moveToNow()
  if now < line.at then
    line.pausedUntil = line.pausedUntil - (line.at - now)
  else
    local from = math.max(line.at, math.min(line.pausedUntil, now))
    local minutes = (now - from) / minute
    line.requestsPaid = line.requestsPaid + minutes * (requestsPerMinute or 0)
    line.tokensPaid = line.tokensPaid + minutes * (tokensPerMinute or 0)
  end
  line.at = now
end

local function timeTo(distance, perMinute)
  if not perMinute or distance <= 0 then return 0 end
  return (distance / perMinute) * minute
end

local function join(tokens)
  local place = {line.requestsJoined, line.tokensJoined, countedTokens(tokens)}
  line.requestsJoined = line.requestsJoined + 1
  line.tokensJoined = line.tokensJoined + place[3]
  return unpack(place)
end

local function goFrom(requests, tokens, takes)
  moveToNow()
  local spareRequests = math.max(0, (requestsPerMinute or 0) / 60 - 1)
  local spareTokens = (tokensPerMinute or 0) / 60
  line.requestsPaid = math.min(line.requestsPaid, math.max(line.requestsGone + spareRequests, requests))
  line.tokensPaid = math.min(line.tokensPaid, math.max(line.tokensGone + spareTokens, tokens))
  local wait = math.max(0, line.pausedUntil - now) + math.max(
    timeTo(requests - line.requestsPaid, requestsPerMinute),
    timeTo(tokens - line.tokensPaid, tokensPerMinute))
  if wait > rounding then return math.ceil(wait - rounding) end
  line.requestsGone = math.max(line.requestsGone, requests + 1)
  line.tokensGone = math.max(line.tokensGone, tokens + takes)
  return 0
end

local answer = 0
if step == 'ask' then
  local field, number = 'asked:' .. ARGV[6], ARGV[7]
  local asked, requests, tokens, takes =
    string.match(redis.call('HGET', key, field) or '', '^(%S+) (%S+) (%S+) (%S+)$')
  if asked == number then
    requests, tokens, takes = tonumber(requests), tonumber(tokens), tonumber(takes)
  else
    requests, tokens, takes = join(ARGV[8])
    local place = table.concat({text(requests), text(tokens), text(takes)}, ' ')
    redis.call('HSET', key, field, number .. ' ' .. place)
  end
  answer = goFrom(requests, tokens, takes)
elseif step == 'settle' then
  local field, number = 'settled:' .. ARGV[6], tonumber(ARGV[7])
  if number > tonumber(redis.call('HGET', key, field) or '0') then
    redis.call('HSET', key, field, ARGV[7])
    line.tokensPaid = line.tokensPaid + (countedTokens(ARGV[8]) - countedTokens(ARGV[9]))
  end
elseif step == 'pause' then
  moveToNow()
  line.pausedUntil = math.max(line.pausedUntil, now + tonumber(ARGV[6]))
  line.requestsPaid = math.min(line.requestsPaid, line.requestsGone)
  line.tokensPaid = math.min(line.tokensPaid, line.tokensGone)
else
  return redis.error_reply('ERR no such step: ' .. step)
end

local fields = {}
for index, name in ipairs(names) do
  fields[2 * index - 1] = name
  fields[2 * index] = text(line[name])
end
redis.call('HSET', key, unpack(fields))
redis.call('PEXPIRE', key, ARGV[1])
return answer
`);
