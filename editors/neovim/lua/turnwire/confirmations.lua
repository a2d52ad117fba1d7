--- A chat's pending confirmations.
---
--- Only a key or a menu item that stands for an offered option counts as consent. A
--- confirmation that is closed, withdrawn or abandoned is answered with "cancelled".

local choices = require("turnwire.choices")
local keyboard = require("turnwire.keyboard")
local text = require("turnwire.text")
local window = require("turnwire.window")

local M = {}

---@class turnwire.Confirmation
---@field request turnwire.Request
---@field call table
---@field choices turnwire.Choice[]
---@field block turnwire.Tool
---@field diffs table[]
---@field shown number when it appeared

---@class turnwire.Confirmations
---@field list turnwire.Confirmation[]
local Confirmations = {}
Confirmations.__index = Confirmations

---@param chat turnwire.Chat
---@return turnwire.Confirmations
function M.new(chat)
  return setmetatable({ chat = chat, list = {} }, Confirmations)
end

--- Reports whether a permission request is really a question whose answers are its
--- options. Turnwire sends these to clients that it believes have no forms.
---@param call table
local function is_question(call)
  return call.kind == "think" and type(call.rawInput) == "table" and call.rawInput.question ~= nil
end

--- Returns the block for a call. A call appears once in the chat, so its existing
--- block is reused, unless that block already has a pending confirmation.
---@param call table
---@return turnwire.Tool
function Confirmations:_block(call)
  local chat, id = self.chat, call.toolCallId
  local block = type(id) == "string" and chat.tools[id] or nil
  if block and not block.face then
    block:update(call)
    return block
  end
  local made = require("turnwire.block.tool").new(id, 0, chat.cwd)
  made:update(call)
  if type(id) == "string" and not block then
    chat.tools[id] = made
  end
  return chat.transcript:add(made)
end

