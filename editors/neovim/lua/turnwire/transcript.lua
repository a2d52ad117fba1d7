--- The transcript: blocks in the upper part of a chat's buffer.
---
--- The blocks hold the content; the buffer only displays it. A block knows its
--- lines and the first one that changed. flush() only draws from there on, so
--- that unchanged lines don't flicker. If somebody edits the buffer, it is
--- redrawn.

local M = {}

---@class turnwire.Block
---@field kind string
---@field lines string[]
---@field marks table<integer, turnwire.Mark[]> highlights, by line
---@field dirty integer? the first line that must be redrawn
---@field render fun(self, width: integer)? called before drawing; updates the lines
---@field resize fun(self)? called when the window width changes
---@field finish fun(self)? called when the block is complete
---@field fold integer? the block's fold level
---@field gap integer empty lines above it
---@field row integer its first line in the buffer, 0-based
---@field drawn integer how many of its lines are in the buffer

local space = vim.api.nvim_create_namespace("turnwire.transcript")

--- Milliseconds between two redraws.
local frame = 16

--- Adjacent blocks of these kinds have no empty line between them.
local tight = { tool = true, ask = true }

---@class turnwire.Transcript
---@field blocks turnwire.Block[]
---@field height integer lines in the buffer; the prompt begins there
local Transcript = {}
Transcript.__index = Transcript

---@param buf integer
---@param drawn fun() called after drawing
---@return turnwire.Transcript
function M.new(buf, drawn)
  return setmetatable({ buf = buf, blocks = {}, height = 0, on_drawn = drawn, dirty = {} }, Transcript)
end

