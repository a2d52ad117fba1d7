--- The agents that Turnwire knows by name, and a menu of them.

local M = {}

--- Milliseconds. The person is waiting, so the program must answer quickly.
local patience = 3000

local function tell(message, level)
  vim.notify("Turnwire: " .. message, level or vim.log.levels.INFO)
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

--- Returns the agents. all includes those that would have to be installed first.
---@param all boolean?
---@return turnwire.KnownAgent[]
function M.list(all)
  local ok, result = pcall(function()
    return vim.system(command("agents", "--json", all and "--all" or nil), { text = true }):wait(patience)
  end)
  local parsed, list = false, nil
  if ok and result.code == 0 then
    parsed, list = pcall(vim.json.decode, result.stdout)
  end
  return vim.tbl_filter(function(agent)
    return type(agent) == "table" and type(agent.name) == "string" and (all or not agent.addable)
  end, parsed and type(list) == "table" and list or {})
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
      tell(vim.trim(shown.stderr), vim.log.levels.ERROR)
      return
    end
    if vim.fn.confirm(vim.trim(shown.stdout .. shown.stderr) .. "\n\nAdd this agent?", "&Add\n&Cancel", 2) ~= 1 then
      return
    end
    vim.system(command("agents", "add", name, "--yes"), { text = true }, vim.schedule_wrap(function(added)
      if added.code ~= 0 then
        tell(vim.trim(added.stderr), vim.log.levels.ERROR)
        return
      end
      use()
    end))
  end))
end

--- Lets the person choose an agent, and opens a chat with it. One that is not installed is
--- added from the registry first, if the person agrees.
---@param options { cwd: string? }
function M.choose(options)
  local list = M.list(true)
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

return M
