--- The line above the prompt: the agent's state and usage.

local text = require("turnwire.text")

local M = {}

---@class turnwire.Status
---@field state "starting"|"loading"|"login"|"ready"|"working"|"cancelling"|"ended"
local Status = {}
Status.__index = Status

---@param changed fun()
---@return turnwire.Status
function M.new(changed)
  return setmetatable({ state = "starting", changed = changed, confirmations = 0, settings = {} }, Status)
end

--- For each state: its text, an ending that is shown if it fits, and its
--- highlight group.
local states = {
  starting = { "starting …", "", "TurnwireRunning" },
  loading = { "opening the chat …", "", "TurnwireRunning" },
  login = { "login required", " · <C-c> dismisses", "TurnwireAsk" },
  ready = { "ready", "", "TurnwireCompleted" },
  cancelling = { "cancelling …", "", "TurnwireAsk" },
  ended = { "stopped", " · <CR> restarts it", "TurnwireFailed" },
}

---@return string state
---@return string more
---@return string group
function Status:_state()
  if self.confirmations > 0 then
    return "waiting for you · gp", "", "TurnwireAsk"
  elseif self.state == "working" then
    local seconds = math.floor((vim.uv.hrtime() - self.since) / 1e9)
    local clock = seconds > 0 and (" %d s"):format(seconds) or ""
    return "working" .. clock, " · <C-c> cancels", "TurnwireRunning"
  end
  return unpack(states[self.state])
end

--- Setting names are shortened to these widths, one after the other, until the
--- line fits.
local cuts = { 40, 24, 16, 10 }

--- Formats the usage, in full or in few cells.
---@param short boolean
---@return string[]
function Status:_used(short)
  local u, out = self.usage, {}
  if u and short then
    table.insert(out, u.size > 0 and ("%d %%"):format(math.floor(100 * u.used / u.size)) or text.count(u.used))
  elseif u then
    table.insert(out, ("%s/%s tokens"):format(text.count(u.used), text.count(u.size)))
  end
  if u and u.cost then
    table.insert(out, u.cost)
  end
  return out
end

--- Returns the line, as wide as there is room. The least important parts are cut
--- first: setting names are shortened, then the state loses its ending, then the
--- usage is shortened. At last settings are left out, starting with the last one.
---@param width integer cells
---@return table[] chunks of virtual text
function Status:chunks(width)
  local state, more, group = self:_state()
  local function made(ending, used, names)
    local parts = vim.list_extend({ state .. ending }, vim.list_extend(vim.list_slice(names), used))
    local chunks = { { parts[1], group } }
    for i = 2, #parts do
      table.insert(chunks, { " · " .. parts[i], "TurnwireStatus" })
    end
    return chunks, vim.api.nvim_strwidth(table.concat(parts, " · ")) <= width
  end
  for _, ways in ipairs({ { more, false }, { "", false }, { "", true } }) do
    local used = self:_used(ways[2])
    for _, most in ipairs(cuts) do
      local names = vim.tbl_map(function(name)
        return text.fit(name, most)
      end, self.settings)
      local chunks, fits = made(ways[1], used, names)
      if fits then
        return chunks
      end
    end
  end
  local names = vim.tbl_map(function(name)
    return text.fit(name, cuts[#cuts])
  end, self.settings)
  local used = self:_used(true)
  repeat
    table.remove(names)
    local chunks, fits = made("", used, names)
    if fits then
      return chunks
    end
  until #names == 0
  return { { text.fit(state, width), group } }
end

function Status:draw()
  self.changed()
end

---@param state string
function Status:set(state)
  self.state = state
  if state == "working" and not self.timer then
    self.since = vim.uv.hrtime()
    self.timer = vim.uv.new_timer()
    self.timer:start(1000, 1000, vim.schedule_wrap(function()
      if self.timer then
        self:draw()
      end
    end))
  elseif state ~= "working" and state ~= "cancelling" then
    self:stop()
  end
  self:draw()
end

---@param count integer
function Status:set_asks(count)
  self.confirmations = count
  self:draw()
end

--- Applies a `UsageUpdate`.
---@param update table
function Status:set_usage(update)
  if type(update.used) ~= "number" or type(update.size) ~= "number" then
    return
  end
  self.usage = { used = update.used, size = update.size }
  local cost = update.cost
  if type(cost) == "table" and type(cost.amount) == "number" then
    local currency = text.line(cost.currency, 8)
    self.usage.cost = currency == "USD" and ("$%.2f"):format(cost.amount) or ("%.2f %s"):format(cost.amount, currency)
  end
  self:draw()
end

--- Sets the current values of the agent's settings. Of on/off settings, it only
--- shows the names of those that are on.
---@param options table[]
function Status:set_options(options)
  self.settings = {}
  for _, option in ipairs(options) do
    if option.type == "boolean" then
      if option.currentValue == true then
        table.insert(self.settings, text.line(option.name, 40))
      end
    else
      for _, choice in ipairs(require("turnwire.options").values(option)) do
        if choice.value == option.currentValue then
          table.insert(self.settings, text.line(choice.name or choice.value, 40))
        end
      end
    end
  end
  self:draw()
end

function Status:stop()
  if self.timer then
    self.timer:close()
    self.timer = nil
  end
end

return M
