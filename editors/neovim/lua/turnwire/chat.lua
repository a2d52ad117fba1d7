--- A chat: one buffer, one session, and the connection between them.

local plain = require("turnwire.block.plain")
local session = require("turnwire.session")
local text = require("turnwire.text")
local turn = require("turnwire.turn")
local window = require("turnwire.window")

local M = {}

---@class turnwire.Chat
---@field buf integer
---@field cwd string
---@field command string[]
---@field transcript turnwire.Transcript
---@field prompt turnwire.Prompt
---@field status turnwire.Status
---@field confirmations turnwire.Confirmations
---@field session turnwire.Session?
---@field login turnwire.Login? a pending login
---@field tools table<string, turnwire.Tool>
---@field plan turnwire.Plan?
---@field commands table[] `AvailableCommand`s
---@field loading boolean? the agent is replaying earlier messages
---@field waiting fun()[] called when the agent is ready
---@field asked turnwire.Block? the last prompt
---@field queued string? the prompt to send when the agent is ready
---@field prompts turnwire.Prompts prompts queued behind that one, or behind a turn
---@field changes turnwire.Changes? the changes of this turn, or of the last one
---@field rewind turnwire.Rewind the messages from which the person can go on
---@field send_next string? the prompt to send when the cancelled turn has ended
local Chat = {}
Chat.__index = Chat

local count = 0

local function buffer(cwd)
  count = count + 1
  local buf = vim.api.nvim_create_buf(true, true)
  vim.api.nvim_buf_set_name(buf, ("turnwire://chat/%d/%s"):format(count, vim.fs.basename(cwd)))
  local o = vim.bo[buf]
  o.bufhidden, o.modeline, o.swapfile = "hide", false, false
  o.omnifunc = "v:lua.require'turnwire.complete'.omnifunc"
  o.synmaxcol = 500
  o.textwidth = 0 -- keep the prompt's line breaks as typed
  return buf
end

---@param command string[]
---@param cwd string
---@return turnwire.Chat
function M.new(command, cwd)
  require("turnwire.highlight").define()
  local self = setmetatable({ command = command, cwd = cwd, tools = {}, commands = {}, waiting = {}, rewind = require("turnwire.rewind").new() }, Chat)
  self.buf = buffer(cwd)
  self.transcript = require("turnwire.transcript").new(self.buf, function()
    self.prompt:draw()
  end)
  self.prompts = require("turnwire.prompts").new(function()
    self.prompt:draw()
  end)
  self.prompt = require("turnwire.prompt").new(self)
  self.status = require("turnwire.status").new(function()
    self.prompt:draw()
  end)
  self.confirmations = require("turnwire.confirmations").new(self)
  self.forms = {}
  self.header = plain.new("header", { "", "" }, { "TurnwireTitle", "TurnwireOutput" })
  self.transcript:add(self.header)
  self:set_title("Turnwire")
  self.transcript:flush()
  require("turnwire.keys").map(self)
  self:_watch()
  vim.bo[self.buf].filetype = "turnwire"
  return self
end

--- Registers the buffer's autocommands.
function Chat:_watch()
  local group = vim.api.nvim_create_augroup("turnwire.chat." .. self.buf, {})
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = self.buf, callback = callback })
  end
  -- The transcript must not be edited.
  on({ "CursorMoved", "CursorMovedI", "BufEnter", "WinEnter" }, function()
    self.prompt:protect()
  end)
  on({ "InsertEnter", "InsertLeave" }, function(event)
    self.prompt.writing = event.event == "InsertEnter"
    self.prompt:draw()
  end)
  on("BufWinEnter", function()
    for _, win in ipairs(window.of(self.buf)) do
      window.prepare(win)
    end
  end)
  on("BufEnter", function()
    require("turnwire.chats").used(self)
  end)
  vim.api.nvim_create_autocmd("WinResized", {
    group = group,
    callback = function()
      self:resized()
    end,
  })
  -- Pending requests must not disappear with the window.
  on("BufWinLeave", function()
    vim.schedule(function()
      if not self.closed and #self.confirmations.list > 0 and not window.is_visible(self.buf) then
        self.confirmations:offer()
      end
    end)
  end)
  on("BufUnload", function()
    self:close()
    vim.api.nvim_del_augroup_by_id(group)
  end)
end

--- Redraws what depends on the width.
function Chat:resized()
  local width = window.width(self.buf)
  if width == self.width then
    return
  end
  self.width = width
  self.transcript:resized()
  self.prompt:draw()
end

---@param title string
function Chat:set_title(title)
  local folder = vim.fn.fnamemodify(self.cwd, ":~")
  local agent = self.agent and self.agent .. " · " or ""
  self.header.lines = { title, agent .. folder }
  for i, line in ipairs(self.header.lines) do
    self.header.marks[i][1].to = #line
  end
  self.header.dirty = 1
  self.transcript:touch(self.header)
end

--- Starts the agent. It continues the previous session if possible.
function Chat:start()
  local old = self.session
  local previous = old and (old.begun and old.id or old.previous) or nil
  self.ready, self.plan = false, nil
  self.status:set("starting")
  self.session = session.start({
    command = self.command,
    cwd = self.cwd,
    previous = previous,
    listener = {
      on_ready = function(info, resumed)
        if old and not resumed then
          self.tools = {}
          self.transcript:add(plain.notice("info", "The agent started a new session. It does not remember the messages above, and its settings are reset"))
        end
        self:_ready(info)
      end,
      on_failed = function(problem)
        self:_ended("The agent is not running: " .. problem)
      end,
      on_update = function(update)
        require("turnwire.updates").apply(self, update)
      end,
      on_permission = function(params, request)
        self.confirmations:add(params, request)
      end,
      on_form = function(params, request)
        self:_form(params, request)
      end,
      on_login = function(err, done)
        self:_log_in(err, done)
      end,
      on_write = function(path, before, after)
        if self.changes then
          self.changes:add(path, before, after)
        end
      end,
      on_exit = function(code, signal)
        self:_ended(require("turnwire.process").stopped(code, signal))
      end,
    },
  })
