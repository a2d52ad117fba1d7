--- Blocks that never change: prompts, notices, the end of a turn.

local config = require("turnwire.config")
local text = require("turnwire.text")

local M = {}

---@param kind string
---@param lines string[]
---@param groups string|string[] the highlight group of each line, or of all
---@return turnwire.Block
function M.new(kind, lines, groups)
  local block = { kind = kind, lines = lines, marks = {}, dirty = 1 }
  for i, line in ipairs(lines) do
    local group = type(groups) == "table" and (groups[i] or groups[#groups]) or groups
    block.marks[i] = { { from = 0, to = #line, group = group } }
  end
  return block
end

---@param message string
---@return string[] lines
---@return table<integer, turnwire.Mark[]> marks
local function user(message)
  local lines, marks = text.lines(message), {}
  for i, line in ipairs(lines) do
    lines[i] = (i == 1 and config.signs.user .. " " or "  ") .. line
    marks[i] = { { from = 0, to = #lines[i], group = "TurnwireUser", line = "TurnwireUserLine" } }
  end
  return lines, marks
end

---@param message string
---@return turnwire.Block
function M.user(message)
  local block = { kind = "user", dirty = 1 }
  block.lines, block.marks = user(message)
  function block:set(more)
    self.lines, self.marks = user(more)
    self.dirty = 1
  end
  return block
end

--- Returns a block for a notice: a line with a sign, followed by its
--- description.
---@param severity "info"|"warning"|"error"
---@param title any
---@param description any
---@return turnwire.Block
function M.notice(severity, title, description)
  local sign = ({ info = "info", warning = "warning", error = "error" })[severity] or "info"
  local lines = text.lines(title)
  lines[1] = lines[1] or "(nothing)"
  for _, line in ipairs(text.lines(description)) do
    table.insert(lines, line)
  end
  for i, line in ipairs(lines) do
    lines[i] = (i == 1 and config.signs[sign] .. " " or "  ") .. line
  end
  local group = "Turnwire" .. sign:sub(1, 1):upper() .. sign:sub(2)
  return M.new("notice", lines, { group, "TurnwireOutput" })
end

return M
