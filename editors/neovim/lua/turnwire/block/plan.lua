--- The agent's plan. Each update replaces it as a whole, where it already is.

local config = require("turnwire.config")
local text = require("turnwire.text")

local M = {}

---@class turnwire.Plan: turnwire.Block
local Plan = {}
Plan.__index = Plan

local groups = { pending = "TurnwirePending", in_progress = "TurnwireRunning", completed = "TurnwireCompleted" }

---@return turnwire.Plan
function M.new()
  return setmetatable({ kind = "plan", lines = {}, marks = {}, dirty = 1 }, Plan)
end

---@param entries any
function Plan:set(entries)
  entries = type(entries) == "table" and entries or {}
  self.lines, self.marks, self.dirty = { "" }, {}, 1
  local done = 0
  for _, entry in ipairs(entries) do
    entry = type(entry) == "table" and entry or {}
    local status = groups[entry.status] and entry.status or "pending"
    done = done + (status == "completed" and 1 or 0)
    local sign = config.signs[status]
    local line = ("  %s %s"):format(sign, text.line(entry.content))
    table.insert(self.lines, line)
    local marks = { { from = 2, to = 2 + #sign, group = groups[status] } }
    if status == "completed" then
      table.insert(marks, { from = 2 + #sign, to = #line, group = "TurnwireOutput" })
    end
    self.marks[#self.lines] = marks
  end
  self.lines[1] = ("Plan %d/%d"):format(done, #entries)
  self.marks[1] = {
    { from = 0, to = 4, group = "TurnwireTitle" },
    { from = 4, to = #self.lines[1], group = "TurnwireDuration" },
  }
end

return M
