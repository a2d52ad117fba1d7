--- The agent's messages and thoughts, as they stream.

local config = require("turnwire.config")
local markdown = require("turnwire.markdown")
local tables = require("turnwire.table")
local text = require("turnwire.text")

local M = {}

---@class turnwire.Message: turnwire.Block
local Message = {}
Message.__index = Message

--- Longer code (in bytes) is not parsed for highlighting.
local longest_code = 128 * 1024

---@param kind "agent"|"thought"
---@param id string? the message's id
---@return turnwire.Message
function M.new(kind, id)
  local self = setmetatable({ kind = kind, id = id, lines = {}, marks = {}, dirty = 1, fences = {}, rows = {}, waiting = {}, width = 80 }, Message)
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

--- Called when a message is complete. A thought's first line, which is all that
--- a closed fold shows, then says how long the thought is.
function Message:finish()
  self:render()
  local open = self.fences[#self.lines + 1]
  if open and not self.indent and not self.finished then
    self:_code(open, #self.lines) -- an open code block ends with the message
  end
  if self.indent and not self.finished then
    local n = #self.lines - 1
    self:_head(("Thought · %d %s"):format(n, n == 1 and "line" or "lines"))
  end
  self.finished = true
end

--- Reports whether a piece continues this message.
---@param kind string
---@param id string?
function Message:continues(kind, id)
  return not self.finished and self.kind == kind and (not id or not self.id or id == self.id)
end

--- Adds a piece. It appears with the next render.
---@param piece string
function Message:append(piece)
  table.insert(self.waiting, piece)
end

--- Turns the pending pieces into lines. Trailing line breaks wait for the text
--- that follows them, so that a message never ends with empty lines.
---@param width integer? width of a line in cells
function Message:render(width)
  self.width = width or self.width
  if self.resized then
    self.resized, self.dirty = false, 1
    self:_colour(1)
  end
  local head = self.indent and 1 or 0
  local complete = table.concat(self.waiting)
  local last = #complete
  while last > 0 and (complete:byte(last) == 10 or complete:byte(last) == 13) do
    last = last - 1
  end
  self.waiting = { complete:sub(last + 1) }
  complete = complete:sub(1, last)
  if #self.lines == head then
    complete = complete:gsub("^[\r\n]+", "")
  end
  if complete == "" then
    return
  end
  local from = math.max(#self.lines, head + 1)
  local before = table.remove(self.lines, from) or self.indent or ""
  for part in vim.gsplit(text.visible(complete), "\n", { plain = true }) do
    vim.list_extend(self.lines, text.pieces(before .. part))
    before = self.indent or ""
  end
  self.dirty = math.min(self.dirty or from, from)
  self:_colour(from)
end

--- Renders tables again; nothing else depends on the width.
function Message:resize()
  self.resized = self.tables
end

--- Records the first line of a line's table. Adjacent lines with column
--- separators belong to the same table.
---@param i integer
---@param fence turnwire.Fence?
function Message:_row(i, fence)
  local row = not fence and not self.fences[i + 1] and tables.is_row(self.lines[i])
  self.rows[i] = row and (self.rows[i - 1] or i) or nil
end

--- Aligns the tables that reach the line `from` or follow it.
---@param from integer
function Message:_tables(from)
  local i = from
  while i <= #self.lines do
    local first = self.rows[i]
    if first then
      local last = i
      while self.rows[last + 1] do
        last = last + 1
      end
      for k = first, math.min(from - 1, last) do
        self.marks[k] = markdown.line(self.lines[k], nil)
      end
      if tables.align(self.lines, self.marks, first, last, self.width) then
        self.tables = true
        self.dirty = math.min(self.dirty or first, first)
      elseif first < from then
        self.dirty = math.min(self.dirty or first, first)
      end
      i = last
    end
    i = i + 1
  end
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
    self:_row(i, before)
  end
  for i = #self.lines + 1, #self.lines + 2 do
    self.rows[i] = nil
  end
  self:_tables(from)
end

--- Highlights a code block that was just closed.
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
