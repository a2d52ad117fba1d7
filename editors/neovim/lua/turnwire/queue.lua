--- Calls that wait for the main loop, in order.
---
--- They run a few milliseconds at a time, so that a flood of output does not
--- keep the editor from its person.

local M = {}

--- Milliseconds of work before the editor gets its turn.
local budget = 8

--- Returns a function that adds a call; it may be used anywhere.
---@param failed fun(problem: string) gets the error of a call
---@return fun(call: fun())
function M.new(failed)
  local calls, first, last, scheduled = {}, 1, 0, false

  local function drain()
    local started = vim.uv.hrtime()
    while first <= last do
      local call = calls[first]
      calls[first] = nil
      first = first + 1
      local ok, err = xpcall(call, debug.traceback)
      if not ok then
        failed(tostring(err))
      end
      if first <= last and (vim.uv.hrtime() - started) / 1e6 > budget then
        vim.defer_fn(drain, 1)
        return
      end
    end
    scheduled = false
  end

  return function(call)
    last = last + 1
    calls[last] = call
    if not scheduled then
      scheduled = true
      vim.schedule(drain)
    end
  end
end

return M
