--- Goes on from an earlier message of the person, in a new chat. The chat stays as it is.
---
--- The agent announces cursors: positions at which its session can be forked, before a
--- message of the person, or after one of the agent's.

local text = require("turnwire.text")

--- Most cursors of a chat.
local most = 10000

local M = {}

---@class turnwire.Said
---@field id string? the message's id
---@field text string
---@field block turnwire.Block
---@field cursor string? the position before it
---@field changes turnwire.Changes? what its turn changed

---@class turnwire.Rewind
---@field said turnwire.Said[]
---@field last string? the id of the agent's latest message or tool call
---@field ahead string? the position after that
---@field forks table<string, boolean> whether a session can be forked at a cursor now
---@field known integer the number of cursors
local Rewind = {}
Rewind.__index = Rewind

---@return turnwire.Rewind
function M.new()
  return setmetatable({ said = {}, forks = {}, known = 0 }, Rewind)
end

--- Returns a new id for a message.
---@return string
function M.id()
  return (vim.uv.random(12):gsub(".", function(c)
    return ("%02x"):format(c:byte())
  end))
end

--- Adds a message of the person.
---@param said turnwire.Said
---@return turnwire.Said
function Rewind:add(said)
  said.cursor, self.ahead, self.last = self.ahead, nil, nil
  table.insert(self.said, said)
  return said
end

--- Notes that something of the agent follows.
---@param id any the id of the message or tool call
function Rewind:agent(id)
  if id == nil or id ~= self.last then
    self.ahead = nil
  end
  self.last = id
end

--- Applies a `cursor_update`. A malformed one announces nothing.
---@param update table
function Rewind:update(update)
  local id, anchor = update.cursorId, update.anchor
  if type(id) ~= "string" or (self.forks[id] == nil and self.known >= most) then
    return
  end
  if self.forks[id] == nil then
    self.known, self.forks[id] = self.known + 1, false
  end
  if update.capabilities ~= nil then
    self.forks[id] = type(update.capabilities) == "table" and type(update.capabilities.fork) == "table"
  end
  if type(anchor) ~= "table" then
    return
  end
  local at = anchor.messageId or anchor.toolCallId
  if anchor.position == "after" and at ~= nil and at == self.last then
    self.ahead = id
  elseif anchor.position == "before" and anchor.type == "user_message" and at ~= nil then
    for _, said in ipairs(self.said) do
      if said.id == at then
        said.cursor = id
      end
    end
  end
end

--- Returns the messages at which the session can be forked, the newest first.
---@return turnwire.Said[]
function Rewind:possible()
  local all = {}
  for _, said in ipairs(self.said) do
    if said.cursor and self.forks[said.cursor] then
      table.insert(all, 1, said)
    end
  end
  return all
end

local function tell(message, level)
  vim.notify("Turnwire: " .. message, level or vim.log.levels.WARN)
end

--- Returns the turns from a message on that changed files, the latest first.
---@param chat turnwire.Chat
---@param from turnwire.Said
---@return turnwire.Changes[]
local function changed(chat, from)
  local all, found = {}, false
  for _, said in ipairs(chat.rewind.said) do
    found = found or said == from
    if found and said.changes and #said.changes.list > 0 then
      table.insert(all, 1, said.changes)
    end
  end
  return all
end

---@param chat turnwire.Chat
---@param said turnwire.Said
---@param undone turnwire.Changes[] the turns to undo
local function go(chat, said, undone)
  chat.session:fork(said.cursor, function(problem, id)
    if chat.closed then
      return
    elseif problem then
      tell("the chat was not forked: " .. problem, vim.log.levels.ERROR)
      return
    end
    local function open()
      local next_chat = require("turnwire.chats").beside(chat)
      next_chat.prompt:set(vim.split(said.text, "\n", { plain = true }))
      next_chat:when_ready(function()
        require("turnwire.sessions").load(next_chat, { sessionId = id })
      end)
    end
    local function undo()
      local made = table.remove(undone, 1)
      if made then
        require("turnwire.undo").put_back(chat, made, undo)
      else
        open()
      end
    end
    undo()
  end)
end

--- Goes on from a message, after asking whether the later changes stay.
---@param chat turnwire.Chat
---@param said turnwire.Said
local function offer(chat, said)
  local turns = changed(chat, said)
  if #turns == 0 then
    go(chat, said, {})
    return
  end
  local keep, undo = "Edit and go on from here", "Edit and go on from here, and undo the later changes"
  vim.ui.select({ keep, undo }, { prompt = text.line(said.text, 60), kind = "turnwire" }, function(answer)
    if answer then
      go(chat, said, answer == undo and turns or {})
    end
  end)
end

--- Goes on from the message under the cursor, or else from one that the person chooses.
---@param chat turnwire.Chat
function M.run(chat)
  local possible = chat.rewind:possible()
  if not chat.ready or #possible == 0 then
    tell("this agent can't go on from an earlier message")
    return
  elseif chat:is_busy() then
    tell("the agent is still working")
    return
  end
  local here = vim.api.nvim_get_current_buf() == chat.buf and chat.transcript:at(vim.api.nvim_win_get_cursor(0)[1] - 1) or nil
  for _, said in ipairs(possible) do
    if here and said.block == here then
      offer(chat, said)
      return
    end
  end
  vim.ui.select(possible, {
    prompt = "Edit and go on from:",
    kind = "turnwire",
    format_item = function(said)
      return text.line(said.text, 80)
    end,
  }, function(said)
    if said then
      offer(chat, said)
    end
  end)
end

return M
