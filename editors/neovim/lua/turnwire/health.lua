--- The checks of `:checkhealth turnwire`.

local M = {}

--- Starts the agent as a chat would, and waits for its first responses.
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
        problem, finished = "The agent is not running: " .. why, true
      end,
      on_exit = function(code, signal)
        problem, finished = problem or require("turnwire.process").stopped(code, signal), true
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
  return info, problem or "The agent did not respond within 10 seconds"
end

--- Languages that agents often write, with the names of their parsers.
local languages = { "bash", "c", "go", "javascript", "json", "lua", "python", "rust", "typescript" }

--- Checks what the chat needs from Neovim and from other plugins.
local function check_editor()
  local health = vim.health
  local found, missing = {}, {}
  for _, language in ipairs(languages) do
    local there = pcall(vim.treesitter.language.inspect, language)
    table.insert(there and found or missing, language)
  end
  health.ok("syntax highlighting for: " .. (#found > 0 and table.concat(found, ", ") or "no languages"))
  if #missing > 0 then
    health.info("no treesitter parser for: " .. table.concat(missing, ", "))
  end
  local menu = debug.getinfo(vim.ui.select, "S").source:gsub("^@", "")
  local own = vim.startswith(vim.fs.normalize(menu), vim.fs.normalize(vim.env.VIMRUNTIME)) or menu:find("^vim/")
  health.ok("menus are " .. (own and "Neovim's own" or "shown by " .. vim.fn.fnamemodify(menu, ":~")))
  if require("turnwire.program").find("git") then
    health.ok("@ completes files that Git does not ignore")
  else
    health.info("Git was not found: @ completes all files in the folder, including ignored ones")
  end
  if not vim.o.autoread then
    health.info("'autoread' is off: files that the agent changed are reloaded when its turn ends")
  end
end

--- Reports what the agent can do with saved sessions.
---@param info table
local function check_agent(info)
  local can = require("turnwire.saved").can({ info = info })
  if can.list and can.load then
    vim.health.ok("chats are saved: :TurnwireSessions lists them" .. (can.delete and ", :TurnwireDelete deletes them" or ""))
  else
    vim.health.info("the agent does not save chats")
  end
end

function M.check()
  local health, config, text = vim.health, require("turnwire.config"), require("turnwire.text")
  health.start("turnwire")
  if vim.fn.has("nvim-0.10") == 0 then
    health.error("Neovim 0.10 or later is required")
    return
  end
  health.ok("Neovim " .. tostring(vim.version()))
  check_editor()
  local program = config.command[1]
  local found = require("turnwire.program").find(program)
  local path = found and vim.fn.exepath(found) or ""
  if path == "" then
    health.error(("%s was not found"):format(program), {
      "Install Turnwire, or set its path: require('turnwire').setup({ command = { '/path/to/turnwire', 'acp' } })",
    })
    return
  end
  health.ok("program: " .. path)
  local info, problem = try(config.command)
  if not info then
    health.error(problem, { "See :TurnwireLog" })
    return
  end
  local agent = type(info.agentInfo) == "table" and info.agentInfo or {}
  health.ok(("agent: %s %s"):format(text.line(agent.title or agent.name), text.line(agent.version)))
  check_agent(info)
end

return M
