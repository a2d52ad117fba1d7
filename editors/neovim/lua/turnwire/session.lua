--- One Agent Client Protocol session with its own process.
---
--- It knows the protocol but no buffers; a listener receives its events.

local config = require("turnwire.config")
local greeting = require("turnwire.greeting")
local saved = require("turnwire.saved")
local rpc = require("turnwire.rpc")

local M = {}

---@class turnwire.Listener
---@field on_ready fun(info: table, resumed: boolean)
---@field on_failed fun(problem: string) the session could not be started
---@field on_update fun(update: table)
---@field on_permission fun(params: table, request: turnwire.Request)
---@field on_login fun(err: table, done: fun(logged_in: boolean)) the agent needs a login first
---@field on_form fun(params: table, request: turnwire.Request)
---@field on_write (fun(path: string, before: string|false|nil, after: string|false|nil))? the agent wrote a file
---@field on_exit fun(code: integer, signal: integer)

---@class turnwire.Session
---@field cwd string
---@field id string?
---@field busy boolean
---@field info table? the `initialize` response
---@field stderr string[] the last lines of the process's stderr
---@field options turnwire.Options
---@field begun boolean the session has messages, so it can be continued
---@field loading boolean the agent is replaying the session's messages
---@field over boolean ended; the listener gets no more calls
local Session = {}
Session.__index = Session

--- Milliseconds that an agent has to report its capabilities again.
local patience = 5000

--- The error code for a missing login.
local login_wanted = -32000

--- The error code for a session that another process has open.
M.not_free = -32600

--- Most lines of stderr that explain why a process exited.
local last_words = 5

--- Returns an error's message, with its cause if it has one.
---@param err table
---@return string
function M.problem(err)
  local text = require("turnwire.text")
  local message = text.visible(err.message)
  local details = type(err.data) == "table" and text.visible(err.data.details) or ""
  if details ~= "" and message:lower() == "internal error" then
    message = details -- the message only names the code
  elseif details ~= "" and not message:find(details, 1, true) then
    message = message .. ": " .. details
  end
  return message ~= "" and message or "the agent failed without a message"
end

---@param spec { command: string[], cwd: string, listener: turnwire.Listener, previous: string? } `previous` is the session to continue
---@return turnwire.Session
function M.start(spec)
  local self = setmetatable({
    cwd = spec.cwd,
    listener = spec.listener,
    previous = spec.previous,
    begun = false,
    loading = false,
    busy = false,
    ended = false,
    options = require("turnwire.options").new(),
    stderr = {},
  }, Session)
  local function mine(handler)
    return function(params, request)
      if self.ended or params.sessionId ~= self.id then
        request:fail(rpc.invalid_params, "unknown session")
        return
      end
      handler(params, request)
    end
  end
  local fs = require("turnwire.fs")
  local problem
  self.rpc, problem = rpc.start({
    command = spec.command,
    cwd = spec.cwd,
    env = config.env,
    log = function(line)
      require("turnwire.log").add(line)
      table.insert(self.stderr, line:sub(1, 500))
      if #self.stderr > last_words then
        table.remove(self.stderr, 1)
      end
    end,
    notifications = {
      ["session/update"] = function(params)
        if not self.ended and params.sessionId == self.id and type(params.update) == "table" then
          self:_update(params.update)
        end
      end,
    },
    requests = {
      ["session/request_permission"] = mine(spec.listener.on_permission),
      ["elicitation/create"] = mine(spec.listener.on_form),
      ["fs/read_text_file"] = mine(function(params, request)
        fs.read(params, request, self.cwd)
      end),
      ["fs/write_text_file"] = mine(function(params, request)
        fs.write(params, request, self.cwd, spec.listener.on_write)
      end),
    },
    on_exit = function(code, signal)
      if not self.ended then
        self.ended = true
        self.listener.on_exit(code, signal)
      end
    end,
  })
  if not self.rpc then
    self.ended = true
    self.listener.on_failed(("could not start %s: %s"):format(spec.command[1], problem))
    return self
  end
  self:_begin()
  return self
