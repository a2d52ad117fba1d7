--- Completion of the commands' arguments.

local M = {}

local flags = { "--agent", "--config", "--dialect", "--header", "--join", "--log-file", "--log-level", "--replay", "--url", "--" }

--- Options that take a file.
local of_files = { ["--config"] = true, ["--log-file"] = true, ["--replay"] = true }

---@param list string[]
---@param lead string
---@return string[]
local function starting(list, lead)
  return vim.tbl_filter(function(item)
    return vim.startswith(item, lead)
  end, list)
end

--- Returns the names of the agents that are installed.
---@return string[]
local function agents()
  return vim.tbl_map(function(agent)
    return agent.name
  end, require("turnwire.agents").list())
end

--- Returns the complete words of a command line, without the command.
---@param lead string
---@param line string
---@param at integer
---@return string[]
local function words(lead, line, at)
  local before = line:sub(1, at - #lead)
  return vim.list_slice(vim.split(vim.trim(before), "%s+"), 2)
end

--- Completes :Turnwire.
---@param lead string
---@param line string
---@param at integer
---@return string[]
function M.chat(lead, line, at)
  local before = words(lead, line, at)
  local last = before[#before]
  if vim.list_contains(before, "--") or of_files[last] then
    local typed = lead:gsub("\\ ", " ")
    local found = vim.fn.getcompletion(typed, last == "--" and "shellcmd" or "file")
    return vim.tbl_map(vim.fn.fnameescape, found)
  elseif last == "--agent" or last == "-a" then
    return starting(agents(), lead)
  elseif vim.startswith(lead, "--agent=") then
    return vim.tbl_map(function(name)
      return "--agent=" .. name
    end, starting(agents(), lead:sub(#"--agent=" + 1)))
  end
  return starting(flags, lead)
end

--- Completes :TurnwireSet.
---@param lead string
---@param line string
---@param at integer
---@return string[]
function M.setting(lead, line, at)
  local before, found = words(lead, line, at), {}
  require("turnwire.chats").with_current(function(chat)
    found = #before < 2 and require("turnwire.settings").names(chat, before[1]) or {}
  end)
  return starting(found, lead)
end

return M
