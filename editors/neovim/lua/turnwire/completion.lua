--- Completion of the commands' arguments. The program knows its flags and their values.

local M = {}

--- Milliseconds that a completion waits for the program, because Neovim stands still meanwhile.
M.patience = 3000

--- A bit of the last line of the program's answer: files are no completion.
local no_files = 4

--- Asks the program to complete the last argument of `turnwire acp`.
---@param arguments string[]
---@return string[] found
---@return boolean files whether files complete it, too
local function ask(arguments)
  local command = require("turnwire.config").command
  if command[2] ~= "acp" then
    return {}, false -- another program, which could take __complete for anything
  end
  local words = { require("turnwire.program").find(command[1]) or command[1], "__complete" }
  vim.list_extend(words, vim.list_slice(command, 2))
  local ok, result = pcall(function()
    return vim.system(vim.list_extend(words, arguments), { text = true }):wait(M.patience)
  end)
  local lines = ok and result.code == 0 and vim.split(vim.trim(result.stdout), "\n") or {}
  local directive = tonumber((table.remove(lines) or ""):match("^:(%d+)$"))
  if not directive then
    return {}, false
  end
  -- A description follows the tab.
  return vim.tbl_map(function(line)
    return (line:gsub("\t.*", ""))
  end, lines), bit.band(directive, no_files) == 0
end

--- The last flags, because some plugins complete on every key.
---@type { key: string, flags: string[] }?
local cached

--- Returns the flags that may follow; none after a flag that needs a value.
---@param before string[]
---@return string[]
local function flags(before)
  local key = table.concat(vim.list_extend(vim.list_slice(require("turnwire.config").command), before), "\0")
  if cached and cached.key == key then
    return cached.flags
  end
  local found = vim.tbl_filter(function(flag)
    return vim.startswith(flag, "--") and flag ~= "--help"
  end, (ask(vim.list_extend(vim.list_slice(before), { "--" }))))
  if #found > 0 then
    cached = { key = key, flags = found }
  end
  return found
end

---@param typed string
---@param kind string
---@return string[]
local function files(typed, kind)
  return vim.tbl_map(vim.fn.fnameescape, vim.fn.getcompletion((typed:gsub("\\ ", " ")), kind))
end

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
  end, require("turnwire.agents").installed())
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

--- Completes the value of a flag.
---@param before string[]
---@param lead string
---@return string[]
local function values(before, lead)
  local prefix, typed = lead:match("^(%-%-[^=]+=)(.*)$")
  prefix, typed = prefix or "", typed or lead
  local found, with_files = ask(vim.list_extend(vim.list_slice(before), { lead }))
  found = starting(found, typed)
  if #found == 0 and with_files then
    found = files(typed, "file")
  end
  return vim.tbl_map(function(value)
    return prefix .. value
  end, found)
end

--- Completes :Turnwire.
---@param lead string
---@param line string
---@param at integer
---@return string[]
function M.chat(lead, line, at)
  local before = words(lead, line, at)
  local last = before[#before]
  if vim.list_contains(before, "--") then
    return files(lead, last == "--" and "shellcmd" or "file")
  elseif last == "--agent" or last == "-a" then
    return starting(agents(), lead)
  elseif vim.startswith(lead, "--agent=") then
    return vim.tbl_map(function(name)
      return "--agent=" .. name
    end, starting(agents(), lead:sub(#"--agent=" + 1)))
  end
  local found = not lead:find("=", 1, true) and flags(before) or {}
  if #found == 0 then
    return values(before, lead)
  end
  return starting(vim.list_extend(vim.list_slice(found), { "--" }), lead)
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
