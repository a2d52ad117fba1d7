--- The files that a turn changed: each file's content before and after.
---
--- The agent reports its changes, and each report makes this module read the file. If
--- the contents don't fit together, the file is marked, so that undo never guesses.

local M = {}

--- Larger files (in bytes) are listed, but their content is not stored.
local largest = 2 * 1024 * 1024

---@class turnwire.Change
---@field path string real and absolute
---@field before string|false|nil false if the file did not exist, nil if unknown
---@field after string|false|nil likewise
---@field mixed boolean? somebody else changed the file between two edits of the turn

---@class turnwire.Changes
---@field list turnwire.Change[]
---@field seen table<table, true> the diffs that are already recorded
local Changes = {}
Changes.__index = Changes

---@param cwd string
---@return turnwire.Changes
function M.new(cwd)
  return setmetatable({ cwd = cwd, list = {}, seen = {} }, Changes)
end

--- Returns a file's content: false if it doesn't exist, nil if it can't be stored.
---@param path string
---@return string|false|nil
function M.content(path)
  local stat = vim.uv.fs_stat(path)
  if not stat then
    return false
  elseif stat.type ~= "file" or stat.size > largest then
    return nil
  end
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local text = file:read("*a")
  file:close()
  return text
end

--- Returns the position of one text in another, if it occurs exactly once.
---@param text string
---@param part string
---@return integer?
local function only_place(text, part)
  local at = part ~= "" and text:find(part, 1, true) or nil
  return at and not text:find(part, at + 1, true) and at or nil
end

--- Returns the text before the given edits. Each edit is a whole file or a part of it.
---@param text string|false|nil
---@param diffs table[]
---@return string|false|nil
local function without(text, diffs)
  for i = #diffs, 1, -1 do
    local old, new = diffs[i].oldText, diffs[i].newText
    if type(text) ~= "string" or type(new) ~= "string" then
      return nil
    elseif text == new then
      text = type(old) == "string" and old or false
    else
      local at = type(old) == "string" and only_place(text, new)
      if not at then
        return nil
      end
      text = text:sub(1, at - 1) .. old .. text:sub(at + #new)
    end
  end
  return text
end

--- Records one edit.
---@param path string
---@param before string|false|nil
---@param after string|false|nil
function Changes:add(path, before, after)
  for _, change in ipairs(self.list) do
    if change.path == path then
      if change.after ~= after then
        change.mixed = change.mixed or before ~= change.after
        change.after = after
      end
      return
    end
  end
  if before == nil or before ~= after then
    table.insert(self.list, { path = path, before = before, after = after })
  end
end

--- Records the changes of a call that completed successfully.
---@param call table the members of a `ToolCall`
function Changes:add_call(call)
  local paths = require("turnwire.paths")
  if call.status ~= "completed" or type(call.content) ~= "table" then
    return
  end
  local order, diffs = {}, {}
  for _, item in ipairs(call.content) do
    if type(item) == "table" and item.type == "diff" and not self.seen[item] then
      self.seen[item] = true
      local path = paths.confine(item.path, self.cwd)
      if path and not diffs[path] then
        diffs[path] = {}
        table.insert(order, path)
      end
      if path then
        table.insert(diffs[path], item)
      end
    end
  end
  for _, path in ipairs(order) do
    local after = M.content(path)
    self:add(path, without(after, diffs[path]), after)
  end
end

--- Returns the hunks of a change: their first lines in the current content, and how
--- many lines were added and removed.
---@param change turnwire.Change
---@return { line: integer, added: integer, removed: integer }[]
function M.hunks(change)
  if change.before == nil or change.after == nil then
    return {}
  end
  local out = {}
  for _, hunk in ipairs(vim.diff(change.before or "", change.after or "", { result_type = "indices" }) --[[@as integer[][] ]]) do
    table.insert(out, { line = math.max(1, hunk[3]), added = hunk[4], removed = hunk[2] })
  end
  return out
end

---@return string? line nil if nothing changed
function Changes:summary()
  if #self.list == 0 then
    return nil
  end
  local added, removed = 0, 0
  for _, change in ipairs(self.list) do
    for _, hunk in ipairs(M.hunks(change)) do
      added, removed = added + hunk.added, removed + hunk.removed
    end
  end
  local files = #self.list == 1 and "1 file changed" or ("%d files changed"):format(#self.list)
  return ("%s +%d −%d · gC"):format(files, added, removed)
end

--- Shows the changes in the quickfix list.
function Changes:quickfix()
  local items = {}
  for _, change in ipairs(self.list) do
    local lines = vim.split(change.after or "", "\n", { plain = true })
    local hunks = M.hunks(change)
    for _, hunk in ipairs(hunks) do
      local line = require("turnwire.text").line(lines[hunk.line], 200)
      table.insert(items, { filename = change.path, lnum = hunk.line, text = ("+%d −%d  %s"):format(hunk.added, hunk.removed, line) })
    end
    if #hunks == 0 then
      table.insert(items, { filename = change.path, lnum = 1, text = "changed; earlier content unknown" })
    end
  end
  vim.fn.setqflist({}, " ", { title = "Turnwire: changes in this turn (:TurnwireUndo reverts them)", items = items })
  vim.cmd("botright copen")
end

return M
