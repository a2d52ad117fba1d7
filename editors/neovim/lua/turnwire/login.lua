--- Logins that an agent needs before it can continue.
---
--- The chat shows the agent's login methods and what each would do; a menu lets
--- the person choose one. Nothing is tried automatically. If a login fails, the
--- chat says why, and the menu opens again.

local config = require("turnwire.config")
local plain = require("turnwire.block.plain")
local text = require("turnwire.text")

local M = {}

---@class turnwire.Way
---@field id string
---@field name string
---@field description string
---@field command string[]? runs in a terminal; if unset, the agent handles the login
---@field env table<string, string>
---@field variables string[]? variables that the agent must be started with; such a method can't be chosen

---@return string[]
local function strings(list)
  return vim.tbl_filter(function(s)
    return type(s) == "string"
  end, type(list) == "table" and list or {})
end

---@return table<string, string>
local function variables(map)
  local out = {}
  for name, value in pairs(type(map) == "table" and map or {}) do
    if type(name) == "string" and type(value) == "string" then
      out[name] = value
    end
  end
  return out
end

--- Returns an `env_var` method's variables and their descriptions.
---@return string[]
local function wanted(method)
  local out = {}
  for _, var in ipairs(type(method.vars) == "table" and method.vars or { { name = method.varName } }) do
    if type(var) == "table" and type(var.name) == "string" then
      local label = text.line(var.label, 80)
      table.insert(out, text.line(var.name, 80) .. (label ~= "" and (" (%s)"):format(label) or "") .. (var.optional == true and " (optional)" or ""))
    end
  end
  return out
end

--- Returns the login methods in the agent's `authMethods`. A terminal login is
--- the agent's own command with more arguments. Before the protocol supported
--- that, agents named a separate command.
---@param methods any
---@param agent string[] the command that started the agent
---@return turnwire.Way[]
function M.ways(methods, agent)
  local out, known = {}, {}
  for _, m in ipairs(type(methods) == "table" and methods or {}) do
    if type(m) == "table" and type(m.id) == "string" and not known[m.id] then
      local name = text.line(m.name, 80)
      local way = { id = m.id, name = name ~= "" and name or text.line(m.id, 80), description = text.line(m.description), env = {} }
      local about = type(m._meta) == "table" and m._meta or {}
      local meta = about["terminal-auth"]
      if m.type == "terminal" then
        way.command, way.env = vim.list_extend(vim.deepcopy(agent), strings(m.args)), variables(m.env)
      elseif type(meta) == "table" and type(meta.command) == "string" then
        way.command, way.env = vim.list_extend({ meta.command }, strings(meta.args)), variables(meta.env)
      elseif m.type == "env_var" then
        way.variables = wanted(m)
      end
      -- Turnwire lists a placeholder if no login is needed; don't offer it.
      local offered = about["turnwire.dev/no-login"] ~= true
      if offered and (way.command or way.variables or m.type == nil or m.type == "agent") then
        known[m.id] = true
        table.insert(out, way)
      end
    end
  end
  return out
end

---@param word string
local function quoted(word)
  return word:find("^[%w_@%%+=:,./-]+$") and word or "'" .. word:gsub("'", "'\\''") .. "'"
end

--- Describes a login method as lines of text.
---@param way turnwire.Way
---@return string
local function described(way)
  local lines = { "· " .. way.name }
  if way.description ~= "" then
    table.insert(lines, "    " .. way.description)
  end
  if way.command then
    local words = vim.tbl_map(quoted, way.command)
    local names = vim.tbl_keys(way.env)
    table.sort(names, function(a, b)
      return a > b
    end)
    for _, name in ipairs(names) do
      table.insert(words, 1, name .. "=" .. quoted(way.env[name]))
    end
    table.insert(lines, "    in a terminal: " .. table.concat(words, " "))
  elseif way.variables then
    table.insert(lines, "    set in Neovim's environment, or in `env` in setup(): " .. table.concat(way.variables, ", "))
  end
  return table.concat(lines, "\n")
end

---@class turnwire.Login
---@field chat turnwire.Chat
---@field over boolean
local Login = {}
Login.__index = Login

--- Offers a login. `done` is called once with the outcome.
---@param chat turnwire.Chat
---@param err table the agent's error
---@param done fun(logged_in: boolean)
---@return turnwire.Login
function M.offer(chat, err, done)
  local self = setmetatable({ chat = chat, done = done, ended = false }, Login)
  local ways = M.ways(chat.session.info.authMethods, chat.command)
  local lines = vim.tbl_map(described, ways)
  if #lines == 0 then
    lines = { "See the agent's documentation for how to log in." }
  end
  local why = require("turnwire.session").problem(err)
  self.notice = plain.notice("warning", "Login required: " .. why, table.concat(lines, "\n"))
  chat.transcript:add(self.notice)
  self.ways = vim.tbl_filter(function(way)
    return not way.variables
  end, ways)
  if #self.ways == 0 then
    self:_finish(false)
  else
    self:_menu()
  end
  return self
end

---@param logged_in boolean
function Login:_finish(logged_in)
  if self.ended then
    return
  end
  self.ended = true
  if self.stop then
    self.stop()
  end
  self.done(logged_in)
end

--- Withdraws the login, because the turn was cancelled or the agent is gone.
function Login:withdraw()
  self:_finish(false)
end

--- Scrolls the window so that the methods stay visible: the screen doesn't move
--- while a menu is open.
---@param free integer lines covered by the menu
---@return fun() hide
function Login:_show(free)
  self.chat.transcript:flush()
  if not require("turnwire.window").is_visible(self.chat.buf) then
    return require("turnwire.scratch").peek("login", self.notice.lines, free)
  end
  vim.cmd.redraw()
  return function() end
end

function Login:_menu()
  require("turnwire.dialogue").add({
    alive = function()
      return not self.ended
    end,
    run = function(done)
      local items = vim.list_extend({}, self.ways)
      table.insert(items, { name = "Not now" })
      local hide = self:_show(#items + 2)
      local function menu(chosen)
        vim.ui.select(items, {
          prompt = "Log in to continue:",
          kind = "turnwire",
          format_item = function(way)
            return way.name
          end,
        }, chosen)
      end
      require("turnwire.dialogue").answer(menu, function(way)
        hide()
        if way and way.id and not self.ended then
          self:_try(way)
        else
          self:_finish(false)
        end
        done()
      end)
    end,
  })
end

---@param way turnwire.Way
function Login:_try(way)
  if self.stop then
    self.stop() -- stop the previous attempt
    self.stop = nil
  end
  local function ended(problem)
    if self.ended then
      return
    elseif problem then
      self.chat.transcript:add(plain.notice("error", ("%s: %s"):format(way.name, problem)))
      self:_menu()
    else
      self.chat.transcript:add(plain.notice("info", "Logged in: " .. way.name))
      self:_finish(true)
    end
  end
  if way.command then
    self.stop = require("turnwire.terminal").run({
      name = way.name,
      command = way.command,
      cwd = self.chat.cwd,
      env = vim.tbl_extend("force", config.env, way.env),
    }, ended)
    return
  end
  local rpc = self.chat.session.rpc
  local id = rpc:request("authenticate", { methodId = way.id }, function(err)
    self.stop = nil
    ended(err and require("turnwire.session").problem(err))
  end)
  self.stop = function()
    rpc:notify("$/cancel_request", { requestId = id })
  end
end

return M
