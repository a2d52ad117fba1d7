--- Finds a tool call's arguments that its diffs already show.
---
--- A permission request must not hide anything. So an argument is left out only if both
--- its name and its value say that it is the diff's file or text.

local M = {}

--- Comparing larger texts (in bytes) would keep the person waiting.
local most_compared = 2 * 1024 * 1024

--- Names of arguments, in lower case and without underscores.
local of_path = { path = true, file = true, filepath = true, filename = true, abspath = true, absolutepath = true, targetfile = true, uri = true }
local of_text = {
  content = true, contents = true, text = true, filetext = true, newtext = true, oldtext = true,
  newstring = true, oldstring = true, newstr = true, oldstr = true, replacement = true,
}
local of_list = { edits = true, changes = true, replacements = true }

--- Reports whether two texts are small enough to compare.
---@param old string
---@param new string
---@return boolean
function M.comparable(old, new)
  return #old + #new <= most_compared
end

--- Returns a call's diffs whose lines can be shown.
---@param call table
---@return table[]
function M.diffs(call)
  return vim.tbl_filter(function(item)
    if type(item) ~= "table" or item.type ~= "diff" or type(item.newText) ~= "string" then
      return false
    end
    return M.comparable(type(item.oldText) == "string" and item.oldText or "", item.newText)
  end, type(call.content) == "table" and call.content or {})
end

--- Reports whether a path is the path of one of the diffs.
---@param diffs table[]
---@param path string
---@param cwd string
---@return boolean
function M.has_path(diffs, path, cwd)
  path = path:gsub("^file://", "")
  return vim.iter(diffs):any(function(item)
    return path == item.path or vim.fs.joinpath(cwd, path) == item.path
  end)
end

--- Reports whether a text is part of one of the diffs' files.
---@param diffs table[]
---@param value string
---@return boolean
local function has_text(diffs, value)
  return vim.iter(diffs):any(function(item)
    local old = type(item.oldText) == "string" and item.oldText or ""
    return item.newText:find(value, 1, true) ~= nil or old:find(value, 1, true) ~= nil
  end)
end

---@param name any
---@param value any
---@param diffs table[]
---@param cwd string
---@return boolean
local function is_repeated(name, value, diffs, cwd)
  name = tostring(name):lower():gsub("_", "")
  if type(value) == "string" then
    return of_path[name] and M.has_path(diffs, value, cwd) or of_text[name] and has_text(diffs, value) or false
  elseif not of_list[name] or type(value) ~= "table" or not vim.islist(value) then
    return false
  end
  return vim.iter(value):all(function(edit)
    return type(edit) == "table" and vim.iter(pairs(edit)):all(function(member, part)
      return type(part) == "string" and is_repeated(member, part, diffs, cwd)
    end)
  end)
end

--- Returns the names of the arguments that the diffs show.
---@param input any
---@param diffs table[]
---@param cwd string
---@return table<any, boolean>
function M.arguments(input, diffs, cwd)
  local repeated = {}
  if #diffs > 0 and type(input) == "table" and not vim.islist(input) then
    for name, value in pairs(input) do
      repeated[name] = is_repeated(name, value, diffs, cwd) or nil
    end
  end
  return repeated
end

return M
