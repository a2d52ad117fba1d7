--- The beginning and the end of a text that is too long to show.
---
--- The omitted part is never scanned, because it may have megabytes.

local text = require("turnwire.text")

local M = {}

--- No person reads more bytes than this, even if they are only a few lines.
local room = 64 * 1024

--- Returns the first and the last lines, and a description of those between
--- them.
---@param lines string[]
---@param max number most lines in all
---@return string[] first
---@return string[] last
---@return string? omitted
function M.of_lines(lines, max)
  if #lines <= max then
    return lines, {}, nil
  end
  local half = math.floor(max / 2)
  local omitted = ("%d more lines"):format(#lines - 2 * half)
  return vim.list_slice(lines, 1, half), vim.list_slice(lines, #lines - half + 1), omitted
end

--- Returns the last byte of the first lines.
---@param s string
---@param count integer
---@return integer
local function head_of(s, count)
  local at = 0
  for _ = 1, count do
    at = s:find("\n", at + 1, true) or #s
    if at > room / 2 then
      return text.boundary(s, room / 2, 1)
    end
  end
  return at
end

--- Returns the first byte of the last lines.
---@param s string
---@param count integer
---@return integer
local function tail_of(s, count)
  local least = math.max(0, #s - room / 2)
  local at = s:byte(#s) == 10 and #s - 1 or #s
  while at > least do
    if s:byte(at) == 10 then
      count = count - 1
      if count == 0 then
        return at + 1
      end
    end
    at = at - 1
  end
  return text.boundary(s, at, at - 4) + 1
end

--- Returns an excerpt of a text.
---@param s any
---@param max number most lines in all; math.huge leaves nothing out
---@param split fun(s: any): string[] text.lines or text.output
---@return string[] first
---@return string[] last
---@return string? omitted
function M.of(s, max, split)
  if type(s) ~= "string" or max == math.huge then
    return split(s), {}, nil
  end
  local half = math.floor(max / 2)
  local from, to = head_of(s, half), tail_of(s, half)
  if to <= from + 1 then
    return M.of_lines(split(s), max)
  end
  local first, last = split(s:sub(1, from)), split(s:sub(to))
  local _, count = s:sub(from + 1, to - 1):gsub("\n", "")
  -- A long line becomes several, so even the shown part may have too many.
  count = count + math.max(0, #first - half) + math.max(0, #last - half)
  local omitted = count > 0 and ("%d more lines"):format(count) or text.count(to - from - 1) .. " more characters"
  return vim.list_slice(first, 1, half), vim.list_slice(last, math.max(1, #last - half + 1)), omitted
end

return M