--- `session/request_permission`.
---@param params table
---@param request turnwire.Request
function Confirmations:add(params, request)
  local call = type(params.toolCall) == "table" and params.toolCall or {}
  local confirmation = { request = request, call = call, choices = choices.of(params.options), diffs = {}, shown = keyboard.now() }
  if #confirmation.choices == 0 then
    request:reply({ outcome = { outcome = "cancelled" } })
    return
  end
  confirmation.block = self:_block(call)
  -- Use what the call reported earlier for everything the request omits.
  confirmation.call = vim.tbl_extend("force", confirmation.block.call, {})
  call = confirmation.call
  for _, item in ipairs(type(call.content) == "table" and call.content or {}) do
    if type(item) == "table" and item.type == "diff" then
      table.insert(confirmation.diffs, item)
    end
  end
  request.on_cancel = function()
    self:decide(confirmation, nil, "withdrawn")
  end
  local shown = vim.deepcopy(confirmation.choices)
  if #confirmation.diffs > 0 then
    table.insert(shown, { key = "d", label = "Diff", group = "TurnwireHint" })
  end
  table.insert(shown, { key = "Esc", label = "Cancel", group = "TurnwireHint" })
  confirmation.block:ask(require("turnwire.block.confirmation").new(call, self.chat.cwd, shown))
  table.insert(self.list, confirmation)
  self.chat.transcript:touch(confirmation.block)
  self.chat.transcript:flush()
  self.chat.status:set_asks(#self.list)
  if is_question(call) or not window.is_visible(self.chat.buf) then
    self:_menu(confirmation)
  else
    self:_show(confirmation)
  end
end

--- Moves cursors that are in an empty prompt to the confirmation's keys. If the
--- person is typing, no cursor moves.
---@param confirmation turnwire.Confirmation
function Confirmations:_show(confirmation)
  local chat, moved = self.chat, false
  for _, win in ipairs(window.of(chat.buf)) do
    local typing = win == vim.api.nvim_get_current_win() and vim.api.nvim_get_mode().mode ~= "n"
    if chat.prompt:is_empty() and chat.prompt:has_cursor(win) and not typing then
      vim.api.nvim_win_set_cursor(win, { confirmation.block.row + confirmation.block.drawn, 2 })
      moved = moved or win == vim.api.nvim_get_current_win()
    end
  end
  if not moved then
    vim.notify("Turnwire: the agent asks: " .. text.line(confirmation.call.title, 80) .. " (gp in the chat, or :TurnwireAnswer)")
  end
end

--- Offers the pending confirmations again, in a menu.
function Confirmations:offer()
  if #self.list == 0 then
    vim.notify("Turnwire: no pending requests")
  end
  for _, confirmation in ipairs(self.list) do
    self:_menu(confirmation)
  end
end

--- This menu item decides nothing.
local in_chat = { label = "Show in chat" }

---@param confirmation turnwire.Confirmation
function Confirmations:_menu(confirmation)
  require("turnwire.dialogue").add({
    alive = function()
      return not confirmation.request.answered
    end,
    run = function(done)
      local items = vim.list_extend({}, confirmation.choices)
      table.insert(items, in_chat)
      -- Drop the last line: its keys only work in the chat.
      local face = confirmation.block.face.lines
      local lines = vim.list_slice(face, 1, #face - 1)
      local hide = require("turnwire.scratch").peek("asked", lines, #items + 2)
      local function menu(chosen)
        vim.ui.select(items, {
          prompt = text.line(confirmation.call.title, 80),
          kind = "turnwire",
          format_item = function(choice)
            return choice.label
          end,
        }, chosen)
      end
      require("turnwire.dialogue").answer(menu, function(choice)
        hide()
        if choice == in_chat then
          window.show(self.chat)
          self.chat:go_to_confirmation(confirmation)
        else
          self:decide(confirmation, choice)
        end
        done()
      end)
    end,
  })
end

--- Returns the confirmation under a cursor.
---@param row integer 0-based
---@return turnwire.Confirmation?
function Confirmations:at(row)
  local block = self.chat.transcript:at(row)
  for _, confirmation in ipairs(self.list) do
    if confirmation.block == block then
      return confirmation
    end
  end
end

--- Answers a confirmation. Without a choice, it is not consent.
---@param confirmation turnwire.Confirmation
---@param choice turnwire.Choice?
---@param why string?
function Confirmations:decide(confirmation, choice, why)
  if confirmation.request.answered then
    return
  end
  if choice then
    confirmation.request:reply({ outcome = { outcome = "selected", optionId = choice.id } })
  else
    confirmation.request:reply({ outcome = { outcome = "cancelled" } })
  end
  confirmation.block:decide(choice and choice.word or why or "cancelled", choice ~= nil and choice.allows)
  self:_settled(confirmation)
end

---@param confirmation turnwire.Confirmation
function Confirmations:_settled(confirmation)
  if self.chat.closed then
    return -- the chat's buffer is gone
  end
  local on_it = vim.tbl_filter(function(win)
    return self:at(vim.api.nvim_win_get_cursor(win)[1] - 1) == confirmation
  end, window.of(self.chat.buf))
  self.list = vim.tbl_filter(function(a)
    return a ~= confirmation
  end, self.list)
  if confirmation.close_diff then
    confirmation.close_diff()
  end
  self.chat.transcript:touch(confirmation.block)
  self.chat.transcript:flush()
  self.chat.status:set_asks(#self.list)
  for _, win in ipairs(on_it) do
    self.chat.prompt:focus(win)
  end
  if self.list[1] then
    self:_show(self.list[1])
  end
end

--- Shows a confirmation's diffs.
---@param confirmation turnwire.Confirmation
function Confirmations:diff(confirmation)
  if #confirmation.diffs == 0 or confirmation.request.answered then
    return
  end
  confirmation.close_diff = require("turnwire.diff").show(confirmation.diffs, self.chat.cwd, confirmation.choices, function(choice)
    self:decide(confirmation, choice)
  end)
end

--- Answers all pending confirmations with "cancelled".
function Confirmations:cancel_all()
  for _, confirmation in ipairs(vim.list_extend({}, self.list)) do
    self:decide(confirmation, nil)
  end
end

return M