end

function Chat:_ready(info)
  local agent = type(info.agentInfo) == "table" and info.agentInfo or {}
  self.agent = text.line(agent.title or agent.name, 60)
  self:set_title(self.header.lines[1])
  self.ready = true
  self.status:set_options(self.session.options:all())
  self.status:set("ready")
  local queued = self.queued
  self.queued = nil
  if queued then
    turn.send(self, queued)
  else
    turn.advance(self)
  end
  local waiting = self.waiting
  self.waiting = {}
  for _, go in ipairs(waiting) do
    go()
  end
end

--- Calls a function when the agent is ready.
---@param go fun()
function Chat:when_ready(go)
  if self.ready then
    go()
    return
  end
  table.insert(self.waiting, go)
  if not self.session or self.session.ended then
    self:start()
  end
end

--- Reports whether the chat is still empty.
---@return boolean
function Chat:is_fresh()
  return not self:is_busy() and not self.loading and not (self.session and self.session.begun)
end

function Chat:_ended(problem)
  if self.closed then
    return
  end
  local log = self.session and table.concat(self.session.stderr, "\n") or ""
  self:_stopped(plain.notice("error", problem, log))
end

--- Cleans up after the agent is gone: nothing that it started continues.
---@param notice turnwire.Block
function Chat:_stopped(notice)
  self:drop_confirmations()
  self:drop_login()
  for _, tool in pairs(self.tools) do
    if not tool:ended() then
      tool:update({ status = "failed", _meta = { ["turnwire.dev/cancelled"] = true } })
      self.transcript:touch(tool)
    end
  end
  self.transcript:add(notice)
  self.ready, self.queued, self.loading, self.waiting = false, nil, nil, {}
  if self.send_next then
    self.prompts:add(self.send_next)
    self.send_next = nil
  end
  self.prompts:hold("the agent stopped")
  self.status:set("ended")
end

--- Ends the agent's process. The transcript stays.
function Chat:stop()
  if self.session and not self.session.ended then
    self:drop_confirmations()
    self.session:cancel()
    self.session:stop()
    self:_stopped(plain.notice("info", "The agent was stopped"))
  end
end

--- Restarts the agent.
function Chat:restart()
  self:stop()
  self:start()
end

function Chat:_form(params, request)
  require("turnwire.form").open(params, request, function(question, answer)
    self.forms[request] = nil
    if not self.closed then
      local title = require("turnwire.form").ask(question) .. (answer and text.line(answer) or "not answered")
      self.transcript:add(plain.new("answer", { require("turnwire.config").signs.user .. " " .. title }, "TurnwireUser"))
    end
  end)
  if not request.answered then
    self.forms[request] = true
  end
end

--- Offers a login that the agent needs before it can continue.
function Chat:_log_in(err, done)
  local before = self.status.state
  if before == "cancelling" then
    done(false)
    return
  end
  self.status:set("login")
  local login = require("turnwire.login").offer(self, err, function(logged_in)
    self.login = nil
    if self.status.state == "login" and not self.closed then
      self.status:set(before)
    end
    done(logged_in)
  end)
  self.login = not login.ended and login or nil
end

--- Logs out of the agent, if it supports that.
function Chat:log_out()
  if not self.ready or not self.session:can_log_out() then
    vim.notify("Turnwire: this agent does not support logging out", vim.log.levels.WARN)
    return
  end
  self.session:log_out(function(problem)
    if not self.closed then
      self.transcript:add(plain.notice(problem and "error" or "info", problem or "Logged out"))
    end
  end)
end

--- Answers everything that waits for the person with "cancelled".
function Chat:drop_confirmations()
  self.confirmations:cancel_all()
  for request in pairs(self.forms) do
    request.on_cancel()
  end
end

--- Withdraws a pending login.
function Chat:drop_login()
  if self.login then
    self.login:withdraw()
  end
end

---@return boolean
function Chat:is_busy()
  return self.queued ~= nil or self.login ~= nil or self.loading ~= nil or (self.session ~= nil and self.session.busy)
end

function Chat:submit()
  turn.submit(self)
end

function Chat:cancel()
  turn.cancel(self)
end

--- Moves the cursor to a confirmation.
---@param confirmation turnwire.Confirmation? defaults to the first one
function Chat:go_to_confirmation(confirmation)
  confirmation = confirmation or self.confirmations.list[1]
  if confirmation and not confirmation.request.answered then
    vim.api.nvim_win_set_cursor(0, { confirmation.block.row + confirmation.block.drawn, 2 })
  end
end

--- Ends everything. Called when the buffer is deleted, and when Neovim exits.
function Chat:close()
  if self.closed then
    return
  end
  self.closed = true
  self:drop_confirmations()
  self.status:stop()
  if self.session and not self.session.ended then
    self.session:cancel()
    self.session:stop()
  end
  self:drop_login()
  require("turnwire.chats").forget(self)
end

return M
