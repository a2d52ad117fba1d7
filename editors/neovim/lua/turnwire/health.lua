--- :checkhealth turnwire

local M = {}

--- Starts the agent as a chat would, and waits for its first answers.
---@param command string[]
---@return table? info
---@return string? problem
local function try(command)
  local info, problem, finished = nil, nil, false
  local none = function() end
  local session = require("turnwire.session").start({
    command = command,
    cwd = vim.uv.cwd(),
    listener = {
      on_ready = function(answer)
        info, finished = answer, true
      end,
      on_failed = function(why)
        problem, finished = why, true
      end,
      on_exit = function(code)
        problem, finished = problem or ("it ended with exit code %d"):format(code), true
      end,
      on_update = none,
      on_permission = none,
      on_form = none,
      on_login = function(_, done)
        done(false)
      end,
    },
  })
  vim.wait(10000, function()
    return finished
  end, 10)
  session:stop()
  return info, problem or "it did not answer within 10 seconds"
end

function M.check()
  local health, config, text = vim.health, require("turnwire.config"), require("turnwire.text")
  health.start("turnwire")
  if vim.fn.has("nvim-0.10") == 0 then
    health.error("Neovim 0.10 or later is needed")
    return
  end
  health.ok("Neovim " .. tostring(vim.version()))
  local program = config.command[1]
  local found = require("turnwire.program").find(program)
  local path = found and vim.fn.exepath(found) or ""
  if path == "" then
    health.error(("%s cannot be run"):format(program), {
      "Install Turnwire, or name it: require('turnwire').setup({ command = { '/path/to/turnwire', 'acp' } })",
    })
    return
  end
  health.ok("the program is " .. path)
  local info, problem = try(config.command)
  if not info then
    health.error("the agent does not answer: " .. problem, { "See :TurnwireLog" })
    return
  end
  local agent = type(info.agentInfo) == "table" and info.agentInfo or {}
  health.ok(("the agent answers: %s %s"):format(text.line(agent.title or agent.name), text.line(agent.version)))
end

return M
