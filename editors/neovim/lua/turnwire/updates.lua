--- Shows each `session/update` in the chat.

local plain = require("turnwire.block.plain")
local text = require("turnwire.text")

local M = {}

--- Returns a handler for a piece of a message. The piece extends the current block
--- if it continues the same message.
local function chunk(kind)
  ---@param chat turnwire.Chat
  return function(chat, update)
    local content = type(update.content) == "table" and update.content or {}
    local piece
    if content.type == "text" then
      piece = type(content.text) == "string" and content.text or ""
    else
      piece = "\n" .. table.concat(require("turnwire.block.details").content(content), "\n") .. "\n"
    end
    local id = type(update.messageId) == "string" and update.messageId or nil
    chat.rewind:agent(id)
    local block = chat.transcript:last()
    if not block or not block.continues or not block:continues(kind, id) then
      if not piece:find("%S") then
        return -- white space alone is not a message
      end
      block = chat.transcript:add(require("turnwire.block.message").new(kind, id))
    end
    block:append(piece)
    chat.transcript:touch(block)
  end
end

---@param chat turnwire.Chat
local function tool(chat, update)
  local id = update.toolCallId
  if type(id) ~= "string" then
    return
  end
  chat.rewind:agent(id)
  local block = chat.tools[id]
  if not block then
    local meta = type(update._meta) == "table" and update._meta or {}
    local parent = chat.tools[meta["turnwire.dev/parentToolCallId"]]
    block = require("turnwire.block.tool").new(id, parent and math.min(parent.depth + 1, 8) or 0, chat.cwd)
    chat.tools[id] = block
    block:update(update)
    chat.transcript:add(block)
  else
    block:update(update)
    chat.transcript:touch(block)
  end
  if chat.changes and not chat.loading then
    chat.changes:add_call(block.call)
  end
end

---@type table<string, fun(chat: turnwire.Chat, update: table)>
local handlers = {
  agent_message_chunk = chunk("agent"),
  agent_thought_chunk = chunk("thought"),
  tool_call = tool,
  tool_call_update = tool,
}

--- Reports whether an agent repeats the prompt of a live turn, as Mistral Vibe does.
---@param chat turnwire.Chat
---@param lines string[]
---@return boolean
local function repeats(chat, lines)
  local last = chat.transcript:last()
  return not chat.loading
    and chat.session.busy
    and last ~= nil
    and last.kind == "user"
    and vim.deep_equal(last.lines, plain.user(table.concat(lines, "\n")).lines)
end

--- Shows the person's message. When a saved chat is replayed, all parts of a prompt
--- form one message.
function handlers.user_message_chunk(chat, update)
  local content = type(update.content) == "table" and update.content or {}
  local lines = require("turnwire.block.details").content(content)
  local id, message = update.messageId, chat.user_message
  if #lines == 0 or repeats(chat, lines) then
    return
  elseif not message or id == nil or message.id ~= id or chat.transcript:last() ~= message.block then
    local all = table.concat(lines, "\n")
    chat.user_message = { id = id, lines = lines, block = chat.transcript:add(plain.user(all)) }
    chat.user_message.said = chat.rewind:add({ id = type(id) == "string" and id or nil, text = all, block = chat.user_message.block })
    chat.plan = nil
    return
  elseif content.type == "resource_link" and table.concat(message.lines, "\n"):find("@" .. tostring(content.name), 1, true) then
    return -- the text already mentions it
  end
  vim.list_extend(message.lines, lines)
  message.said.text = table.concat(message.lines, "\n")
  message.block:set(message.said.text)
  chat.transcript:touch(message.block)
end

--- Each turn has one plan, which changes in place.
function handlers.plan(chat, update)
  if not chat.plan then
    chat.plan = require("turnwire.block.plan").new()
    chat.plan:set(update.entries)
    chat.transcript:add(chat.plan)
    return
  end
  chat.plan:set(update.entries)
  chat.transcript:touch(chat.plan)
end

function handlers.available_commands_update(chat, update)
  chat.commands = vim.tbl_filter(function(command)
    return type(command) == "table" and type(command.name) == "string"
  end, type(update.availableCommands) == "table" and update.availableCommands or {})
end

function handlers.session_info_update(chat, update)
  if type(update.title) == "string" then
    chat:set_title(text.line(update.title, 80))
  end
end

function handlers.cursor_update(chat, update)
  chat.rewind:update(update)
end

function handlers.usage_update(chat, update)
  chat.status:set_usage(update)
end

function handlers.config_option_update(chat)
  chat.status:set_options(chat.session.options:all())
end

handlers.current_mode_update = handlers.config_option_update

function handlers.notice(chat, update)
  chat.transcript:add(plain.notice(update.severity, update.title, update.description))
end

function handlers.compaction_update(chat, update)
  local summary = {}
  for _, block in ipairs(type(update.summary) == "table" and update.summary or {}) do
    vim.list_extend(summary, require("turnwire.block.details").content(block))
  end
  if update.status == "failed" then
    chat.transcript:add(plain.notice("error", "The conversation could not be compacted", update.error))
  elseif update.status == "completed" then
    chat.transcript:add(plain.notice("info", "The conversation was compacted", table.concat(summary, "\n")))
  end
end

--- Applies an update. Ignores unknown kinds.
---@param chat turnwire.Chat
---@param update table
function M.apply(chat, update)
  local handler = handlers[update.sessionUpdate]
  if handler then
    handler(chat, update)
  end
end

return M
