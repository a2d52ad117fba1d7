--- A terminal that runs one command for the person, and goes when that has ended
--- well. When it has not, what it wrote stays to be read until it is stopped.

local M = {}

--- Neovim tells the children in its terminals where to reach it. Whatever runs
--- here is of the agent, which must not be able to answer for the person.
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

--- Runs a command in a split. `ended` is told once what went wrong, or nothing.
---@param spec { name: string, command: string[], cwd: string, env: table<string, string> }
---@param ended fun(problem: string?)
---@return fun()? stop
function M.run(spec, ended)
  local program = require("turnwire.program").find(spec.command[1])
  if not program then
    ended(spec.command[1] .. " is not in PATH")
    return nil
  end
  local from = vim.api.nvim_get_current_win()
  vim.cmd("botright new")
  local buf, over = vim.api.nvim_get_current_buf(), false
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
    if not over then
      over = true
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
        vim.cmd.stopinsert() -- there is nobody left to type for
      end
      finish(code ~= 0 and ("it has ended with exit code %d"):format(code) or nil)
    end),
  })
  if not ok or job <= 0 then
    remove()
    finish(ok and "it could not be started" or tostring(job))
    return nil
  end
  vim.cmd.startinsert()
  return function()
    over = true
    vim.fn.jobstop(job)
    remove()
  end
end

return M
