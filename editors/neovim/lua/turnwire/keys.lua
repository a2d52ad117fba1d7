--- The keys in a chat's buffer.
---
--- The letters that answer a confirmation only do so on its lines; elsewhere they
--- keep Vim's meaning. So `a` in the prompt appends and allows nothing.

local keyboard = require("turnwire.keyboard")

local M = {}

--- Returns what a key does on a confirmation, or nil.
---@param chat turnwire.Chat
---@param key string
---@return fun()?
local function answer(chat, key)
  local confirmation = chat.confirmations:at(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if not confirmation then
    return nil
  end
  local action
  if key == "d" and #confirmation.diffs > 0 then
    action = function()
      chat.confirmations:diff(confirmation)
    end
  elseif key == "<Esc>" then
    action = function()
      chat.confirmations:decide(confirmation, nil)
    end
  end
  for _, choice in ipairs(confirmation.choices) do
    if choice.key == key then
      action = function()
        chat.confirmations:decide(confirmation, choice)
      end
    end
  end
  if not action then
    return nil
  end
  return keyboard.answers(confirmation.shown) and action or keyboard.too_soon
end

--- In the transcript, keys that start writing move to the prompt.
local writes = { a = true, A = true, i = true, I = true }

--- The transcript can't be changed, so the motion or character for which
--- these keys wait would have no effect.
local waits = { c = true, d = true, r = true }

---@param chat turnwire.Chat
---@param key string
local function letter(chat, key)
  vim.keymap.set("n", key, function()
    local action = answer(chat, key)
    if action then
      vim.schedule(action) -- a mapping's expression must not change text
      return ""
    elseif writes[key] and not chat.prompt:has_cursor(0) then
      -- Move at once, because the next keys are meant for the prompt.
      return "<Cmd>lua require('turnwire.keys').write()<CR>"
    elseif waits[key] and not chat.prompt:has_cursor(0) then
      return ""
    end
    return key
    -- Without nowait, mappings of other plugins such as "cs" still work in the
    -- prompt.
  end, { buffer = chat.buf, expr = true, nowait = key ~= "c", desc = "Answer, or the key's usual action" })
end

--- Maps an insert-mode key to keys that are computed when their turn comes. An
--- expression mapping would be computed too early, before earlier keys reach the
--- buffer.
---@param chat turnwire.Chat
---@param key string
---@param compute fun(): string
local function insert(chat, key, compute, description)
  vim.keymap.set("i", key, function()
    local keys = vim.api.nvim_replace_termcodes(compute(), true, false, true)
    vim.api.nvim_feedkeys(keys, "in", false)
  end, { buffer = chat.buf, desc = description })
end

--- Disables keys at the start of the prompt that would join it with the
--- transcript.
---@param chat turnwire.Chat
local function guard(chat)
  for _, key in ipairs({ "<BS>", "<C-h>", "<C-w>", "<C-u>" }) do
    insert(chat, key, function()
      local row, column = unpack(vim.api.nvim_win_get_cursor(0))
      return row == chat.prompt:row() + 1 and column == 0 and "" or key
    end, "Delete within the prompt")
  end
end

--- Handles <CR>: it sends from the prompt, and opens and closes folds above it.
---@param chat turnwire.Chat
local function enter(chat)
  if chat.prompt:has_cursor(0) then
    chat:submit()
    return
  end
  local block = chat.transcript:at(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if block and block.fold and #block.lines > 1 then
    vim.cmd("normal! za")
  end
end

--- Makes <CR> send in every mode in which a prompt is written. <S-CR> and <M-CR>
--- start a new line, as does <C-j> if the terminal knows neither.
---@param chat turnwire.Chat
local function sending(chat)
  local function map(mode, key, action, description)
    vim.keymap.set(mode, key, action, { buffer = chat.buf, nowait = true, desc = description })
  end
  map({ "n", "i" }, "<C-s>", M.send, "Send the prompt")
  -- An open completion menu gets the key first.
  insert(chat, "<CR>", function()
    return vim.fn.pumvisible() == 1 and "<C-y>" or "<Cmd>lua require('turnwire.keys').send()<CR>"
  end, "Send the prompt")
  map({ "x", "s" }, "<CR>", function()
    vim.api.nvim_feedkeys(vim.keycode("<Esc>"), "nx", false)
    if chat.prompt:has_cursor(0) then
      chat:submit()
    end
  end, "Send the prompt")
  for _, key in ipairs({ "<S-CR>", "<M-CR>" }) do
    insert(chat, key, function()
      return "<C-j>"
    end, "New line")
  end
end

--- Handles o: shows everything about a tool call.
---@param chat turnwire.Chat
local function open(chat)
  local block = chat.transcript:at(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if block and block.all then
    require("turnwire.scratch").split("tool", block:all())
  end
end

--- Moves to the current chat's prompt in insert mode.
function M.write()
  require("turnwire.chats").of(vim.api.nvim_get_current_buf()).prompt:focus(0)
  vim.cmd("startinsert!")
end

--- Sends the current chat's prompt.
function M.send()
  vim.cmd.stopinsert()
  require("turnwire.chats").of(vim.api.nvim_get_current_buf()):submit()
end

---@param chat turnwire.Chat
function M.map(chat)
  local function map(mode, key, action, description)
    vim.keymap.set(mode, key, action, { buffer = chat.buf, nowait = true, desc = description })
  end
  for _, key in ipairs({ "a", "A", "r", "R", "i", "I", "c", "d", "<Esc>", "1", "2", "3", "4", "5", "6", "7", "8", "9" }) do
    letter(chat, key)
  end
  guard(chat)
  map("n", "<CR>", function()
    enter(chat)
  end, "Send the prompt, or open or close a fold")
  sending(chat)
  map("n", "gp", function()
    chat:go_to_confirmation()
  end, "Go to the pending request")
  map("n", "gQ", function()
    require("turnwire.waiting").choose(chat)
  end, "Edit, remove or send a queued prompt")
  map("n", "gC", require("turnwire").changes, "Show the turn's changes")
  map("n", "gR", require("turnwire").rewind, "Edit an earlier message and go on from there")
  map("n", "q", function()
    -- The last window can't be closed, but it can show something else.
    vim.cmd(#vim.api.nvim_tabpage_list_wins(0) > 1 and "close" or "enew")
  end, "Hide the chat")
  vim.keymap.set("n", "o", function()
    if chat.prompt:has_cursor(0) then
      return "o"
    end
    vim.schedule(function()
      open(chat)
    end)
    return ""
  end, { buffer = chat.buf, expr = true, nowait = true, desc = "Show the whole tool call" })
  vim.keymap.set({ "n", "i" }, "<C-c>", function()
    if chat:is_busy() then
      vim.schedule(function()
        chat:cancel()
      end)
      return ""
    end
    return "<C-c>"
  end, { buffer = chat.buf, expr = true, desc = "Cancel the turn" })
  insert(chat, "<Tab>", function()
    if vim.fn.pumvisible() == 1 then
      return "<C-n>"
    end
    return require("turnwire.complete").applies(chat) and "<C-x><C-o>" or "<Tab>"
  end, "Complete")
end

return M