---@return turnwire.Block?
function Transcript:last()
  return self.blocks[#self.blocks]
end

---@generic T: turnwire.Block
---@param block T
---@return T
function Transcript:add(block)
  local last = self:last()
  block.gap = (not last or (tight[last.kind] and tight[block.kind])) and 0 or 1
  block.drawn = 0
  self:finish()
  table.insert(self.blocks, block)
  self:touch(block)
  return block
end

--- Marks the last block as complete.
function Transcript:finish()
  local last = self:last()
  if last and last.finish then
    last:finish()
    self:touch(last)
  end
end

--- Marks a block as changed.
---@param block turnwire.Block
function Transcript:touch(block)
  self.dirty[block] = true
  if not self.timer then
    self.timer = vim.defer_fn(function()
      self.timer = nil
      self:flush(frame)
    end, frame)
  end
end

---@param from integer index of the first block that moves
---@param by integer
function Transcript:_shift(from, by)
  for i = from, #self.blocks do
    if self.blocks[i].row then
      self.blocks[i].row = self.blocks[i].row + by
    end
  end
  self.height = self.height + by
end

--- Changes the buffer, even if the person may not change that part, without an
--- undo entry.
---@param change fun()
function Transcript:write(change)
  local o = vim.bo[self.buf]
  local modifiable, levels = o.modifiable, o.undolevels
  o.modifiable, o.undolevels = true, -1
  self.writing = true
  local ok, err = pcall(change)
  self.writing = false
  o.modifiable, o.undolevels = modifiable, levels
  if not ok then
    error(err, 0)
  end
end

--- Draws the changed blocks. With a budget in milliseconds, the next frame draws
--- the rest.
---@param budget integer?
function Transcript:flush(budget)
  if not next(self.dirty) or not vim.api.nvim_buf_is_loaded(self.buf) then
    return
  end
  local dirty, started = self.dirty, vim.uv.hrtime()
  self.dirty = {}
  local width = require("turnwire.window").width(self.buf)
  self:write(function()
    for i, block in ipairs(self.blocks) do
      if dirty[block] and budget and (vim.uv.hrtime() - started) / 1e6 > budget then
        self:touch(block)
      elseif dirty[block] then
        if block.render then
          block:render(width)
        end
        if #block.lines > 0 then
          self:_draw(i, block)
        end
      end
    end
  end)
  self.on_drawn()
end

---@param i integer
---@param block turnwire.Block
function Transcript:_draw(i, block)
  local fresh = block.row == nil
  local above = {}
  if fresh then
    -- Empty blocks above have no row yet, so the next block to draw may belong
    -- between blocks, not only at the end.
    local row = 0
    for k = i - 1, 1, -1 do
      if self.blocks[k].row then
        row = self.blocks[k].row + self.blocks[k].drawn
        break
      end
    end
    if row == 0 then
      block.gap = 0
    end
    self:_shift(i + 1, block.gap)
    block.row = row + block.gap
    for _ = 1, block.gap do
      table.insert(above, "")
    end
  end
  local from = math.min(block.dirty or 1, block.drawn + 1)
  local old, new = block.drawn, #block.lines
  block.dirty, block.drawn = nil, new
  -- Do this before the lines change: folds are computed while they do.
  self:_shift(i + 1, new - old)
  local lines = vim.list_slice(block.lines, from, new)
  vim.list_extend(above, lines)
  local first = fresh and block.row - block.gap or block.row + from - 1
  local last = first + (fresh and 0 or old - from + 1)
  -- Marks of a deleted line would move to the line below.
  vim.api.nvim_buf_clear_namespace(self.buf, space, first, last)
  vim.api.nvim_buf_set_lines(self.buf, first, last, false, above)
  self:_mark(block, from)
end

---@param block turnwire.Block
---@param from integer
function Transcript:_mark(block, from)
  vim.api.nvim_buf_clear_namespace(self.buf, space, block.row + from - 1, block.row + block.drawn)
  for i = from, block.drawn do
    for _, mark in ipairs(block.marks[i] or {}) do
      local length = #block.lines[i]
      vim.api.nvim_buf_set_extmark(self.buf, space, block.row + i - 1, math.min(mark.from or 0, length), {
        end_col = (mark.group or mark.conceal) and mark.to and math.min(mark.to, length) or nil,
        hl_group = mark.group,
        line_hl_group = mark.line,
        conceal = mark.conceal,
        virt_text = (mark.pad or mark.overlay) and { { mark.pad or mark.overlay, mark.group } } or nil,
        virt_text_pos = mark.pad and "inline" or mark.overlay and "overlay" or nil,
        -- Concealing marks need a higher priority than the colours around them.
        priority = mark.conceal and 4097 or nil,
        strict = false,
      })
    end
  end
end

--- Called when the window width changes.
function Transcript:resized()
  for _, block in ipairs(self.blocks) do
    if block.resize then
      block:resize()
      self:touch(block)
    end
  end
end

--- Redraws everything over the first `rows` lines of the buffer.
---@param rows integer
function Transcript:redraw(rows)
  local lines = {}
  for _, block in ipairs(self.blocks) do
    if block.row then
      for _ = 1, block.gap do
        table.insert(lines, "")
      end
      vim.list_extend(lines, block.lines, 1, block.drawn)
    end
  end
  self:write(function()
    vim.api.nvim_buf_clear_namespace(self.buf, space, 0, rows + 1)
    vim.api.nvim_buf_set_lines(self.buf, 0, rows, false, lines)
    for _, block in ipairs(self.blocks) do
      if block.row then
        self:_mark(block, 1)
      end
    end
  end)
  self.on_drawn()
end

--- Returns the block that contains a line.
---@param row integer 0-based
---@return turnwire.Block?
function Transcript:at(row)
  local low, high, found = 1, #self.blocks, nil
  while low <= high do
    local middle = math.floor((low + high) / 2)
    local block = self.blocks[middle]
    if not block.row then
      -- The block isn't drawn yet. Only the last blocks can be undrawn, except
      -- for empty ones.
      return self:_scan(row)
    elseif block.row <= row then
      found, low = block, middle + 1
    else
      high = middle - 1
    end
  end
  return found and row < found.row + found.drawn and found or nil
end

---@param row integer
---@return turnwire.Block?
function Transcript:_scan(row)
  for i = #self.blocks, 1, -1 do
    local block = self.blocks[i]
    if block.row and block.row <= row then
      return row < block.row + block.drawn and block or nil
    end
  end
end

return M
