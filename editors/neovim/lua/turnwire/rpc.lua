--- JSON-RPC 2.0 over a process's lines, with requests in both directions.
---
--- Each request from the agent gets exactly one response. Malformed messages,
--- unexpected responses and unknown notifications are logged and otherwise
--- ignored.

local M = {}

M.method_not_found = -32601
M.invalid_params = -32602
M.internal_error = -32603
M.not_found = -32002

---@class turnwire.Request a request from the agent
---@field line string the message as it was received
---@field on_cancel fun()? called when the agent withdraws it
local Request = {}
Request.__index = Request

---@param message table
function Request:_answer(message)
  if self.answered then
    return
  end
  self.answered = true
  self.peer.incoming[self.id] = nil
  message.jsonrpc, message.id = "2.0", self.id
  self.peer:_send(message)
end

---@param result table? defaults to an empty object
function Request:reply(result)
  self:_answer({ result = result or vim.empty_dict() })
end

---@param code integer
---@param message string
function Request:fail(code, message)
  self:_answer({ error = { code = code, message = message } })
end

---@class turnwire.Rpc
---@field incoming table<integer|string, turnwire.Request>
---@field private pending table<integer, fun(err: table?, result: any)>
local Rpc = {}
Rpc.__index = Rpc

---@class turnwire.RpcSpec
---@field command string[]
---@field cwd string
---@field env table<string, string>
---@field requests table<string, fun(params: table, request: turnwire.Request)>
---@field notifications table<string, fun(params: table)>
---@field on_exit fun(code: integer, signal: integer)
---@field log fun(line: string)

---@param spec turnwire.RpcSpec
---@return turnwire.Rpc?
---@return string? problem
function M.start(spec)
  local self = setmetatable({ spec = spec, incoming = {}, pending = {}, last = 0 }, Rpc)
  local problem
  self.process, problem = require("turnwire.process").start({
    command = spec.command,
    cwd = spec.cwd,
    env = spec.env,
    on_line = function(line)
      self:_receive(line)
    end,
    on_stderr = spec.log,
    on_exit = function(code, signal)
      local pending = self.pending
      self.pending, self.incoming = {}, {}
      for _, done in pairs(pending) do
        done({ code = M.internal_error, message = "the process exited", ended = true })
      end
      spec.on_exit(code, signal)
    end,
  })
  if not self.process then
    return nil, problem
  end
  return self
end

--- Drop null members of objects; a null in a list must not end the list.
local options = { luanil = { object = true } }

--- Half a surrogate pair is valid JSON for many parsers, but not for Neovim's.
---@param line string
---@param options table
---@return boolean
---@return any
local function parse(line, options)
  local ok, value = pcall(vim.json.decode, line, options)
  if not ok and line:find("\\u[dD]") then
    line = line:gsub("(\\+)u[dD][89a-fA-F]%x%x", function(slashes)
      return #slashes % 2 == 1 and slashes .. "ufffd" or nil
    end)
    ok, value = pcall(vim.json.decode, line, options)
  end
  return ok, value
end

--- Returns the `_meta` object of the tool call in a message, or nil.
---@param message any
---@return table?
local function call_meta(message)
  for _, member in ipairs({ "update", "toolCall" }) do
    local meta = vim.tbl_get(message, "params", member, "_meta")
    if type(meta) == "table" then
      return meta
    end
  end
end

--- Decodes a message without its nulls. Only a tool call's `_meta` keeps them as vim.NIL,
--- because there a null removes a key.
---@param line string
---@return boolean
---@return any
function M.decode(line)
  local ok, message = parse(line, options)
  local meta = ok and type(message) == "table" and line:find("null", 1, true) and call_meta(message)
  if meta then
    local _, whole = parse(line, {})
    for key, value in pairs(call_meta(whole) or {}) do
      if value == vim.NIL then
        meta[key] = value
      end
    end
  end
  return ok, message
end

function Rpc:_send(message)
  return self.process:write(vim.json.encode(message))
end

function Rpc:_receive(line)
  if not line:find("%S") then
    return
  end
  local ok, message = M.decode(line)
  if not ok or type(message) ~= "table" then
    self.spec.log("turnwire.nvim: invalid message: " .. line:sub(1, 200))
    return
  end
  if type(message.method) == "string" then
    local params = type(message.params) == "table" and message.params or {}
    if message.id == nil then
      self:_notified(message.method, params)
    else
      self:_asked(message.method, params, message.id, line)
    end
    return
  end
  local done = message.id ~= nil and self.pending[message.id]
  if not done then
    self.spec.log("turnwire.nvim: unexpected response: " .. line:sub(1, 200))
    return
  end
  self.pending[message.id] = nil
  done(type(message.error) == "table" and message.error or nil, message.result)
end

function Rpc:_notified(method, params)
  if method == "$/cancel_request" then
    local request = params.requestId ~= nil and self.incoming[params.requestId]
    if request and request.on_cancel then
      request.on_cancel()
    end
    return
  end
  local handler = self.spec.notifications[method]
  if handler then
    handler(params)
  end
end

function Rpc:_asked(method, params, id, line)
  local request = setmetatable({ peer = self, id = id, line = line }, Request)
  self.incoming[id] = request
  local handler = self.spec.requests[method]
  if not handler then
    request:fail(M.method_not_found, "unknown method " .. method)
    return
  end
  local ok, err = xpcall(handler, debug.traceback, params, request)
  if not ok then
    self.spec.log("turnwire.nvim: " .. tostring(err))
    request:fail(M.internal_error, method .. " failed in the editor")
  end
end

--- Sends a request to the agent.
---@param method string
---@param params table
---@param done fun(err: table?, result: any)
---@return integer id
function Rpc:request(method, params, done)
  self.last = self.last + 1
  local id = self.last
  self.pending[id] = done
  if not self:_send({ jsonrpc = "2.0", id = id, method = method, params = params }) then
    self.pending[id] = nil
    done({ code = M.internal_error, message = "the process exited", ended = true })
  end
  return id
end

---@param method string
---@param params table
function Rpc:notify(method, params)
  self:_send({ jsonrpc = "2.0", method = method, params = params })
end

--- Ends the process. Its pending requests fail when it exits.
function Rpc:stop()
  self.process:stop()
end

return M
