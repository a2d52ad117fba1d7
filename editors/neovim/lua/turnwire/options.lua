--- A session's settings: its config options, and its modes if no option covers
--- them.

local M = {}

---@class turnwire.Options
---@field private list table[] `SessionConfigOption`s
---@field private modes table? `SessionModeState`
local Options = {}
Options.__index = Options

---@return turnwire.Options
function M.new()
  return setmetatable({ list = {} }, Options)
end

--- Applies the settings in a response or an update. Missing ones stay
--- unchanged.
---@param from table
function Options:update(from)
  if type(from.configOptions) == "table" and vim.islist(from.configOptions) then
    self.list = vim.tbl_filter(function(option)
      return type(option) == "table" and type(option.id) == "string"
    end, from.configOptions)
  end
  if type(from.modes) == "table" and type(from.modes.availableModes) == "table" then
    self.modes = from.modes
  end
  if type(from.currentModeId) == "string" and self.modes then
    self.modes.currentModeId = from.currentModeId
  end
end

--- Returns the modes as an option, so that both look the same to a person.
---@return table?
function Options:_mode()
  local of_modes = vim.iter(self.list):any(function(option)
    return option.category == "mode"
  end)
  if of_modes or not self.modes then
    return nil
  end
  local choices = {}
  for _, mode in ipairs(self.modes.availableModes) do
    if type(mode) == "table" and type(mode.id) == "string" then
      table.insert(choices, { value = mode.id, name = mode.name, description = mode.description })
    end
  end
  return { id = "mode", name = "Mode", type = "select", currentValue = self.modes.currentModeId, options = choices, is_mode = true }
end

---@return table[] `SessionConfigOption`s; is_mode marks the one for the modes
function Options:all()
  local mode = self:_mode()
  return mode and vim.list_extend({ mode }, self.list) or self.list
end

--- Returns an option's values, with groups flattened.
---@param option table
---@return { value: string|boolean, name: any, description: any }[]
function M.values(option)
  if option.type == "boolean" then
    return { { value = true, name = "On" }, { value = false, name = "Off" } }
  end
  local out = {}
  local function add(list, depth)
    for _, choice in ipairs(type(list) == "table" and list or {}) do
      if type(choice) == "table" and choice.options and depth == 0 then
        add(choice.options, 1)
      elseif type(choice) == "table" and type(choice.value) == "string" then
        table.insert(out, choice)
      end
    end
  end
  add(option.options, 0)
  return out
end

return M
