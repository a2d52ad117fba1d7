--- A child process with line-based stdin and stdout.
---
--- Its lines are delivered on the main loop, in order, and its exit comes after
--- all of them. Every child ends with Neovim: closing its stdin tells Turnwire
--- to stop, and a child that doesn't stop is killed.

local M = {}

--- A longer line is a mistake, not a message.
local longest = 64 * 1024 * 1024

--- Milliseconds. Turnwire promises to exit within two seconds.
local patience = 2500

--- Most calls that may wait for the main loop before reading pauses. The process
--- then notices, and merges its output or waits.
local most_waiting = 2000

--- Milliseconds after the exit. Don't wait longer for other processes that hold
--- the pipes.
local linger = 500

---@class turnwire.Process
---@field private exited boolean
local Process = {}
Process.__index = Process

---@type table<turnwire.Process, true>
local running = {}

---@class turnwire.ProcessSpec
---@field command string[]
---@field cwd string
---@field env table<string, string>
---@field on_line fun(line: string)
---@field on_stderr fun(line: string)
---@field on_exit fun(code: integer, signal: integer)

--- Describes an exit in the same words as Turnwire.
---@param code integer
---@param signal integer 0 if no signal ended the process
---@return string
function M.stopped(code, signal)
  local killed = signal ~= 0
  return ("The agent stopped (%s %d)."):format(killed and "signal:" or "exit status", killed and signal or code)
end

--- Returns a function that splits a stream's pieces into lines.
---@param emit fun(line: string)
---@return fun(data: string?)
local function splitter(emit)
  local pieces, size = {}, 0
  return function(data)
    if not data then
      if size > 0 then
        emit(table.concat(pieces))
      end
      pieces, size = {}, 0
      return
    end
    local from = 1
    while true do
      local at = data:find("\n", from, true)
      if not at then
        break
      end
      table.insert(pieces, data:sub(from, at - 1))
      emit(table.concat(pieces))
      pieces, size, from = {}, 0, at + 1
    end
    if from <= #data and size <= longest then
      table.insert(pieces, data:sub(from))
      size = size + #data - from + 1
    end
  end
end

--- Returns a child's environment, without the address at which Neovim's children
--- reach it. An agent that can type into the editor could answer for the person.
---@param more table<string, string>
---@return string[]
local function environment(more)
  local out, all = {}, vim.tbl_extend("force", vim.fn.environ(), more)
  all.NVIM, all.NVIM_LISTEN_ADDRESS = nil, nil
  for name, value in pairs(all) do
    table.insert(out, name .. "=" .. value)
  end
  return out
end

---@param pipe uv.uv_pipe_t
local function close(pipe)
  if not pipe:is_closing() then
    pipe:close()
  end
end

---@param spec turnwire.ProcessSpec
---@return turnwire.Process?
---@return string? problem
function M.start(spec)
  local program = require("turnwire.program").find(spec.command[1])
  if not program then
    return nil, spec.command[1] .. " was not found in PATH"
  end
  local self = setmetatable({ exited = false, pipes = {}, paused = false }, Process)
  self.queue = require("turnwire.queue").new({
    failed = function(problem)
      spec.on_stderr("turnwire.nvim: " .. problem)
    end,
    most = most_waiting,
    full = function(full)
      self:_pause(full)
    end,
  })
  self.stdin = vim.uv.new_pipe()
  self.pipes = { vim.uv.new_pipe(), vim.uv.new_pipe() }
  local handle, pid = vim.uv.spawn(program, {
    args = vim.list_slice(spec.command, 2),
    cwd = spec.cwd,
    env = environment(spec.env),
    stdio = { self.stdin, unpack(self.pipes) },
    hide = true,
  }, function(code, signal)
    self.handle:close()
    close(self.stdin)
    self.exited, self.code, self.signal = true, code, signal
    self:_settle()
  end)
  if not handle then
    for _, pipe in ipairs({ self.stdin, unpack(self.pipes) }) do
      close(pipe)
    end
    return nil, (tostring(pid):gsub("^%w+: ", ""))
  end
  self.handle, self.on_exit = handle, spec.on_exit
  self.splitters = { self:_splitter(spec.on_line), self:_splitter(spec.on_stderr) }
  running[self] = true
  self:_read()
  return self
end

--- Returns a function that splits a stream's data into lines.
---@param receive fun(line: string)
function Process:_splitter(receive)
  return splitter(function(line)
    self.queue(function()
      receive(line)
    end)
  end)
end

function Process:_read()
  for i, pipe in ipairs(self.pipes) do
    if not pipe:is_closing() then
      pipe:read_start(function(_, data)
        self.active = true
        self.splitters[i](data)
        if not data then
          close(pipe)
          self:_settle()
        end
      end)
    end
  end
end

--- Pauses reading while the editor has a backlog.
---@param paused boolean
function Process:_pause(paused)
  self.paused = paused
  if not paused then
    self:_read()
    return
  end
  for _, pipe in ipairs(self.pipes) do
    if not pipe:is_closing() then
      pipe:read_stop()
    end
  end
end

--- Reports the exit after all output was read. Silence is enough, because a
--- descendant may keep the pipes open.
function Process:_settle()
  if not self.exited or self.settled then
    return
  end
  if self.pipes[1]:is_closing() and self.pipes[2]:is_closing() then
    self.settled = true
    self.queue(function()
      running[self] = nil
      self.on_exit(self.code, self.signal)
    end)
  elseif not self.timer then
    self.timer = vim.uv.new_timer()
    self.timer:start(linger, linger, function()
      if not self.active and not self.paused then
        self.splitters[1]()
        self.splitters[2]()
        close(self.pipes[1])
        close(self.pipes[2])
      end
      self.active = false
      self:_settle()
      if self.settled then
        self.timer:close()
      end
    end)
  end
end

--- Writes a line. Returns false if the process can no longer read it.
---@param line string
---@return boolean
function Process:write(line)
  if self.exited or self.stopping then
    return false
  end
  return self.stdin:write(line .. "\n") ~= nil
end

--- Asks the process to exit, and kills it if it doesn't.
function Process:stop()
  if self.exited or self.stopping then
    return
  end
  self.stopping = true
  -- Close stdin after all pending writes.
  local closes = self.stdin:shutdown(function()
    close(self.stdin)
  end)
  if not closes then
    close(self.stdin)
  end
  vim.defer_fn(function()
    self:_kill()
  end, patience)
end

function Process:_kill()
  if not self.exited then
    self.handle:kill("sigkill")
  end
end

--- Ends every process and waits for their exits.
function M.stop_all()
  for process in pairs(running) do
    process:stop()
  end
  vim.wait(patience, function()
    for process in pairs(running) do
      if not process.exited then
        return false
      end
    end
    return true
  end, 5)
  for process in pairs(running) do
    process:_kill()
  end
end

vim.api.nvim_create_autocmd("VimLeavePre", {
  group = vim.api.nvim_create_augroup("turnwire.process", {}),
  -- Close the chats first: they still answer pending requests.
  callback = function()
    require("turnwire.chats").close_all()
    M.stop_all()
  end,
})

return M
