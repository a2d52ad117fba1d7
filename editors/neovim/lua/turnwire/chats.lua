--- All open chats.

local M = {}

---@type table<integer, turnwire.Chat> by buffer
local chats = {}

---@type turnwire.Chat? the chat most recently shown in a window
local recent

---@param buf integer
---@return turnwire.Chat?
function M.of(buf)
  return chats[buf]
end

---@param command string[]
---@param cwd string
---@return turnwire.Chat
local function begin(command, cwd)
  local chat = require("turnwire.chat").new(command, cwd)
  chats[chat.buf] = chat
  recent = chat
  require("turnwire.window").show(chat)
  chat:start()
  return chat
end

---@param options { args: string[]?, new: boolean?, cwd: string? }
---@return integer buffer
function M.open(options)
  local window = require("turnwire.window")
  local cwd = vim.uv.fs_realpath(options.cwd or vim.fn.getcwd())
  if not cwd then
    error("turnwire: folder not found: " .. tostring(options.cwd), 0)
  end
  local command = vim.list_extend(vim.deepcopy(require("turnwire.config").command), options.args or {})
  if not options.new then
    for buf, chat in pairs(chats) do
      if chat.cwd == cwd and vim.deep_equal(chat.command, command) then
        window.show(chat)
        recent = chat
        return buf
      end
    end
  end
  return begin(command, cwd).buf
end

--- Opens another chat with the same agent in the same folder.
---@param chat turnwire.Chat
---@return turnwire.Chat
function M.beside(chat)
  return begin(chat.command, chat.cwd)
end

--- Returns the chat that has a session open.
---@param id string
---@return turnwire.Chat?
function M.with_session(id)
  for _, chat in pairs(chats) do
    if chat.session and not chat.session.ended and chat.session.id == id then
      return chat
    end
  end
end

--- Calls `use` with the chat in the current window, or else with the most
--- recently used chat.
---@param use fun(chat: turnwire.Chat)
function M.with_current(use)
  local chat = chats[vim.api.nvim_get_current_buf()] or recent
  if not chat then
    vim.notify("Turnwire: no open chat; start one with :Turnwire", vim.log.levels.WARN)
    return
  end
  use(chat)
end

---@param chat turnwire.Chat
function M.used(chat)
  recent = chat
end

---@param chat turnwire.Chat
function M.forget(chat)
  chats[chat.buf] = nil
  if recent == chat then
    recent = select(2, next(chats))
  end
end

function M.close_all()
  for _, chat in pairs(vim.tbl_extend("force", {}, chats)) do
    chat:close()
  end
end

return M
