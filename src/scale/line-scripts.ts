import { lua } from './lua.js';

/**
 * The line of all who want an analysis, kept in Redis. Each is a lease, which its process renews
 * every second, and an entry that says how far it has come. Every script first forgets those whose
 * process is gone. KEYS: leases, entries, last run id; ARGV[1] is the channel of the news.
 */
const prelude = lua`
local leases, entries, lastId = KEYS[1], KEYS[2], KEYS[3]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function tell(news) redis.call('PUBLISH', ARGV[1], news) end
local function tellCount() tell('count ' .. redis.call('ZCARD', leases)) end
for _, id in ipairs(redis.call('ZRANGEBYSCORE', leases, '-inf', now)) do
  redis.call('ZREM', leases, id)
  redis.call('HDEL', entries, id)
  tell('left ' .. id)
  tellCount()
end
local function load(id)
  local text = redis.call('HGET', entries, id)
  return text and cjson.decode(text)
end
local function save(id, entry) redis.call('HSET', entries, id, cjson.encode(entry)) end
local function each(visit)
  local all = redis.call('HGETALL', entries)
  for i = 1, #all, 2 do visit(all[i], cjson.decode(all[i + 1])) end
end
`;

export const lineScripts = {
  /** id, lease, caller, peer, and how many there may be of all, of the caller, of the peer. */
  enter: lua`${prelude}
local ofCaller, ofPeer = 0, 0
each(function(_, entry)
  if entry.caller == ARGV[4] then ofCaller = ofCaller + 1 end
  if entry.peer == ARGV[5] then ofPeer = ofPeer + 1 end
end)
if redis.call('ZCARD', leases) >= tonumber(ARGV[6]) then return 'all' end
if ofCaller >= tonumber(ARGV[7]) then return 'perCaller' end
if ofPeer >= tonumber(ARGV[8]) then return 'perPeer' end
save(ARGV[2], { caller = ARGV[4], peer = ARGV[5], run = '' })
redis.call('ZADD', leases, now + ARGV[3], ARGV[2])
tellCount()
return ''
`,

  /** lease and ids; answers how many are in line, then how each of them stands. */
  renew: lua`${prelude}
local answer = { tostring(redis.call('ZCARD', leases)) }
for i = 3, #ARGV do
  local entry = load(ARGV[i])
  if not entry then answer[#answer + 1] = 'gone'
  else
    redis.call('ZADD', leases, now + ARGV[2], ARGV[i])
    if entry.stopped then answer[#answer + 1] = 'stopped'
    elseif entry.turn then answer[#answer + 1] = 'turn'
    else answer[#answer + 1] = 'waiting' end
  end
end
return answer
`,

  /** id. Whatever the order in which turns are offered, nobody gets one while another has it. */
  grant: lua`${prelude}
local entry = load(ARGV[2])
if not entry then return 'over' end
if entry.turn then return 'held' end
if entry.stopped then return 'over' end
local busy = false
each(function(_, other) busy = busy or other.turn end)
if busy then return 'busy' end
entry.turn = true
save(ARGV[2], entry)
tell('turn ' .. ARGV[2])
return 'held'
`,

  /** id and run id. */
  name: lua`${prelude}
local entry = load(ARGV[2])
if entry then
  entry.run = ARGV[3]
  save(ARGV[2], entry)
end
redis.call('SET', lastId, ARGV[3])
return ''
`,

  /** id. The mark of the last checkpoint: from here on nobody is told that the run will stop. */
  commit: lua`${prelude}
local entry = load(ARGV[2])
if not entry then return 'gone' end
if entry.stopped then return 'stopped' end
entry.committed = true
save(ARGV[2], entry)
return 'committed'
`,

  /** caller; answers run id and whether it will stop, for each analysis of the caller. */
  cancel: lua`${prelude}
local answer = {}
each(function(id, entry)
  if entry.caller ~= ARGV[2] then return end
  answer[#answer + 1] = entry.run
  if entry.committed then
    answer[#answer + 1] = 'too late'
  else
    entry.stopped = true
    save(id, entry)
    tell('stop ' .. id)
    answer[#answer + 1] = 'stopped'
  end
end)
return answer
`,

  /** id. */
  leave: lua`${prelude}
redis.call('ZREM', leases, ARGV[2])
redis.call('HDEL', entries, ARGV[2])
tell('left ' .. ARGV[2])
tellCount()
return ''
`,
} as const;
