--- A chat's turns: prompts are sent, or queued until the turn before has ended.

local mention = require("turnwire.mention")
local plain = require("turnwire.block.plain")
local session = require("turnwire.session")
local window = require("turnwire.window")

local M = {}

--- Abnormal ends of a turn: the notice, and why queued prompts are then held.
local ends = {
  cancelled = { "info", "Cancelled", "the turn was cancelled" },
  max_tokens = { "warning", "The agent stopped: it reached the token limit", "the agent stopped" },
  max_turn_requests = { "warning", "The agent stopped: it reached the limit of requests in one turn", "the agent stopped" },
  refusal = { "warning", "The agent refused to continue", "the agent refused to continue" },
}

---@param chat turnwire.Chat
---@param lines string
local function fill(chat, lines)
  chat.prompt:set(vim.split(lines, "\n", { plain = true }))
end

--- Sends the prompt, or queues it.
---@param chat turnwire.Chat
function M.submit(chat)
  local message, prompts = chat.prompt:get(), chat.prompts
  if prompts.edited then
    fill(chat, prompts:edit_done(message))
    M.advance(chat)
  elseif chat.prompt:is_empty() then
    if prompts.paused and not chat:is_busy() then
      M.go_on(chat)
    end
  elseif chat:is_busy() then
    chat.prompt:set({})
    prompts:add(message)
  else
    chat.prompt:set({})
    M.begin(chat, message)
  end
end

--- Starts a turn once the agent is ready.
---@param chat turnwire.Chat
---@param message string
function M.begin(chat, message)
  chat.asked = chat.transcript:add(plain.user(message))
  chat.transcript:flush()
  for _, win in ipairs(window.of(chat.buf)) do
    chat.prompt:focus(win)
  end
  if chat.ready then
    M.send(chat, message)
    return
  end
  chat.queued = message
  if not chat.session or chat.session.ended then
    chat:start()
  end
end

---@param chat turnwire.Chat
---@param message string
function M.send(chat, message)
  chat.plan = nil
  local before, made = chat.changes, require("turnwire.changes").new(chat.cwd)
  chat.changes = made
  chat.status:set("working")
  local id = require("turnwire.rewind").id()
  local said = chat.rewind:add({ id = id, text = message, block = chat.asked })
  chat.session:prompt(mention.blocks(message, chat.cwd), id, function(err, reason)
    chat:drop_confirmations()
    chat.transcript:finish()
    if #made.list == 0 then
      chat.changes = before -- a turn without changes leaves the previous turn's changes undoable
    else
      said.changes = made
      require("turnwire.undo").reload(made.list)
      chat.transcript:add(plain.notice("info", made:summary()))
    end
    if err and err.ended then
      return -- the process's exit explains more
    end
    local cancelling = chat.status.state == "cancelling"
    local stop = ends[err and cancelling and "cancelled" or not err and reason or ""]
    if stop then
      chat.transcript:add(plain.notice(stop[1], stop[2]))
    elseif err then
      chat.transcript:add(plain.notice("error", session.problem(err)))
    end
    chat.status:set("ready")
    M.ended(chat, cancelling and "the turn was cancelled" or stop and stop[3] or err and "the turn failed" or nil)
  end)
end

--- Called when a turn has ended: sends the next prompt unless something went
--- wrong.
---@param chat turnwire.Chat
---@param wrong string?
function M.ended(chat, wrong)
  local next_one = chat.send_next
  chat.send_next = nil
  if next_one then
    M.begin(chat, next_one)
    return
  end
  if wrong then
    chat.prompts:hold(wrong)
  end
  M.advance(chat)
end

--- Sends the next queued prompt, unless something prevents it.
---@param chat turnwire.Chat
function M.advance(chat)
  if chat.ready and not chat:is_busy() then
    local message = chat.prompts:take()
    if message then
      M.begin(chat, message)
    end
  end
end

--- Releases the held prompts.
---@param chat turnwire.Chat
function M.go_on(chat)
  chat.prompts:release()
  if chat.ready or chat:is_busy() then
    M.advance(chat)
    return
  end
  local message = chat.prompts:take()
  if message then
    M.begin(chat, message)
  end
end

--- Reports whether the agent reads messages in the running turn.
---@param chat turnwire.Chat
---@return boolean
function M.can_steer(chat)
  return chat.session ~= nil and chat.session.busy and chat.session:steers() and chat.status.state == "working"
end

--- The error code of a message that was not read before the turn was cancelled.
local cancelled = -32800

--- Sends a queued prompt into the running turn. If the agent doesn't read it there, it
--- is sent when the turn ends.
---@param chat turnwire.Chat
---@param item turnwire.Waiting
local function steer(chat, item)
  chat.prompts:set_sending(item, true)
  chat.session:steer(mention.blocks(item.text, chat.cwd), function(err, outcome)
    if chat.closed then
      return
    end
    chat.prompts:set_sending(item, false)
    if outcome == "injected" or outcome == "startedNewTurn" then
      chat.prompts:remove(item)
      chat.transcript:add(plain.user(item.text))
      chat.plan = nil -- the next one appears below
    elseif outcome == "promptRequired" then
      chat.prompts:hurry(item)
    elseif not (err and (err.code == cancelled or err.ended)) then
      local title = "The agent did not take the message during its turn. It stays in the queue"
      chat.transcript:add(plain.notice("warning", title, err and session.problem(err) or nil))
    end
    M.advance(chat)
  end)
end

--- Sends one queued prompt before all others: into the running turn if the agent reads
--- messages there, otherwise after cancelling it.
---@param chat turnwire.Chat
---@param item turnwire.Waiting
function M.send_now(chat, item)
  if vim.list_contains(chat.prompts.list, item) and M.can_steer(chat) then
    steer(chat, item)
    return
  end
  local message = chat.prompts:remove(item)
  if not message then
    return
  elseif not chat:is_busy() then
    M.begin(chat, message)
  elseif chat.session and chat.session.busy then
    if chat.send_next then
      table.insert(chat.prompts.list, 1, { text = chat.send_next })
    end
    M.cancel(chat)
    chat.send_next = message
    chat.prompts:release()
  else
    -- The agent isn't ready: send this prompt first once it is.
    table.insert(chat.prompts.list, 1, { text = message })
    chat.prompts:release()
  end
end

--- Cancels the turn: withdraws pending requests and notifies the agent.
---@param chat turnwire.Chat
function M.cancel(chat)
  chat.send_next = nil
  if chat.queued then
    chat.queued = nil
    chat.transcript:add(plain.notice("info", "Cancelled"))
    chat.prompts:hold("the turn was cancelled")
    chat:drop_login()
  elseif chat.session and chat.session.busy then
    chat.status:set("cancelling")
    chat.session:cancel()
    chat:drop_confirmations()
    chat:drop_login()
  else
    chat:drop_login()
  end
end

return M
