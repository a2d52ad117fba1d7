--- Calls that wait for the main loop, in order.
---
--- They run for a few milliseconds at a time, so that a flood of output doesn't
--- block the editor.

local M = {}

--- Milliseconds of work before the editor gets a turn.
local budget = 8

---@class turnwire.QueueSpec
---@field failed fun(problem: string) called with a call's error
---@field most integer most pending calls
---@field full fun(full: boolean) called when the limit is exceeded, and when the queue has room again

--- Returns a function that adds a call. It may be called in any context.
---@param spec turnwire.QueueSpec
---@return fun(call: fun())
function M.new(spec)
  local calls, first, last, scheduled, full = {}, 1, 0, false, false

  local function drain()
    local started = vim.uv.hrtime()
    while first <= last do
      local call = calls[first]
      calls[first] = nil
      first = first + 1
      local ok, err = xpcall(call, debug.traceback)
      if not ok then
        spec.failed(tostring(err))
      end
      if full and last - first < spec.most / 2 then
        full = false
        spec.full(false)
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
    if not full and last - first >= spec.most then
      full = true
      spec.full(true)
    end
    if not scheduled then
      scheduled = true
      vim.schedule(drain)
    end
  end
end

return M
