--- The settings of an agent that a person can choose: mode, model and others.

local text = require("turnwire.text")

local M = {}

--- The values of an option, groups taken apart.
---@param option table
---@return { value: any, label: string }[]
local function values(option)
  if option.type == "boolean" then
    return { { value = true, label = "On" }, { value = false, label = "Off" } }
  end
  local out = {}
  local function add(list)
    for _, choice in ipairs(type(list) == "table" and list or {}) do
      if type(choice) == "table" and choice.options then
        add(choice.options)
      elseif type(choice) == "table" and type(choice.value) == "string" then
        table.insert(out, { value = choice.value, label = text.line(choice.name or choice.value) })
      end
    end
  end
  add(option.options)
  return out
end

---@param chat turnwire.Chat
---@param option table
local function choose_value(chat, option)
  vim.ui.select(values(option), {
    prompt = text.line(option.name),
    format_item = function(choice)
      return (choice.value == option.currentValue and "● " or "  ") .. choice.label
    end,
  }, function(choice)
    if not choice then
      return
    end
    chat.session:set_option(option.id, choice.value, function(problem)
      if problem then
        vim.notify("Turnwire: " .. problem, vim.log.levels.ERROR)
      end
      chat.status:set_options(chat.session.options)
    end)
  end)
end

---@param chat turnwire.Chat
function M.choose(chat)
  local options = vim.tbl_filter(function(option)
    return type(option) == "table" and type(option.id) == "string" and #values(option) > 1
  end, chat.session and chat.session.options or {})
  if #options == 0 then
    vim.notify("This agent has no settings to choose")
    return
  end
  vim.ui.select(options, {
    prompt = "Setting",
    format_item = function(option)
      return text.line(option.name)
    end,
  }, function(option)
    if option then
      choose_value(chat, option)
    end
  end)
end

return M
