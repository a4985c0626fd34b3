-- The load generator's script for wrk: posts the events of a file in turn, round and round.
-- wrk -s load.lua URL -- FILE; a line of FILE is an ingestion token, a tab, and the event as JSON.
-- All requests are built before the first is sent, so that sending costs next to nothing.

local ring = {}
local position = 0

function init(arguments)
  for line in io.lines(arguments[1]) do
    local token, event = line:match("^([^\t]*)\t(.*)$")
    local headers = {
      ["Authorization"] = "Bearer " .. token,
      ["Content-Type"] = "application/json",
    }
    ring[#ring + 1] = wrk.format("POST", "/api/v1/webhook/event/log", headers, event)
  end
end

function request()
  position = position % #ring + 1
  return ring[position]
end

-- One line of JSON for load.ts, instead of wrk's own rounded figures. Times are in microseconds.
function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"statusErrors":%d,"socketErrors":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
