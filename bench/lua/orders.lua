-- Orders one animal after another, each once. Arguments: the path, the first and the last id, the number of this load, and the number of loads.
local path, id, last, step
function init(args)
  wrk.headers["Content-Type"] = "application/json"
  path, id, last, step = args[1], args[2] + args[4], tonumber(args[3]), args[5]
end
function request()
  if id > last then error("no animal is left to order") end
  local body = string.format('{"petId":%d}', id)
  id = id + step
  return wrk.format("POST", path, nil, body)
end