end

--- Sends a request that the agent must answer in time.
function Session:_ask(method, params, done)
  local timer = vim.defer_fn(function()
    self:_fail("the agent did not respond in time")
  end, config.start_timeout)
  self.rpc:request(method, params, function(err, result)
    if not timer:is_closing() then
      timer:close()
    end
    if self.ended then
      return
    end
    done(err, result)
  end)
end

function Session:_begin()
  self:_ask("initialize", greeting.params(), function(err, info)
    if err or type(info) ~= "table" then
      self:_fail(err and M.problem(err) or "the agent sent an invalid response", err)
      return
    elseif info.protocolVersion ~= 1 then
      self:_fail("the agent uses a different protocol version")
      return
    end
    self.info = info
    self:_note_steering(info)
    self:_open()
  end)
end

--- Continues the previous session if the agent supports that, otherwise starts
--- a new one.
function Session:_open()
  local can = saved.can(self)
  local method = can.resume and "session/resume" or can.load and "session/load"
  if not self.previous or not method then
    self:_new()
    return
  end
  self.id = self.previous
  self.muted = true -- the chat already shows what the agent replays
  self:_place(method, { sessionId = self.id }, function(err, result)
    self.muted = false
    if err then
      self.id = nil
      if err.code == M.not_free then
        self:_fail(M.problem(err), err)
      else
        self:_new()
      end
      return
    end
    self.begun = true
    self:_note_steering(result)
    self.options:update(type(result) == "table" and result or {})
    self.listener.on_ready(self.info, true)
  end)
end

function Session:_new()
  self:_place("session/new", {}, function(err, result)
    if err or type(result) ~= "table" or type(result.sessionId) ~= "string" then
      self:_fail(err and M.problem(err) or "the agent sent an invalid response", err)
      return
    end
    self.id = result.sessionId
    self:_note_steering(result)
    self.options:update(result)
    self.listener.on_ready(self.info, false)
  end)
end

--- Opens a session, after a login if the agent needs one.
---@param method string
---@param params table
---@param done fun(err: table?, result: any)
function Session:_place(method, params, done)
  params.cwd, params.mcpServers = self.cwd, {}
  self:_ask(method, params, function(err, result)
    if err and err.code == login_wanted then
      self:_log_in(err, function()
        self:_place(method, params, done)
      end, function()
        self:_fail(M.problem(err))
      end)
      return
    end
    done(err, result)
  end)
end

--- Lets the person log in, then repeats what needed the login.
function Session:_log_in(err, again, failed)
  local methods = self.info.authMethods
  if type(methods) ~= "table" or #methods == 0 then
    -- Turnwire answers for an agent that starts slowly, and may know more by
    -- now.
    local offered = false
    local function offer(_, info)
      if not offered and not self.ended then
        offered = true
        self.info = type(info) == "table" and info or self.info
        self:_offer_login(err, again, failed)
      end
    end
    self.rpc:request("initialize", greeting.params(), offer)
    vim.defer_fn(offer, patience)
    return
  end
  self:_offer_login(err, again, failed)
end

function Session:_offer_login(err, again, failed)
  self.listener.on_login(err, function(logged_in)
    if logged_in and not self.ended then
      again()
    else
      failed()
    end
  end)
end

--- Logs out of the agent.
---@param done fun(problem: string?)
function Session:log_out(done)
  self.rpc:request("logout", vim.empty_dict(), function(err)
    done(err and M.problem(err) or nil)
  end)
end

---@return boolean
function Session:can_log_out()
  local can = self.info and self.info.agentCapabilities
  return type(can) == "table" and type(can.auth) == "table" and type(can.auth.logout) == "table"
end

