--- A terminal that runs one command for the person. It closes when the command
--- succeeds. If the command fails, its output stays readable until the terminal
--- is stopped.

local M = {}

--- Removes the address at which Neovim's terminals reach it. The command belongs
--- to the agent, which must not be able to answer for the person.
---@param command string[]
local function alone(command)
  if vim.fn.has("win32") == 1 then
    return command
  end
  return vim.list_extend({ "/bin/sh", "-c", 'unset NVIM NVIM_LISTEN_ADDRESS; exec "$@"', "sh" }, command)
end

---@param command string[]
---@param options table
local function start(command, options)
  if vim.fn.has("nvim-0.11") == 1 then
    options.term = true
    return vim.fn.jobstart(command, options)
  end
  return vim.fn.termopen(command, options)
end

--- Runs a command in a split. Calls `ended` once, with the problem or nil.
---@param spec { name: string, command: string[], cwd: string, env: table<string, string> }
---@param ended fun(problem: string?)
---@return fun()? stop
function M.run(spec, ended)
  local program = require("turnwire.program").find(spec.command[1])
  if not program then
    ended(spec.command[1] .. " was not found in PATH")
    return nil
  end
  local from = vim.api.nvim_get_current_win()
  vim.cmd("botright new")
  local buf, finished = vim.api.nvim_get_current_buf(), false
  vim.bo[buf].bufhidden = "wipe"
  local function remove()
    if not vim.api.nvim_buf_is_valid(buf) then
      return
    end
    local inside = vim.api.nvim_get_current_buf() == buf
    vim.api.nvim_buf_delete(buf, { force = true })
    if inside and vim.api.nvim_win_is_valid(from) then
      vim.api.nvim_set_current_win(from)
    end
  end
  local function finish(problem)
    if not finished then
      finished = true
      ended(problem)
    end
  end
  local command = vim.list_extend({ program }, vim.list_slice(spec.command, 2))
  local ok, job = pcall(start, alone(command), {
    cwd = spec.cwd,
    env = next(spec.env) and spec.env or nil,
    on_exit = vim.schedule_wrap(function(_, code)
      if code == 0 then
        remove()
      elseif vim.api.nvim_get_current_buf() == buf then
        vim.cmd.stopinsert() -- nothing reads the keys any more
      end
      finish(code ~= 0 and ("it failed (exit status %d)"):format(code) or nil)
    end),
  })
  if not ok or job <= 0 then
    remove()
    finish(ok and "it could not be started" or tostring(job))
    return nil
  end
  vim.cmd.startinsert()
  return function()
    finished = true
    vim.fn.jobstop(job)
    remove()
  end
end

return M
