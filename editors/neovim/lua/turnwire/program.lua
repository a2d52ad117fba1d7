--- Finds a program that is named without a folder.
---
--- Windows, and Neovim on Windows, search the working directory before PATH. That
--- directory is often a repository, whose author could then choose what runs.

local M = {}

---@class turnwire.Machine
---@field windows boolean
---@field path string PATH
---@field can_run fun(path: string): boolean

---@return turnwire.Machine
local function here()
  return {
    windows = vim.fn.has("win32") == 1,
    path = vim.env.PATH or "",
    can_run = function(path)
      return vim.fn.executable(path) == 1
    end,
  }
end

--- Returns a command's path: the path itself if it contains a folder, otherwise the
--- first program of that name in PATH, or nil. Ignores relative folders in PATH,
--- because they are inside the working directory.
---@param command string
---@param machine turnwire.Machine?
---@return string?
function M.find(command, machine)
  machine = machine or here()
  local windows = machine.windows
  if command:find(windows and "[\\/:]" or "/") then
    return command
  end
  -- Scripts (.bat, .cmd) can't be started without a shell.
  local names = { command }
  if windows and not command:find("%.") then
    names = { command .. ".com", command .. ".exe" }
  elseif windows then
    names = { command, command .. ".com", command .. ".exe" }
  end
  for _, folder in ipairs(vim.split(machine.path, windows and ";" or ":", { plain = true })) do
    folder = windows and folder:gsub('"', "") or folder
    local absolute = folder:find(windows and "^%a:[\\/]" or "^/") or windows and folder:find("^[\\/][\\/]")
    for _, name in ipairs(absolute and names or {}) do
      local path = folder:gsub("[\\/]+$", "") .. (windows and "\\" or "/") .. name
      if machine.can_run(path) then
        return path
      end
    end
  end
end

return M
