-- Adds animals. Arguments: the path, and the body.
local add
function init(args)
  wrk.headers["Content-Type"] = "application/json"
  add = wrk.format("POST", args[1], nil, args[2])
end
function request() return add end
