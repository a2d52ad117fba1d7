--- Completion in the prompt: the agent's /commands and the folder's @files.

local text = require("turnwire.text")

local M = {}

--- Most files offered at once.
local most = 200

--- Returns what is being completed: its kind, its first column (0-based), and
--- the typed text.
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

--- Files are listed once per completion. They don't change while a word is
--- typed.
---@type { chat: turnwire.Chat, list: string[] }?
local listed

--- Completes a file name. The typed text matches any part of a path.
---@param chat turnwire.Chat
---@param typed string
local function files(chat, typed)
  if not listed or listed.chat ~= chat then
    listed = { chat = chat, list = require("turnwire.files").of(chat.cwd) }
    vim.api.nvim_create_autocmd({ "CompleteDone", "InsertLeave" }, {
      once = true,
      callback = function()
        listed = nil
      end,
    })
  end
  local paths = require("turnwire.files").matching(listed.list, typed, most)
  return vim.tbl_map(function(path)
    -- With equal=1, Vim keeps items that don't begin with the typed text.
    return { word = "@" .. path, abbr = text.line(path, 200), equal = 1 }
  end, paths)
end

--- The chat's 'omnifunc'.
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
  if M.kind == "command" then
    return commands(chat, M.typed)
  end
  return { words = files(chat, M.typed), refresh = "always" }
end

--- Reports whether <Tab> completes here.
---@param chat turnwire.Chat
---@return boolean
function M.applies(chat)
  return subject(chat) ~= nil
end

return M
