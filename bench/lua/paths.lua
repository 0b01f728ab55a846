-- Requests the paths of a file, in random order. Arguments: the file, and a seed.
local paths = {}
function init(args)
  math.randomseed(tonumber(args[2]))
  for line in io.lines(args[1]) do paths[#paths + 1] = wrk.format("GET", line) end
end
function request() return paths[math.random(#paths)] end