--- Ends the session and reports the problem, unless the process exited: then
--- `on_exit` explains more.
function Session:_fail(problem, err)
  if self.ended or (err and err.ended) then
    return
  end
  self.ended = true
  self.rpc:stop()
  self.listener.on_failed(problem)
end

function Session:_update(update)
  if update.sessionUpdate == "config_option_update" or update.sessionUpdate == "current_mode_update" then
    self.options:update(update)
  elseif update.sessionUpdate == "session_info_update" then
    self:_note_steering(update)
  end
  if self.muted then
    return
  end
  self.listener.on_update(update)
end

--- Starts a turn.
---@param blocks table[] `ContentBlock`s
---@param id string the message's id
---@param done fun(err: table?, reason: string?)
function Session:prompt(blocks, id, done)
  self.busy, self.begun = true, true
  local params = { sessionId = self.id, prompt = blocks, _meta = { ["turnwire.dev/messageId"] = id } }
  self.rpc:request("session/prompt", params, function(err, result)
    if err and err.code == login_wanted and not self.ended then
      self:_log_in(err, function()
        self:prompt(blocks, id, done)
      end, function()
        self.busy = false
        if not self.ended then
          done(err)
        end
      end)
      return
    end
    self.busy = false
    if self.ended then
      return
    end
    local reason = type(result) == "table" and result.stopReason or nil
    done(err, type(reason) == "string" and reason or nil)
  end)
end

--- Forks the session at a cursor, and closes the fork: another process opens it.
---@param cursor string
---@param done fun(problem: string?, id: string?)
function Session:fork(cursor, done)
  local params = { sessionId = self.id, cursorId = cursor, cwd = self.cwd, mcpServers = {} }
  self.rpc:request("session/fork", params, function(err, result)
    local id = type(result) == "table" and result.sessionId or nil
    if err or type(id) ~= "string" then
      done(err and M.problem(err) or "the agent sent an invalid response")
      return
    end
    self.rpc:request("session/close", { sessionId = id }, function()
      done(nil, id)
    end)
  end)
end

--- Reports whether the agent reads messages during a turn.
---@return boolean
function Session:steers()
  return self.steerable == true
end

--- Applies what a response or an update says about messages during a turn.
---@param said any
function Session:_note_steering(said)
  local supported = type(said) == "table" and vim.tbl_get(said, "_meta", "steering", "supported")
  if type(supported) == "boolean" then
    self.steerable = supported
  end
end

--- Sends a message during the turn.
---@param blocks table[] `ContentBlock`s
---@param done fun(err: table?, outcome: string?) called when the agent has read it, or won't
function Session:steer(blocks, done)
  local params = { sessionId = self.id, prompt = blocks, _meta = { steering = { idleBehavior = "promptRequired" } } }
  self.rpc:request("_session/steering", params, function(err, result)
    local outcome = type(result) == "table" and result.outcome or nil
    done(err, type(outcome) == "string" and outcome or nil)
  end)
end

--- Asks the agent to cancel the turn. It then ends with the prompt's response.
function Session:cancel()
  if self.busy and not self.ended then
    self.rpc:notify("session/cancel", { sessionId = self.id })
  end
end

---@param option table one of the session's options
---@param value string|boolean
---@param done fun(problem: string?)
function Session:set_option(option, value, done)
  local method, params = "session/set_config_option", { sessionId = self.id, configId = option.id, value = value }
  if option.is_mode then
    method, params = "session/set_mode", { sessionId = self.id, modeId = value }
  elseif type(value) == "boolean" then
    params.type = "boolean"
  end
  self.rpc:request(method, params, function(err, result)
    if not err and option.is_mode then
      self.options:update({ currentModeId = value })
    elseif not err and type(result) == "table" then
      self.options:update(result)
    end
    done(err and M.problem(err) or nil)
  end)
end

--- Ends the session. Pending requests to the agent get no response.
function Session:stop()
  self.ended = true
  if self.rpc then
    self.rpc:stop()
  end
end

return M
