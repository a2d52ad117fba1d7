--- The prompt: the lines of a chat's buffer below the transcript. Only these
--- lines can be edited.

local config = require("turnwire.config")

local M = {}

local space = vim.api.nvim_create_namespace("turnwire.prompt")

---@class turnwire.Prompt
---@field private transcript turnwire.Transcript
---@field private chat turnwire.Chat
---@field rule table[] virtual text of the line above the prompt
---@field writing boolean? the prompt is in Insert mode
local Prompt = {}
Prompt.__index = Prompt

---@param chat turnwire.Chat
---@return turnwire.Prompt
function M.new(chat)
  local buf, transcript = chat.buf, chat.transcript
  local self = setmetatable({ chat = chat, buf = buf, transcript = transcript, rule = {} }, Prompt)
  vim.api.nvim_buf_attach(buf, false, {
    on_lines = function(_, _, _, first, last, now)
      if transcript.writing then
        return
      end
      if first < (self.damaged or transcript.height) then
        self:_repair(last, now)
      else
        vim.schedule(function()
          self:_restore()
          self:draw()
        end)
      end
    end,
  })
  return self
end

--- Ensures that the prompt has a line, even after all lines were deleted.
function Prompt:_restore()
  local buf = self.buf
  if self.damaged or not vim.api.nvim_buf_is_loaded(buf) or vim.api.nvim_buf_line_count(buf) > self:row() then
    return
  end
  self:set({ "" })
  for _, win in ipairs(require("turnwire.window").of(buf)) do
    if vim.api.nvim_win_get_cursor(win)[1] == self:row() then
      self:focus(win)
    end
  end
end

--- Repairs the transcript after somebody changed it, with whatever command.
--- Redraws it over its changed lines; the prompt keeps the rest.
---@param last integer
---@param now integer
function Prompt:_repair(last, now)
  local begin = self.damaged or self.transcript.height
  local waiting = self.damaged ~= nil
  self.damaged = last <= begin and begin + now - last or now
  if waiting then
    return
  end
  vim.schedule(function()
    local rows = self.damaged
    self.damaged = nil
    if vim.api.nvim_buf_is_loaded(self.buf) then
      local bare = vim.api.nvim_buf_line_count(self.buf) <= rows
      self.transcript:redraw(rows)
      if bare then
        self:set({ "" })
      end
    end
  end)
end

--- Returns the prompt's first row, 0-based.
---@return integer
function Prompt:row()
  return self.transcript.height
end

---@return string
function Prompt:get()
  return table.concat(vim.api.nvim_buf_get_lines(self.buf, self:row(), -1, false), "\n")
end

---@return boolean
function Prompt:is_empty()
  return not self:get():find("%S")
end

---@param lines string[]
function Prompt:set(lines)
  self.transcript:write(function()
    vim.api.nvim_buf_set_lines(self.buf, self:row(), -1, false, #lines > 0 and lines or { "" })
  end)
  self:draw()
end

--- Reports whether a window's cursor is in the prompt.
---@param win integer
---@return boolean
function Prompt:has_cursor(win)
  return vim.api.nvim_win_get_cursor(win)[1] > self:row()
end

--- Moves a window's cursor after the last character.
---@param win integer
function Prompt:focus(win)
  self:_restore()
  local count = vim.api.nvim_buf_line_count(self.buf)
  local line = vim.api.nvim_buf_get_lines(self.buf, count - 1, count, false)[1]
  vim.api.nvim_win_set_cursor(win, { count, #line })
  self:protect()
end

--- Makes only the prompt modifiable.
function Prompt:protect()
  if vim.api.nvim_get_current_buf() == self.buf then
    vim.bo[self.buf].modifiable = self:has_cursor(0)
  end
end

--- Describes what to type, and what <CR> does now.
---@return string
function Prompt:_hint()
  local chat, write = self.chat, self.writing and "Ask" or "i to write"
  if chat.prompts.edited then
    return "<CR> removes it"
  elseif chat.prompts.paused and not chat:is_busy() then
    return write .. " · <CR> sends the queue"
  elseif chat:is_busy() then
    return write .. " · <CR> queues"
  end
  return (self.writing and "Ask, /command, @file" or write) .. " · <CR> sends"
end

--- Draws the rule above the prompt, the prompt's sign and, while it is empty, a
--- hint.
function Prompt:draw()
  if not vim.api.nvim_buf_is_loaded(self.buf) or self.damaged then
    return
  end
  local row, width = self:row(), require("turnwire.window").width(self.buf)
  self.rule = self.chat.status and self.chat.status:chunks(width - 5) or {}
  vim.api.nvim_buf_clear_namespace(self.buf, space, 0, -1)
  local rule = vim.list_extend({ { "── ", "TurnwireRule" } }, self.rule)
  table.insert(rule, { " " .. ("─"):rep(300), "TurnwireRule" })
  local lines = { { { "", "TurnwireRule" } }, rule }
  vim.list_extend(lines, require("turnwire.waiting").lines(self.chat.prompts, width))
  vim.api.nvim_buf_set_extmark(self.buf, space, row, 0, {
    virt_lines = lines,
    virt_lines_above = true,
    right_gravity = false,
  })
  vim.api.nvim_buf_set_extmark(self.buf, space, row, 0, {
    virt_text = { { config.signs.user .. " ", "TurnwireUser" } },
    virt_text_pos = "inline",
    right_gravity = false,
  })
  if self:get() == "" then
    vim.api.nvim_buf_set_extmark(self.buf, space, row, 0, {
      virt_text = { { require("turnwire.text").fit(self:_hint(), width - 4), "TurnwireHint" } },
      virt_text_pos = "eol",
    })
  end
end

return M
