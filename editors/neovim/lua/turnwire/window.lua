--- A chat's windows.

local config = require("turnwire.config")

local M = {}

local options = {
  number = false,
  relativenumber = false,
  list = false,
  spell = false,
  wrap = true,
  linebreak = true,
  breakindent = true,
  signcolumn = "no",
  foldcolumn = "0",
  colorcolumn = "",
  foldmethod = "expr",
  foldexpr = "v:lua.require'turnwire.fold'.expr()",
  -- Empty: shows a fold's first line, its summary, unchanged.
  foldtext = "",
  foldlevel = 1,
  foldenable = true,
  winfixwidth = true,
  conceallevel = 2,
  concealcursor = "nc",
  winhighlight = "Folded:TurnwireFolded",
}

--- Called for every window that shows a chat, however it was opened.
---@param win integer
function M.prepare(win)
  for name, value in pairs(options) do
    vim.api.nvim_set_option_value(name, value, { scope = "local", win = win })
  end
  vim.api.nvim_win_call(win, function()
    vim.opt_local.fillchars:append({ fold = " ", eob = " " })
  end)
end

---@param buf integer
---@return integer[]
function M.of(buf)
  return vim.tbl_filter(function(win)
    return vim.api.nvim_win_get_buf(win) == buf
  end, vim.api.nvim_list_wins())
end

--- Returns the width of a line that fits all windows showing the buffer, in cells.
---@param buf integer
---@return integer
function M.width(buf)
  local width
  for _, win in ipairs(M.of(buf)) do
    local here = vim.api.nvim_win_get_width(win)
    width = math.min(width or here, here)
  end
  return width or vim.o.columns
end

--- Folds a chat that was filled at once, and scrolls to its prompt. In Insert mode,
--- Neovim would wait for a key.
---@param chat turnwire.Chat
function M.settle(chat)
  for _, win in ipairs(M.of(chat.buf)) do
    local cursor = vim.api.nvim_win_get_cursor(win)
    vim.api.nvim_win_call(win, function()
      vim.cmd("normal! zx" .. (chat.prompt:has_cursor(win) and "zb" or ""))
    end)
    vim.api.nvim_win_set_cursor(win, cursor)
  end
end

--- Reports whether the buffer is visible.
---@param buf integer
---@return boolean
function M.is_visible(buf)
  return vim.iter(vim.api.nvim_tabpage_list_wins(0)):any(function(win)
    return vim.api.nvim_win_get_buf(win) == buf
  end)
end

local splits = { right = "botright vsplit", left = "topleft vsplit", below = "botright split", tab = "tab split" }

--- A fraction of a narrow screen is unreadable. There, a chat gets half the screen,
--- or `readable` cells if that is more.
local readable = 46

local function resize()
  local size = config.size
  if config.position == "below" then
    vim.api.nvim_win_set_height(0, size < 1 and math.floor(vim.o.lines * size) or size)
  elseif config.position == "right" or config.position == "left" then
    local part = math.floor(vim.o.columns * size)
    vim.api.nvim_win_set_width(0, size < 1 and math.max(part, math.min(readable, math.floor(vim.o.columns / 2))) or size)
  end
end

--- Returns a window of this tab that shows the chat, else one that shows another
--- chat.
---@param buf integer
---@return integer?
local function place(buf)
  local chats, found = require("turnwire.chats"), nil
  for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    local shown = vim.api.nvim_win_get_buf(win)
    if shown == buf then
      return win
    elseif chats.of(shown) then
      found = win
    end
  end
  return found
end

--- Shows a chat, in its window or in another chat's window if one is open, and
--- focuses its prompt in Insert mode, because people type at once. A pending request
--- keeps Normal mode, in which its keys answer.
---@param chat turnwire.Chat
function M.show(chat)
  local win, split = place(chat.buf), splits[config.position]
  if win then
    vim.api.nvim_set_current_win(win)
  elseif split then
    vim.cmd(split)
    resize()
  end
  if vim.api.nvim_win_get_buf(0) ~= chat.buf then
    vim.api.nvim_win_set_buf(0, chat.buf)
    chat.prompt:focus(0)
  end
  if #chat.confirmations.list == 0 and chat.prompt:has_cursor(0) then
    vim.cmd("startinsert!")
  end
end

return M
