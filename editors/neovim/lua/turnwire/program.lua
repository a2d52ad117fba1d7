--- Where a program is that is named without a folder.
---
--- Windows, and Neovim on it, look into the working directory before they look into
--- PATH, and that is often a repository: whoever wrote it would choose what is run.

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

--- The path of a command: its own where it has a folder, otherwise that of the first
--- program of that name in a folder of PATH, or nil. A folder of PATH that is not
--- absolute would be one of the working directory, and does not count.
---@param command string
---@param machine turnwire.Machine?
---@return string?
function M.find(command, machine)
  machine = machine or here()
  local windows = machine.windows
  if command:find(windows and "[\\/:]" or "/") then
    return command
  end
  -- Scripts (.bat, .cmd) cannot be started without a shell.
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
