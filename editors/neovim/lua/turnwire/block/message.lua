--- What the agent says or thinks, as it streams.

local config = require("turnwire.config")
local markdown = require("turnwire.markdown")
local text = require("turnwire.text")

local M = {}

---@class turnwire.Message: turnwire.Block
local Message = {}
Message.__index = Message

--- Code longer than this (in bytes) is not parsed for its colours.
local longest_code = 128 * 1024

---@param kind "agent"|"thought"
---@param id string? the message's id
---@return turnwire.Message
function M.new(kind, id)
  local self = setmetatable({ kind = kind, id = id, lines = {}, marks = {}, dirty = 1, fences = {}, waiting = {} }, Message)
  if kind == "thought" then
    self.indent = "  "
    self.fold = 2
    self:_head("Thinking …")
  end
  return self
end

---@param title string
function Message:_head(title)
  self.lines[1] = config.signs.thought .. " " .. title
  self.marks[1] = { { from = 0, to = #self.lines[1], group = "TurnwireThought" } }
  self.dirty = 1
end

--- The thought is complete: its first line, which is all that is seen of it
--- while it is folded, says how long it is.
function Message:finish()
  self:render()
  if self.indent and not self.finished then
    local n = #self.lines - 1
    self:_head(("Thought · %d %s"):format(n, n == 1 and "line" or "lines"))
  end
  self.finished = true
end

--- Whether a piece continues this message.
---@param kind string
---@param id string?
function Message:continues(kind, id)
  return not self.finished and self.kind == kind and (not id or not self.id or id == self.id)
end

--- Adds a piece.
---@param piece string
function Message:append(piece)
  table.insert(self.waiting, piece)
end

--- Makes lines of the pieces that wait. Line breaks at the end wait for what
--- comes behind them, so that a message has no empty lines at its end.
function Message:render()
  local head = self.indent and 1 or 0
  local said = table.concat(self.waiting)
  local last = #said
  while last > 0 and (said:byte(last) == 10 or said:byte(last) == 13) do
    last = last - 1
  end
  self.waiting = { said:sub(last + 1) }
  said = said:sub(1, last)
  if #self.lines == head then
    said = said:gsub("^[\r\n]+", "")
  end
  if said == "" then
    return
  end
  local from = math.max(#self.lines, head + 1)
  local before = table.remove(self.lines, from) or self.indent or ""
  for part in vim.gsplit(text.visible(said), "\n", { plain = true }) do
    vim.list_extend(self.lines, text.pieces(before .. part))
    before = self.indent or ""
  end
  self.dirty = math.min(self.dirty or from, from)
  self:_colour(from)
end

---@param from integer the first line that changed
function Message:_colour(from)
  if self.indent then
    for i = from, #self.lines do
      self.marks[i] = { { from = 0, to = #self.lines[i], group = "TurnwireThought" } }
    end
    return
  end
  for i = from, #self.lines do
    local before = self.fences[i]
    local marks, after = markdown.line(self.lines[i], before)
    self.marks[i] = marks
    if after and not before then
      after.from = i + 1
    elseif before and not after then
      self:_code(before, i - 1)
    end
    self.fences[i + 1] = after
  end
end

--- Colours a code block that has just been closed.
function Message:_code(fence, to)
  local code = vim.list_slice(self.lines, fence.from, to)
  if fence.language == "" or #code == 0 or #table.concat(code, "\n") > longest_code then
    return
  end
  local coloured = markdown.code(code, fence.language)
  for row, marks in pairs(coloured) do
    local i = fence.from + row - 1
    self.marks[i] = vim.list_extend({ { line = "TurnwireCodeLine" } }, marks)
  end
  self.dirty = math.min(self.dirty or fence.from, fence.from)
end

return M
