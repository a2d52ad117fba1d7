--- A tool call's arguments, output and diffs as lines. Tool calls show them
--- folded, confirmations in full.

local excerpt = require("turnwire.excerpt")
local json = require("turnwire.json")
local paths = require("turnwire.paths")
local text = require("turnwire.text")
local written = require("turnwire.block.written")

local M = {}

---@class turnwire.Details
---@field lines string[]
---@field marks table<integer, turnwire.Mark[]>
local Details = {}
Details.__index = Details

---@param indent string
---@return turnwire.Details
function M.new(indent)
  return setmetatable({ indent = indent, lines = {}, marks = {} }, Details)
end

---@param line string
---@param group string
function Details:add(line, group)
  line = self.indent .. line
  table.insert(self.lines, line)
  self.marks[#self.lines] = { { from = #self.indent, to = #line, group = group } }
end

--- Adds an excerpt of a text that is too long.
---@param group string
---@param first string[]
---@param last string[]
---@param omitted string? describes what was left out between them
function Details:excerpt(group, first, last, omitted)
  for _, line in ipairs(first) do
    self:add(line, group)
  end
  if omitted then
    self:add(("⋯ %s; o shows all"):format(omitted), "TurnwireHint")
  end
  for _, line in ipairs(last) do
    self:add(line, group)
  end
end

--- Adds the arguments, one per line, in a stable order.
---@param input any
---@param max number
---@param omitted table<any, boolean>? names of arguments to leave out
function Details:input(input, max, omitted)
  if input == nil then
    return
  elseif type(input) ~= "table" or vim.islist(input) then
    local shown = type(input) == "string" and input or json.text(input)
    self:excerpt("TurnwireOutput", excerpt.of(shown, max, text.lines))
    return
  end
  for _, name in ipairs(json.names(input)) do
    if not (omitted and omitted[name]) then
      self:_argument(name, input[name], max)
    end
  end
end

---@param name any
---@param value any
---@param max number
function Details:_argument(name, value, max)
  local first, last, omitted = excerpt.of(type(value) == "string" and value or json.text(value), max, text.lines)
  local label = text.line(tostring(name)) .. ":"
  if #first <= 1 and not omitted then
    self:add(label .. " " .. (first[1] or ""), "TurnwireOutput")
    return
  end
  self:add(label, "TurnwireOutput")
  self.indent = self.indent .. "  "
  self:excerpt("TurnwireOutput", first, last, omitted)
  self.indent = self.indent:sub(3)
end

--- Caches diffs: each update redraws its call, but the call's diffs don't
--- change.
---@type table<table, string>
local compared = setmetatable({}, { __mode = "k" })

---@param item table
---@param old string
---@param new string
---@return string
local function compare(item, old, new)
  if not written.comparable(old, new) then
    return ("The files are too large to compare: %s and %s bytes.\n"):format(text.count(#old), text.count(#new))
  elseif not compared[item] then
    compared[item] = vim.diff(old, new, { result_type = "unified", ctxlen = 3 })
  end
  return compared[item]
end

local diff_groups = { ["+"] = "TurnwireAdded", ["-"] = "TurnwireRemoved", ["@"] = "TurnwireHunk", ["\\"] = "TurnwireHint" }

---@param item table
---@param cwd string
---@param max number
function Details:diff(item, cwd, max)
  local old = type(item.oldText) == "string" and item.oldText or ""
  local new = type(item.newText) == "string" and item.newText or ""
  local unified = compare(item, old, new)
  local lines, added, removed = {}, 0, 0
  for _, line in ipairs(text.lines(unified)) do
    table.insert(lines, line)
    added = added + (line:sub(1, 1) == "+" and 1 or 0)
    removed = removed + (line:sub(1, 1) == "-" and 1 or 0)
  end
  local path = text.line(type(item.path) == "string" and paths.short(item.path, cwd) or "?")
  local what = item.oldText == nil and "new file " or ""
  local first, last, omitted = excerpt.of_lines(lines, max)
  self:add(("%s%s +%d −%d"):format(what, path, added, removed), "TurnwireTitle")
  local head = #self.lines
  self:excerpt("TurnwireOutput", first, last, omitted)
  for i = head + 1, #self.lines do
    local group = diff_groups[self.lines[i]:sub(#self.indent + 1, #self.indent + 1)]
    self.marks[i][1].group = group or "TurnwireOutput"
  end
end

--- Returns the lines of one `ContentBlock`. Content that can't be shown is
--- named.
---@param block any
---@return string[]
function M.content(block)
  block = type(block) == "table" and block or {}
  if block.type == "text" then
    return text.output(block.text)
  elseif block.type == "resource_link" then
    return { ("[%s](%s)"):format(text.line(block.title or block.name), text.line(block.uri)) }
  elseif block.type == "resource" and type(block.resource) == "table" then
    local lines = text.output(block.resource.text)
    table.insert(lines, 1, text.line(block.resource.uri))
    return lines
  end
  local size = type(block.data) == "string" and (", %s bytes"):format(text.count(#block.data * 3 / 4)) or ""
  return { ("[%s %s%s]"):format(text.line(block.type or "content"), text.line(block.mimeType or ""), size) }
end

---@param block any
---@param max number
function Details:content(block, max)
  if type(block) == "table" and block.type == "text" then
    self:excerpt("TurnwireOutput", excerpt.of(block.text, max, text.output))
    return
  end
  self:excerpt("TurnwireOutput", excerpt.of_lines(M.content(block), max))
end

--- Adds everything about a tool call. A write is shown once: arguments that its diff shows
--- are left out. That diff then has as many lines as the arguments.
---@param call table the members of a `ToolCall`
---@param cwd string
---@param max number most lines for each part of the output
---@param arguments number most lines for each argument
function Details:call(call, cwd, max, arguments)
  local diffs = written.diffs(call)
  local repeated = written.arguments(call.rawInput, diffs, cwd)
  self:input(call.rawInput, arguments, repeated)
  self:_content(call, cwd, max, next(repeated) and math.max(max, arguments) or max, diffs)
end

---@param call table
---@param cwd string
---@param max number
---@param max_diff number
---@param diffs table[] whose locations are left out
function Details:_content(call, cwd, max, max_diff, diffs)
  for _, location in ipairs(type(call.locations) == "table" and call.locations or {}) do
    local there = type(location) == "table" and type(location.path) == "string" and type(location.line) == "number"
    if there and not written.has_path(diffs, location.path, cwd) then
      self:add(("→ %s:%d"):format(text.line(paths.short(location.path, cwd)), location.line), "TurnwireLink")
    end
  end
  for _, item in ipairs(type(call.content) == "table" and call.content or {}) do
    if type(item) == "table" then
      if item.type == "diff" then
        self:diff(item, cwd, max_diff)
      elseif item.type == "content" then
        self:content(item.content, max)
      end
    end
  end
end

--- Returns everything, including what the chat omits.
---@param call table
---@param cwd string
---@return string[]
function M.all(call, cwd)
  local body = M.new("")
  body:excerpt("TurnwireTool", text.lines(call.title), {})
  body:add("", "TurnwireOutput")
  body:input(call.rawInput, math.huge)
  body:_content(call, cwd, math.huge, math.huge, {})
  if call.rawOutput ~= nil then
    body:add("", "TurnwireOutput")
    body:input(call.rawOutput, math.huge)
  end
  return body.lines
end

return M
