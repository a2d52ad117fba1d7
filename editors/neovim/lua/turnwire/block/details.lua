--- What belongs to a tool call, as lines: its arguments, its output, its diffs.
--- A tool call shows them folded, a confirmation in full.

local paths = require("turnwire.paths")
local text = require("turnwire.text")

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

--- A line longer than this (in bytes) is cut where not all is shown.
local longest = 2000

--- Adds lines: the first ones, how many are left out, the last ones.
---@param first string[]
---@param last string[]
---@param omitted integer
---@param group string
---@param max number
function Details:add_ends(first, last, omitted, group, max)
  local function add(lines)
    for _, line in ipairs(lines) do
      if max < math.huge and #line > longest then
        line = vim.fn.strcharpart(line, 0, longest / 4) .. " … (o opens all)"
      end
      self:add(line, group)
    end
  end
  add(first)
  if omitted > 0 then
    self:add(("⋯ %d more lines; o opens all"):format(omitted), "TurnwireHint")
  end
  add(last)
end

--- Adds lines, of which the middle is left out if they are too many.
---@param lines string[]
---@param group string
---@param max number
function Details:add_all(lines, group, max)
  local half = math.floor(math.min(max, #lines) / 2)
  if #lines <= max then
    self:add_ends(lines, {}, 0, group, max)
    return
  end
  local last = vim.list_slice(lines, #lines - half + 1)
  self:add_ends(vim.list_slice(lines, 1, half), last, #lines - 2 * half, group, max)
end

--- The arguments, one a line, in an order that does not change.
---@param input any
---@param max number
function Details:input(input, max)
  if type(input) ~= "table" then
    if input ~= nil then
      self:add_all(text.lines(vim.json.encode(input)), "TurnwireOutput", max)
    end
    return
  end
  local names = vim.tbl_keys(input)
  table.sort(names, function(a, b)
    return tostring(a) < tostring(b)
  end)
  for _, name in ipairs(names) do
    local value = input[name]
    local shown = type(value) == "string" and value or vim.json.encode(value):gsub("\\/", "/")
    local lines = text.lines(shown)
    local label = text.line(tostring(name)) .. ":"
    if #lines <= 1 then
      self:add(label .. " " .. (lines[1] or ""), "TurnwireOutput")
    else
      self:add(label, "TurnwireOutput")
      for i, line in ipairs(lines) do
        lines[i] = "  " .. line
      end
      self:add_all(lines, "TurnwireOutput", max)
    end
  end
end

local diff_groups = { ["+"] = "TurnwireAdded", ["-"] = "TurnwireRemoved", ["@"] = "TurnwireHunk", ["\\"] = "TurnwireHint" }

---@param item table
---@param cwd string
---@param max number
function Details:diff(item, cwd, max)
  local old = type(item.oldText) == "string" and item.oldText or ""
  local new = type(item.newText) == "string" and item.newText or ""
  local unified = vim.diff(old, new, { result_type = "unified", ctxlen = 3 })
  local lines, added, removed = {}, 0, 0
  for _, line in ipairs(text.lines(unified)) do
    table.insert(lines, line)
    added = added + (line:sub(1, 1) == "+" and 1 or 0)
    removed = removed + (line:sub(1, 1) == "-" and 1 or 0)
  end
  local path = text.line(type(item.path) == "string" and paths.short(item.path, cwd) or "?")
  local what = item.oldText == nil and "new file " or ""
  self:add(("%s%s +%d −%d"):format(what, path, added, removed), "TurnwireTitle")
  local head = #self.lines
  self:add_all(lines, "TurnwireOutput", max)
  for i = head + 1, #self.lines do
    local group = diff_groups[self.lines[i]:sub(#self.indent + 1, #self.indent + 1)]
    self.marks[i][1].group = group or "TurnwireOutput"
  end
end

--- One `ContentBlock`; what cannot be shown is named.
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
    local first, last, omitted = text.ends(block.text, max)
    self:add_ends(first, last, omitted, "TurnwireOutput", max)
    return
  end
  self:add_all(M.content(block), "TurnwireOutput", max)
end

--- All of a tool call.
---@param call table the members of a `ToolCall`
---@param cwd string
---@param max number lines of each part of the output
---@param arguments number lines of each argument
function Details:call(call, cwd, max, arguments)
  self:input(call.rawInput, arguments)
  for _, location in ipairs(type(call.locations) == "table" and call.locations or {}) do
    if type(location) == "table" and type(location.path) == "string" and type(location.line) == "number" then
      self:add(("→ %s:%d"):format(text.line(paths.short(location.path, cwd)), location.line), "TurnwireLink")
    end
  end
  for _, item in ipairs(type(call.content) == "table" and call.content or {}) do
    if type(item) == "table" then
      if item.type == "diff" then
        self:diff(item, cwd, max)
      elseif item.type == "content" then
        self:content(item.content, max)
      end
    end
  end
end

--- Everything, also what the chat leaves out.
---@param call table
---@param cwd string
---@return string[]
function M.all(call, cwd)
  local body = M.new("")
  body:add(text.line(call.title), "TurnwireTool")
  body:add("", "TurnwireOutput")
  body:call(call, cwd, math.huge, math.huge)
  if call.rawOutput ~= nil then
    body:add("", "TurnwireOutput")
    body:input(call.rawOutput, math.huge)
  end
  return body.lines
end

return M
