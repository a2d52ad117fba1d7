--- Undoes a turn's changes. Later changes are kept, unless the person agrees to lose
--- them.

local changes = require("turnwire.changes")
local fs = require("turnwire.fs")
local paths = require("turnwire.paths")
local plain = require("turnwire.block.plain")
local text = require("turnwire.text")

local M = {}

--- Reloads files into buffers without unsaved changes.
---@param list turnwire.Change[]
function M.reload(list)
  for _, change in ipairs(list) do
    local buf = paths.buffer(change.path)
    if buf and not vim.bo[buf].modified then
      local content = changes.content(change.path)
      if type(content) == "string" and content ~= fs.buffer_text(buf) then
        vim.api.nvim_buf_call(buf, function()
          pcall(vim.cmd, "silent! keepalt edit!")
        end)
      end
    end
  end
end

--- Reports whether a file, and its buffer, still has the content that the turn left.
---@param change turnwire.Change
---@return boolean
local function untouched(change)
  local buf = paths.buffer(change.path)
  return not change.mixed and changes.content(change.path) == change.after and not (buf and vim.bo[buf].modified)
end

---@param change turnwire.Change
---@param cwd string
---@return string? problem
local function put_back(change, cwd)
  -- Somebody may have added links since.
  if paths.confine(change.path, cwd) ~= change.path then
    return "the path is outside the session's folder"
  end
  M.reload({ change })
  if change.before == false then
    local buf = paths.buffer(change.path)
    if buf and #require("turnwire.window").of(buf) > 0 then
      vim.bo[buf].modified = true -- the buffer's text is no longer in any file
    elseif buf then
      vim.api.nvim_buf_delete(buf, { force = true })
    end
    local ok, err = vim.uv.fs_unlink(change.path)
    return not ok and vim.uv.fs_stat(change.path) and err or nil
  end
  return fs.overwrite(change.path, change.before --[[@as string]])
end

---@param list turnwire.Change[]
---@param cwd string
---@return string
local function names(list, cwd)
  return table.concat(vim.tbl_map(function(change)
    return text.line(paths.short(change.path, cwd))
  end, list), ", ")
end

--- Returns the changes of the last turn that changed something.
---@param chat turnwire.Chat
---@return turnwire.Changes?
function M.changes(chat)
  if chat.session and chat.session.busy then
    vim.notify("Turnwire: the agent is still working", vim.log.levels.WARN)
  elseif not chat.changes or #chat.changes.list == 0 then
    vim.notify("Turnwire: no file changes")
  else
    return chat.changes
  end
end

--- Undoes the last turn's changes.
---@param chat turnwire.Chat
function M.run(chat)
  local made = M.changes(chat)
  if made then
    M.put_back(chat, made, function() end)
  end
end

--- Undoes a turn's changes. Asks the person about each file that changed since.
---@param chat turnwire.Chat
---@param made turnwire.Changes
---@param done fun() called when all files are restored or skipped
function M.put_back(chat, made, done)
  local undone, remaining, left = {}, {}, vim.list_slice(made.list)
  local function tell(problem, change)
    vim.notify(("Turnwire: %s was not restored: %s"):format(text.line(paths.short(change.path, chat.cwd)), problem), vim.log.levels.ERROR)
    table.insert(remaining, change)
  end
  local function undo(change)
    local problem = put_back(change, chat.cwd)
    if problem then
      tell(problem, change)
    else
      table.insert(undone, change)
    end
  end
  local function next_one()
    local change = table.remove(left, 1)
    if not change then
      made.list = remaining
      if #undone > 0 and not chat.closed then
        chat.transcript:add(plain.notice("info", "Undone: " .. names(undone, chat.cwd)))
      end
      done()
    elseif change.before == nil then
      tell("its earlier content is unknown", change)
      next_one()
    elseif changes.content(change.path) == change.before and untouched({ path = change.path, after = change.before }) then
      next_one() -- already restored
    elseif untouched(change) then
      undo(change)
      next_one()
    else
      vim.ui.select({ "Keep the current file", "Overwrite and undo the turn's change" }, {
        prompt = ("%s changed after the turn. Undo discards the later changes"):format(text.line(paths.short(change.path, chat.cwd))),
        kind = "turnwire",
      }, function(answer)
        if answer == "Overwrite and undo the turn's change" then
          undo(change)
        else
          table.insert(remaining, change)
        end
        next_one()
      end)
    end
  end
  next_one()
end

return M
