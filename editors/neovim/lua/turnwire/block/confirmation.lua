--- A pending confirmation: everything the agent wants to do, and the keys that answer.
--- These lines replace the tool call's while it waits.

local config = require("turnwire.config")
local details = require("turnwire.block.details")
local text = require("turnwire.text")

local M = {}

---@class turnwire.ConfirmationFace
---@field lines string[]
---@field marks table<integer, turnwire.Mark[]>
local Face = {}
Face.__index = Face

--- A longer diff is only shown when its key is pressed. Arguments, and a diff that shows
--- them, are shown in full, because omitted text could hide what is being approved.
local diff_lines = 120

---@param call table the members of a `ToolCallUpdate`
---@param cwd string
---@param choices { key: string, label: string, group: string }[]
---@return turnwire.ConfirmationFace
function M.new(call, cwd, choices)
  local body = details.new("  ")
  local title = text.line(call.title, 200)
  title = title ~= "" and title or "A tool call"
  local whole = text.lines(call.title)
  if #whole > 1 or (whole[1] and text.line(whole[1]) ~= title) then
    body:excerpt("TurnwireOutput", whole, {})
  end
  body:call(call, cwd, diff_lines, math.huge)
  local head = ("%s %s"):format(config.signs.ask, title)
  local self = setmetatable({
    lines = vim.list_extend({ head }, body.lines),
    marks = { { { from = 0, to = #head, group = "TurnwireAsk" } } },
  }, Face)
  for i, marks in pairs(body.marks) do
    self.marks[i + 1] = marks
  end
  self:_keys(choices)
  return self
end

--- A non-breaking space, which keeps a key and its label on one line.
local joined = "\194\160"

function Face:_keys(choices)
  local line, marks, more = " ", {}, 0
  local function add(key, label, group)
    local from = #line + 1
    line = ("%s [%s]%s%s "):format(line, key, joined, (label:gsub(" ", joined)))
    table.insert(marks, { from = from, to = from + #key + 2, group = "TurnwireKey" })
    table.insert(marks, { from = from + #key + 2 + #joined, to = #line - 1, group = group })
  end
  for _, choice in ipairs(choices) do
    if choice.key then
      add(choice.key, choice.label, choice.group)
    else
      more = more + 1
    end
  end
  if more > 0 then
    add(":TurnwireAnswer", ("%d more"):format(more), "TurnwireHint")
  end
  table.insert(self.lines, (line:gsub("%s+$", "")))
  self.marks[#self.lines] = marks
end

return M
