--- A folder's files, for completion.
---
--- Git knows which files matter. If it doesn't answer, this module walks the folder.
--- Both are limited, because the folder may be a home directory.

local M = {}

--- Most files and folders listed.
local most = 20000

--- Milliseconds that Git or a walk may take while the person waits.
M.patience = 400

--- Folders without hand-written files.
local skipped = { [".git"] = true, node_modules = true, [".venv"] = true, __pycache__ = true, target = true }

---@param cwd string
---@return string[]?
local function from_git(cwd)
  local git = require("turnwire.program").find("git")
  if not git then
    return nil
  end
  -- A repository's own configuration must not choose programs to run here.
  local command = { git, "-c", "core.fsmonitor=false", "ls-files", "-z", "--cached", "--others", "--exclude-standard" }
  local ok, done = pcall(function()
    return vim.system(command, { cwd = cwd, text = false }):wait(M.patience)
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
  while folders[1] and #out < most and (vim.uv.hrtime() - started) / 1e6 < M.patience do
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

--- Returns the files below a folder, and their folders, as relative paths. Names with
--- spaces are left out, because a prompt can't mention them.
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

--- Returns the paths that contain the typed text, best matches first. Hidden files
--- only match if the text contains a dot.
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
