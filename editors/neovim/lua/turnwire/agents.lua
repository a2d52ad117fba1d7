--- The agents that Turnwire knows by name, and a menu of them.

local M = {}

--- Milliseconds that a completion waits for the program, because Neovim stands still meanwhile.
M.patience = 3000

local function tell(message, level)
  vim.notify("Turnwire: " .. message, level or vim.log.levels.INFO)
end

--- Returns what the program complains about, without its name.
---@param errors string? its standard error
---@return string
local function complaint(errors)
  return (vim.trim(errors or ""):gsub("^turnwire: ", ""))
end

--- Returns the command that runs Turnwire with these arguments.
---@param ... string
---@return string[]
local function command(...)
  local name = require("turnwire.config").command[1]
  return { require("turnwire.program").find(name) or name, ... }
end

---@class turnwire.KnownAgent
---@field name string
---@field title string
---@field detail string
---@field reachable boolean?
---@field addable boolean? it is not installed, and can be added from the registry

--- Returns the agents in the program's output, or nil if that isn't a list.
---@param output string
---@return turnwire.KnownAgent[]?
local function parse(output)
  local ok, list = pcall(vim.json.decode, output)
  if not ok or type(list) ~= "table" then
    return nil
  end
  return vim.tbl_filter(function(agent)
    return type(agent) == "table" and type(agent.name) == "string"
  end, list)
end

--- Returns the agents that can be used without installing them first; none if the program
--- does not answer in time.
---@return turnwire.KnownAgent[]
function M.installed()
  local ok, result = pcall(function()
    return vim.system(command("agents", "--json"), { text = true }):wait(M.patience)
  end)
  local list = ok and result.code == 0 and parse(result.stdout) or {}
  return vim.tbl_filter(function(agent)
    return not agent.addable
  end, list)
end

--- Asks the program for all agents, including those that would have to be installed first.
--- It may have to fetch the registry.
---@param use fun(list: turnwire.KnownAgent[])
local function all(use)
  local ok, problem = pcall(vim.system, command("agents", "--json", "--all"), { text = true }, vim.schedule_wrap(function(result)
    local list = result.code == 0 and parse(result.stdout)
    if list then
      use(list)
    else
      local reason = complaint(result.stderr)
      tell(reason ~= "" and reason or "turnwire agents does not list any", vim.log.levels.ERROR)
    end
  end))
  if not ok then
    tell(tostring(problem), vim.log.levels.ERROR)
  end
end

---@param agent turnwire.KnownAgent
---@return string
local function label(agent)
  local text = require("turnwire.text")
  local title = type(agent.title) == "string" and text.line(agent.title, 60) or ""
  local line = title ~= "" and title ~= agent.name and ("%s (%s)"):format(title, agent.name) or agent.name
  return agent.addable and line .. ", not installed" or line
end

--- Shows what adding an agent from the registry would write and run, asks, and adds it.
---@param name string
---@param use fun() called after it was added
local function add(name, use)
  vim.system(command("agents", "add", name, "--print"), { text = true }, vim.schedule_wrap(function(shown)
    if shown.code ~= 0 then
      tell(complaint(shown.stderr), vim.log.levels.ERROR)
      return
    end
    if vim.fn.confirm(vim.trim(shown.stdout .. shown.stderr) .. "\n\nAdd this agent?", "&Add\n&Cancel", 2) ~= 1 then
      return
    end
    vim.system(command("agents", "add", name, "--yes"), { text = true }, vim.schedule_wrap(function(added)
      if added.code ~= 0 then
        tell(complaint(added.stderr), vim.log.levels.ERROR)
        return
      end
      use()
    end))
  end))
end

---@param list turnwire.KnownAgent[]
---@param options { cwd: string? }
local function choose(list, options)
  table.sort(list, function(a, b)
    if (a.reachable == true) ~= (b.reachable == true) then
      return a.reachable == true
    end
    return label(a):lower() < label(b):lower()
  end)
  if #list == 0 then
    tell("turnwire agents lists none", vim.log.levels.WARN)
    return
  end
  vim.ui.select(list, { prompt = "Agent", kind = "turnwire", format_item = label }, function(agent)
    if not agent then
      return
    end
    local function open()
      require("turnwire.chats").open({ args = { "--agent", agent.name }, cwd = options.cwd })
    end
    if agent.addable then
      add(agent.name, open)
    else
      open()
    end
  end)
end

--- Lets the person choose an agent, and opens a chat with it. One that is not installed is
--- added from the registry first, if the person agrees.
---@param options { cwd: string? }
function M.choose(options)
  all(function(list)
    choose(list, options)
  end)
end

return M
