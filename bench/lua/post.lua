-- Adds animals. Argument: the path.
local body = '{"name":"Rex","categoryId":9007199254740993,"status":"available"}'
local add
function init(args)
  wrk.headers["Content-Type"] = "application/json"
  add = wrk.format("POST", args[1], nil, body)
end
function request() return add end
