--- Lets a person choose an agent's settings: mode, model and others.

local options = require("turnwire.options")
local text = require("turnwire.text")

local M = {}

---@param chat turnwire.Chat
---@return table[] the settings with more than one value
local function choosable(chat)
  if not chat.session or not chat.ready then
    return {}
  end
  return vim.tbl_filter(function(option)
    return #options.values(option) > 1
  end, chat.session.options:all())
end

---@param choice table
---@return string
local function label(choice)
  local name = text.line(choice.name, 60)
  return name ~= "" and name or text.line(tostring(choice.value or choice.id), 60)
end

---@param chat turnwire.Chat
---@param option table
---@param value string|boolean
local function set(chat, option, value)
  chat.session:set_option(option, value, function(problem)
    if problem then
      vim.notify(("Turnwire: %s was not changed: %s"):format(label(option), problem), vim.log.levels.ERROR)
    end
    chat.status:set_options(chat.session.options:all())
  end)
end

---@param chat turnwire.Chat
---@param option table
local function choose_value(chat, option)
  vim.ui.select(options.values(option), {
    prompt = label(option),
    kind = "turnwire",
    format_item = function(choice)
      local description = text.line(choice.description, 80)
      local sign = choice.value == option.currentValue and "● " or "  "
      return sign .. label(choice) .. (description ~= "" and " · " .. description or "")
    end,
  }, function(choice)
    if choice then
      set(chat, option, choice.value)
    end
  end)
end

---@param list table[]
---@param name string
---@param of fun(item: table): any a second text to match, besides the label
local function find(list, name, of)
  return vim.iter(list):find(function(item)
    return tostring(of(item)) == name or label(item) == name
  end)
end

local function id(option)
  return option.id
end

local function value(choice)
  return choice.value
end

--- Sets a setting. Asks for the setting or value if it isn't given.
---@param chat turnwire.Chat
---@param name string? of the setting
---@param wanted string? the value
function M.choose(chat, name, wanted)
  local list = choosable(chat)
  local option = name and find(list, name, id)
  local choice = option and wanted and find(options.values(option), wanted, value)
  if #list == 0 then
    vim.notify("Turnwire: this agent has no settings")
  elseif name and not option then
    vim.notify(("Turnwire: unknown setting %q"):format(name), vim.log.levels.ERROR)
  elseif wanted and not choice then
    vim.notify(("Turnwire: %s has no value %q"):format(label(option), wanted), vim.log.levels.ERROR)
  elseif choice then
    set(chat, option, choice.value)
  elseif option or #list == 1 then
    choose_value(chat, option or list[1])
  else
    vim.ui.select(list, { prompt = "Setting", kind = "turnwire", format_item = label }, function(chosen)
      if chosen then
        choose_value(chat, chosen)
      end
    end)
  end
end

--- Returns the completions of :TurnwireSet.
---@param chat turnwire.Chat
---@param name string? the setting whose values are completed
---@return string[]
function M.names(chat, name)
  local list = choosable(chat)
  if not name then
    return vim.tbl_map(id, list)
  end
  local option = find(list, name, id)
  return vim.tbl_map(function(choice)
    return tostring(choice.value)
  end, option and options.values(option) or {})
end

return M
