--- Completion in the prompt: /commands of the agent and @files of its folder.

local text = require("turnwire.text")

local M = {}

--- So many files are offered at once.
local most = 200

--- What is being completed: its kind, its first column (0-based), what is typed.
---@param chat turnwire.Chat
---@return "command"|"file"|nil kind
---@return integer? column
---@return string? typed
local function subject(chat)
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  if row <= chat.prompt:row() then
    return nil
  end
  local before = vim.api.nvim_get_current_line():sub(1, column)
  local command = before:match("^/(%S*)$")
  if command then
    return "command", 0, command
  end
  local from, file = before:match("()@(%S*)$")
  if from and (from == 1 or before:sub(from - 1, from - 1):find("%s")) then
    return "file", from - 1, file
  end
end

---@param chat turnwire.Chat
---@param typed string
local function commands(chat, typed)
  local out = {}
  for _, command in ipairs(chat.commands) do
    local name = text.line(command.name)
    if vim.startswith(name, typed) then
      local hint = type(command.input) == "table" and text.line(command.input.hint) or ""
      table.insert(out, {
        word = "/" .. name .. (hint ~= "" and " " or ""),
        abbr = "/" .. name,
        kind = hint,
        menu = text.line(command.description, 60),
      })
    end
  end
  return out
end

---@param chat turnwire.Chat
---@param typed string
local function files(chat, typed)
  local folder, start = typed:match("^(.*/)([^/]*)$")
  folder, start = folder or "", start or typed
  local path = require("turnwire.paths").confine(vim.fs.joinpath(chat.cwd, folder), chat.cwd)
  local out = {}
  if not path then
    return out
  end
  for name, kind in vim.fs.dir(path) do
    local hidden = name:sub(1, 1) == "." and start:sub(1, 1) ~= "."
    if not hidden and vim.startswith(name, start) and not name:find("%s") then
      local suffix = kind == "directory" and "/" or ""
      table.insert(out, { word = "@" .. folder .. name .. suffix, abbr = name .. suffix })
    end
    if #out >= most then
      break
    end
  end
  table.sort(out, function(a, b)
    return a.abbr < b.abbr
  end)
  return out
end

--- 'omnifunc' of a chat.
---@param find integer
---@return integer|table
function M.omnifunc(find)
  local chat = require("turnwire.chats").of(vim.api.nvim_get_current_buf())
  local kind, column, typed = nil, nil, nil
  if chat then
    kind, column, typed = subject(chat)
  end
  if find == 1 then
    M.kind, M.typed = kind, typed
    return column or -3 -- nothing to complete: leave silently
  end
  return M.kind == "command" and commands(chat, M.typed) or files(chat, M.typed)
end

--- Whether <Tab> completes here.
---@param chat turnwire.Chat
---@return boolean
function M.applies(chat)
  return subject(chat) ~= nil
end

return M
