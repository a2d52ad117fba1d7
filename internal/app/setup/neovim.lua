-- Written by "turnwire setup neovim", which may overwrite your changes to it.
-- "turnwire setup neovim --remove" removes it.
--
-- It adds the agents below to the plugins for agents that you have installed:
-- turnwire.nvim, CodeCompanion and avante. They are added to the options that
-- you pass to a plugin's setup; agents that you name there yourself take
-- precedence. It neither loads nor sets up any plugin.

local agents = vim.json.decode([==[
AGENTS
]==])

local waiting = {}

-- One more way for require to find a module: the others', and then what waits
-- for the module is called with it.
local function search(name)
  local act = waiting[name]
  for _, searcher in ipairs(act and package.loaders or {}) do
    local load = searcher ~= search and searcher(name)
    if type(load) == "function" then
      waiting[name] = nil
      return function(...)
        local module = load(...)
        if type(module) == "table" then
          act(module, false)
        end
        return module
      end
    end
  end
end
table.insert(package.loaders, 1, search)

-- Calls act with a module: now if it has been loaded, else once it is.
local function with(name, act)
  if type(package.loaded[name]) == "table" then
    act(package.loaded[name], true)
  else
    waiting[name] = act
  end
end

-- Has a plugin's setup get options that the person's own go before.
local function extend_setup(plugin, options)
  local setup = plugin.setup
  plugin.setup = function(own)
    return setup(vim.tbl_deep_extend("keep", own or {}, options))
  end
end

local function codecompanion_adapter(agent)
  return function()
    -- The base "opencode" needs no login, and neither does Turnwire. By its
    -- module, for its name is unknown where the presets are hidden.
    local base = require("codecompanion.adapters.acp.opencode")
    return require("codecompanion.adapters").extend(base, {
      name = agent.id,
      formatted_name = agent.name,
      commands = { default = vim.list_extend({ agent.command }, agent.args) },
    })
  end
end

with("codecompanion", function(plugin, is_set_up)
  local adapters = {}
  for _, agent in ipairs(agents) do
    adapters[agent.id] = codecompanion_adapter(agent)
  end
  extend_setup(plugin, { adapters = { acp = adapters } })
  local known = is_set_up and vim.tbl_get(require("codecompanion.config"), "adapters", "acp")
  for id, adapter in pairs(known and adapters or {}) do
    known[id] = known[id] or adapter
  end
end)

with("avante", function(plugin, is_set_up)
  -- avante gives an agent no other variables than PATH and these. Where a
  -- Neovim can be reached is left out: the agent could answer for the person.
  local env = vim.fn.environ()
  env.NVIM, env.NVIM_LISTEN_ADDRESS = nil, nil
  local providers = {}
  for _, agent in ipairs(agents) do
    providers[agent.id] = { command = agent.command, args = agent.args, env = env }
  end
  extend_setup(plugin, { acp_providers = providers })
  local known = is_set_up and require("avante.config").acp_providers
  for id, provider in pairs(known and providers or {}) do
    known[id] = known[id] or provider
  end
end)

with("turnwire.config", function(config)
  local command = vim.list_extend({ agents[1].command }, agents[1].args)
  local set = config.set
  config.set = function(options)
    set(vim.tbl_extend("keep", options, { command = command }))
  end
  -- Unless another one was chosen. In its place, to keep other options.
  local chosen = config.command
  if vim.deep_equal(chosen, { "turnwire", "acp" }) then
    for i = 1, math.max(#chosen, #command) do
      chosen[i] = command[i]
    end
  end
end)
