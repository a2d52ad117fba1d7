--- The line above the prompt: how the agent stands, and what it has used.

local text = require("turnwire.text")

local M = {}

---@class turnwire.Status
---@field state "starting"|"loading"|"login"|"ready"|"working"|"cancelling"|"ended"
local Status = {}
Status.__index = Status

---@param changed fun(chunks: table[])
---@return turnwire.Status
function M.new(changed)
  return setmetatable({ state = "starting", changed = changed, asks = 0, settings = {} }, Status)
end

local states = {
  starting = { "starting …", "TurnwireRunning" },
  loading = { "opening the chat …", "TurnwireRunning" },
  login = { "wants a login · <C-c> ends that", "TurnwireAsk" },
  ready = { "ready", "TurnwireCompleted" },
  cancelling = { "cancelling …", "TurnwireAsk" },
  ended = { "ended · <CR> starts it again", "TurnwireFailed" },
}

---@return table
function Status:_state()
  if self.asks > 0 then
    return { "waits for you · gp", "TurnwireAsk" }
  elseif self.state == "working" then
    local seconds = math.floor((vim.uv.hrtime() - self.since) / 1e9)
    local clock = seconds > 0 and (" %d s"):format(seconds) or ""
    return { "working" .. clock .. " · <C-c> cancels", "TurnwireRunning" }
  end
  return states[self.state]
end

function Status:draw()
  local chunks = { self:_state() }
  local function add(s)
    table.insert(chunks, { " · " .. s, "TurnwireStatus" })
  end
  for _, name in ipairs(self.settings) do
    add(name)
  end
  local u = self.usage
  if u then
    add(("%s/%s tokens"):format(text.count(u.used), text.count(u.size)))
    if u.cost then
      add(u.cost)
    end
  end
  self.changed(chunks)
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
  self.asks = count
  self:draw()
end

--- `UsageUpdate`.
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

--- The current values of the agent's settings; of those that are on or off, the
--- names of those that are on.
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
