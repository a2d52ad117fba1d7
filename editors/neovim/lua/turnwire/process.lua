--- A child process that speaks lines on its stdin and stdout.
---
--- Its lines are handed over on the main loop, in order, and its exit behind
--- all of them. Every child ends with Neovim: its stdin is closed, which is how
--- Turnwire is told to stop, and what does not stop then is killed.

local M = {}

--- A line longer than this is no message but a mistake.
local longest = 64 * 1024 * 1024

--- Turnwire promises to end within two seconds.
local patience = 2500

---@class turnwire.Process
---@field private child vim.SystemObj
---@field private over boolean
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

--- Returns a function that takes pieces of a stream and emits its lines.
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

---@param spec turnwire.ProcessSpec
---@return turnwire.Process?
---@return string? problem
function M.start(spec)
  local self = setmetatable({ over = false }, Process)
  local post = require("turnwire.queue").new(function(problem)
    spec.on_stderr("turnwire.nvim: " .. problem)
  end)
  local function stream(take)
    local feed = splitter(function(line)
      post(function()
        take(line)
      end)
    end)
    return function(_, data)
      feed(data)
    end
  end
  local ok, child = pcall(vim.system, spec.command, {
    cwd = spec.cwd,
    -- Neovim would tell its children where to reach it, and an agent that can
    -- type into the editor could answer for the person.
    env = vim.tbl_extend("force", { NVIM = "" }, spec.env),
    stdin = true,
    stdout = stream(spec.on_line),
    stderr = stream(spec.on_stderr),
  }, function(result)
    self.over = true
    post(function()
      running[self] = nil
      spec.on_exit(result.code, result.signal)
    end)
  end)
  if not ok then
    return nil, (tostring(child):gsub("^.-:%d+: ", ""))
  end
  self.child = child
  running[self] = true
  return self
end

--- Writes a line; false if the process cannot read it any more.
---@param line string
---@return boolean
function Process:write(line)
  if self.over or self.stopping then
    return false
  end
  return (pcall(self.child.write, self.child, line .. "\n"))
end

--- Asks the process to end, and sees to it that it does.
function Process:stop()
  if self.over or self.stopping then
    return
  end
  self.stopping = true
  pcall(self.child.write, self.child, nil)
  vim.defer_fn(function()
    if not self.over then
      pcall(self.child.kill, self.child, "sigkill")
    end
  end, patience)
end

--- Ends every process, and waits until they have.
function M.stop_all()
  for process in pairs(running) do
    process:stop()
  end
  vim.wait(patience, function()
    for process in pairs(running) do
      if not process.over then
        return false
      end
    end
    return true
  end, 5)
  for process in pairs(running) do
    if not process.over then
      pcall(process.child.kill, process.child, "sigkill")
    end
  end
end

vim.api.nvim_create_autocmd("VimLeavePre", {
  group = vim.api.nvim_create_augroup("turnwire.process", {}),
  -- Behind the chats', which answer what is still asked.
  callback = function()
    require("turnwire.chats").close_all()
    M.stop_all()
  end,
})

return M
