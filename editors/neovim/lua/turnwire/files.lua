--- The files of a folder, for completion.
---
--- Git knows which of them count; where it does not answer, the folder is walked. Both
--- are bounded, for a folder may be a home directory.

local M = {}

--- So many files and folders are known.
local most = 20000

--- Milliseconds that a walk, or Git, may take while the person waits.
local patience = 400

--- Folders that hold nothing that was written by hand.
local skipped = { [".git"] = true, node_modules = true, [".venv"] = true, __pycache__ = true, target = true }

---@param cwd string
---@return string[]?
local function from_git(cwd)
  local git = require("turnwire.program").find("git")
  if not git then
    return nil
  end
  -- A repository's own configuration must not name programs that are run for this.
  local command = { git, "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard" }
  local ok, done = pcall(function()
    return vim.system(command, { cwd = cwd, text = false }):wait(patience)
  end)
  if not ok or done.code ~= 0 then
    return nil
  end
  return vim.split(done.stdout, "\0", { plain = true, trimempty = true })
end

---@param cwd string
---@return string[]
local function walked(cwd)
  local out, started, folders = {}, vim.uv.hrtime(), { "" }
  while folders[1] and #out < most and (vim.uv.hrtime() - started) / 1e6 < patience do
    local folder = table.remove(folders, 1)
    for name, kind in vim.fs.dir(vim.fs.joinpath(cwd, folder)) do
      local path = folder .. name
      if kind == "directory" and not skipped[name] then
        table.insert(folders, path .. "/")
      elseif kind == "file" then
        table.insert(out, path)
      end
    end
  end
  return out
end

--- Files below a folder, and the folders that they are in, as relative paths. Names
--- with spaces are left out: a prompt could not name them.
---@param cwd string
---@return string[]
function M.of(cwd)
  local out, folders = {}, {}
  for _, path in ipairs(from_git(cwd) or walked(cwd)) do
    if #out >= most then
      break
    elseif not path:find("[%s%c]") then
      table.insert(out, path)
      for folder in vim.fs.parents(path) do
        if folder == "." or folder == "/" or folders[folder] then
          break
        end
        folders[folder] = true
        table.insert(out, folder .. "/")
      end
    end
  end
  return out
end

--- Those that match what is typed in any part of their paths, the best first. Hidden
--- ones only count where a dot is typed.
---@param list string[]
---@param typed string
---@param limit integer
---@return string[]
function M.matching(list, typed, limit)
  local hidden = typed:find(".", 1, true)
  local shown = vim.tbl_filter(function(path)
    return hidden or not (path:sub(1, 1) == "." or path:find("/.", 1, true))
  end, list)
  if typed == "" then
    table.sort(shown, function(a, b)
      local _, deep = a:gsub("/.", "")
      local _, deeper = b:gsub("/.", "")
      if deep ~= deeper then
        return deep < deeper
      end
      return a < b
    end)
    return vim.list_slice(shown, 1, limit)
  end
  return vim.fn.matchfuzzy(shown, typed, { limit = limit })
end

return M
