--- A tool call: one line with its state, and the details in a fold.

local config = require("turnwire.config")
local details = require("turnwire.block.details")
local text = require("turnwire.text")

local M = {}

---@class turnwire.Tool: turnwire.Block
---@field call table everything known about the call
---@field face turnwire.ConfirmationFace? shown while a confirmation is pending
---@field decided string? a word for the decision
---@field allowed boolean? whether the decision was consent
local Tool = {}
Tool.__index = Tool

local groups = {
  pending = "TurnwirePending",
  in_progress = "TurnwireRunning",
  completed = "TurnwireCompleted",
  failed = "TurnwireFailed",
}

-- Checks per member whether an update may replace its value. Empty texts and values of
-- another type may not.
local function is_text(value)
  return type(value) == "string" and value ~= ""
end

local function is_given(value)
  return value ~= nil
end

local members = {
  title = is_text,
  name = is_text,
  kind = is_text,
  status = is_text,
  content = vim.islist,
  locations = vim.islist,
  rawInput = is_given,
  rawOutput = is_given,
}

---@param id string
---@param depth integer how many calls contain it
---@param cwd string
---@return turnwire.Tool
function M.new(id, depth, cwd)
  return setmetatable({
    kind = "tool",
    id = id,
    indent = ("  "):rep(depth),
    depth = depth,
    cwd = cwd,
    started = vim.uv.hrtime(),
    call = { meta = {} },
    lines = {},
    marks = {},
    dirty = 1,
  }, Tool)
end

--- Merges an update by the rule of Turnwire's package internal/protocol/toolcall: a member
--- replaces the old one as a whole, and `_meta` is merged key by key. There, null removes a
--- key. The decoder dropped all other nulls, so they change nothing.
---@param update table
function Tool:update(update)
  for member, replaces in pairs(members) do
    if replaces(update[member]) then
      self.call[member] = update[member]
    end
  end
  if type(update._meta) == "table" then
    local meta = vim.tbl_extend("force", self.call.meta, update._meta)
    for key in pairs(update._meta) do
      if meta[key] == vim.NIL then
        meta[key] = nil
      end
    end
    self.call.meta = meta
  end
  if not groups[self.call.status] then
    self.call.status = "pending"
  end
  if self:ended() and not self.took then
    self.took = (vim.uv.hrtime() - self.started) / 1e6
  end
  self.stale = true
end

---@return boolean
function Tool:ended()
  return self.call.status == "completed" or self.call.status == "failed"
end

--- Shows a pending confirmation instead of the call. It keeps showing what was asked, even
--- if the agent updates the call in the meantime.
---@param face turnwire.ConfirmationFace
function Tool:ask(face)
  self.face, self.stale = face, true
end

---@param word string
---@param allowed boolean
function Tool:decide(word, allowed)
  self.face, self.stale = nil, true
  self.decided, self.allowed = word, allowed
end

--- Reports whether the person stopped the call, and so knows why it failed.
---@return boolean
function Tool:stopped()
  return self.call.meta["turnwire.dev/cancelled"] == true or self.allowed == false and self.decided ~= "withdrawn"
end

--- Returns the text after the title. It is real text, because a closed fold shows no
--- virtual text.
---@return string
function Tool:_tail()
  local meta, parts = self.call.meta, {}
  -- One word is enough: an agent whose call was rejected reports it as cancelled too.
  local cancelled = self:ended() and meta["turnwire.dev/cancelled"] == true
  if self.decided and not (cancelled and self.allowed) then
    table.insert(parts, self.decided)
  elseif cancelled then
    table.insert(parts, "cancelled")
  end
  if not self:ended() then
    return parts[1] and " · " .. parts[1] or ""
  end
  local exit = meta["turnwire.dev/exitCode"]
  if type(exit) == "number" and exit ~= 0 then
    table.insert(parts, ("exit %d"):format(exit))
  end
  local took = meta["turnwire.dev/durationMs"]
  table.insert(parts, text.duration(type(took) == "number" and took or self.took))
  return " · " .. table.concat(parts, " · ")
end

--- Renders the lines, once for all updates since the last time.
function Tool:render()
  if not self.stale then
    return
  end
  self.stale = false
  if self.face then
    self.lines, self.marks, self.dirty, self.fold = self.face.lines, self.face.marks, 1, nil
    return
  end
  local call = self.call
  local status = not self:ended() and self.allowed == false and "failed" or call.status
  local sign = config.signs[status]
  local title = text.line(call.title, 200)
  local head = ("%s%s %s"):format(self.indent, sign, title ~= "" and title or "Tool call")
  local line = head .. self:_tail()
  local body = details.new(self.indent .. "    ")
  body:call(call, self.cwd, config.output_lines, config.output_lines)
  table.insert(body.lines, 1, line)
  local marks = { {
    { from = #self.indent, to = #self.indent + #sign, group = groups[status] },
    { from = #self.indent + #sign + 1, to = #head, group = "TurnwireTool" },
    { from = #head, to = #line, group = "TurnwireDuration" },
  } }
  for i = 2, #body.lines do
    marks[i] = body.marks[i - 1]
  end
  self.lines, self.marks, self.dirty = body.lines, marks, 1
  -- Open a failed call, because the person wants to know why it failed.
  local failed = call.status == "failed" and not self:stopped()
  self.fold = failed and 1 or 2
end

---@return string[]
function Tool:all()
  return details.all(self.call, self.cwd)
end

return M
