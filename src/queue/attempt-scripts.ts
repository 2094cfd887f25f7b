import { RedisScript } from './redis-connection.js';

/*
 * These scripts decide which worker may report how a task run went. Any number of workers can believe that a task run
 * is theirs: one that was frozen does not know that another was given it. So each attempt has a fence, a word that
 * only the worker has that began the latest attempt; a request with another word changes nothing.
 */

/**
 * Begins an attempt, unless there is nothing to begin. The worker must still hold the lease when its request arrives.
 * An attempt that is still open then was lost, because its lease is over: this worker has to clean up after it. The
 * same request, repeated because the answer was lost, gets the same answer. The field `<item>/told` counts the
 * events that were sent of the attempt.
 *
 * KEYS: run, done, attempts, open, events, sequence, parallel, setup, lock of the job
 * ARGV: item, token, how many attempts may be lost
 */
export const beginScript = new RedisScript(`
local run = redis.call('HMGET', KEYS[1], 'state', 'expiresAt', 'endsAt', 'bail', 'notPassed',
  'maxCost', 'cost', 'maxTokens', 'tokens', 'waiting', 'mostWaiting')
if not run[1] then return {'gone'} end
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return {'done'} end
if redis.call('GET', KEYS[9]) ~= ARGV[2] then return {'taken'} end

local number, lost, isSameRequest = 0, 0, false
local current = redis.call('HGET', KEYS[3], ARGV[1])
if current then
  local n, l, token = string.match(current, '^(%d+) (%-?%d+) (.*)$')
  number, lost, isSameRequest = tonumber(n), tonumber(l), token == ARGV[2]
end
local cutOff = redis.call('HGET', KEYS[4], ARGV[1])

local function reached(limit, spent)
  return limit and tonumber(spent or '0') >= tonumber(limit)
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local closedBy
if run[1] ~= 'open' then closedBy = run[1]
elseif reached(run[4], run[5]) then closedBy = 'bail'
elseif reached(run[6], run[7]) then closedBy = 'cost'
elseif reached(run[8], run[9]) then closedBy = 'tokens'
elseif run[3] and now >= tonumber(run[3]) then closedBy = 'duration'
end
if closedBy and run[1] == 'open' then redis.call('HSETNX', KEYS[1], 'over', closedBy) end
if closedBy and not cutOff then return {'closed'} end
if not closedBy and not cutOff and reached(run[11], run[10]) then return {'full'} end

if cutOff and not isSameRequest then lost = lost + 1 end
local kind = 'begun'
if closedBy then kind = 'clean'
elseif lost >= tonumber(ARGV[3]) then kind = 'poisonous'
end
if not isSameRequest then number = number + 1 end
local fence = number .. ' ' .. lost .. ' ' .. ARGV[2]
redis.call('HSET', KEYS[3], ARGV[1], fence)
redis.call('HSET', KEYS[4], ARGV[1], cutOff or '')
for index = 1, 8 do redis.call('PEXPIREAT', KEYS[index], run[2]) end
local sentEvents = redis.call('HGET', KEYS[3], ARGV[1] .. '/told')
return {kind, fence, number, lost, cutOff or '', tonumber(sentEvents or '0')}
`);

const appendEntry = `
local function keepExpiring(key)
  local at = redis.call('HGET', KEYS[1], 'expiresAt')
  if at then redis.call('PEXPIREAT', key, at) end
end

local function append(stream, run, first)
  local entry, size = {}, 0
  for index = first, #ARGV do
    entry[#entry + 1] = ARGV[index]
    size = size + #ARGV[index]
  end
  if #entry == 0 then return end
  redis.call('XADD', stream, '*', unpack(entry))
  if redis.call('XLEN', stream) == 1 then keepExpiring(stream) end
  redis.call('HINCRBY', run, 'waiting', size)
end
`;

/**
 * Appends events of an attempt to the stream, and notes what cleaning up after it needs. 0: another attempt counts.
 *
 * KEYS: run, attempts, open, events
 * ARGV: item, word of the fence, number of its events up to here, what cleaning up needs (empty: the same as
 *       before; -: nothing), fields of the entry
 */
export const appendScript = new RedisScript(`${appendEntry}
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then return 0 end
append(KEYS[4], KEYS[1], 5)
redis.call('HSET', KEYS[2], ARGV[1] .. '/told', ARGV[3])
if ARGV[4] == '-' then redis.call('HSET', KEYS[3], ARGV[1], '')
elseif ARGV[4] ~= '' then redis.call('HSET', KEYS[3], ARGV[1], ARGV[4])
end
return 1
`);

/**
 * Ends an attempt together with its last events. Without an outcome the task run runs again. 0: another attempt
 * counts.
 *
 * KEYS: run, attempts, open, events, done, sequence
 * ARGV: item, word of the fence, outcome, cost, tokens, fields of the entry
 */
export const endScript = new RedisScript(`${appendEntry}
if redis.call('HGET', KEYS[2], ARGV[1]) ~= ARGV[2] then return 0 end
append(KEYS[4], KEYS[1], 6)
redis.call('HDEL', KEYS[3], ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], string.match(ARGV[2], '^%d+ %-?%d+ '))
redis.call('HDEL', KEYS[2], ARGV[1] .. '/told')
redis.call('HINCRBYFLOAT', KEYS[1], 'cost', ARGV[4])
redis.call('HINCRBY', KEYS[1], 'tokens', ARGV[5])
if ARGV[3] == '' then return 1 end
redis.call('HSET', KEYS[5], ARGV[1], ARGV[3])
keepExpiring(KEYS[5])
if ARGV[3] ~= 'passed' then redis.call('HINCRBY', KEYS[1], 'notPassed', 1) end
local place = redis.call('HGET', KEYS[1], 'sequenceDone') or '0'
if redis.call('LINDEX', KEYS[6], place) == ARGV[1] then
  redis.call('HINCRBY', KEYS[1], 'sequenceDone', 1)
end
return 1
`);

/**
 * Gives what is to be put into the queue next: the next item of the sequence; all parallel items, when the sequence
 * is done; or nothing.
 *
 * KEYS: run, sequence
 */
export const nextScript = new RedisScript(`
local run = redis.call('HMGET', KEYS[1], 'state', 'sequenceDone', 'released')
if run[1] ~= 'open' then return {'nothing'} end
local item = redis.call('LINDEX', KEYS[2], run[2] or '0')
if item then return {'item', item} end
if run[3] then return {'nothing'} end
return {'parallel'}
`);

/**
 * Changes a field of a run, if the queue still knows the run: otherwise the key would come back, and never expire.
 *
 * KEYS: run; ARGV: field, value
 */
export const updateRunScript = new RedisScript(`
if redis.call('HEXISTS', KEYS[1], 'state') == 1 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end
`);

/**
 * Closes a run whose time budget is spent: `beginScript` does so too, but only if a worker asks.
 *
 * KEYS: run
 */
export const closeInTimeScript = new RedisScript(`
local run = redis.call('HMGET', KEYS[1], 'state', 'endsAt')
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if run[1] == 'open' and run[2] and now >= tonumber(run[2]) then
  redis.call('HSETNX', KEYS[1], 'over', 'duration')
end
`);
