--- The agent's saved chats: listed, opened, renamed and deleted.

local chats = require("turnwire.chats")
local saved = require("turnwire.saved")
local plain = require("turnwire.block.plain")
local text = require("turnwire.text")

local M = {}

local function tell(message, level)
  vim.notify("Turnwire: " .. message, level or vim.log.levels.INFO)
end

--- Converts an RFC 3339 time to seconds since 1970, in UTC.
---@param time any
---@return integer?
local function seconds(time)
  local year, month, day, hour, minute, second = tostring(time):match("^(%d%d%d%d)-(%d%d)-(%d%d)[Tt](%d%d):(%d%d):(%d%d)")
  if not year then
    return nil
  end
  local at = os.time({ year = year, month = month, day = day, hour = hour, min = minute, sec = second, isdst = false })
  local utc = os.date("!*t", at)
  utc.isdst = false
  return at + os.difftime(at, os.time(utc))
end

--- Formats an age briefly.
---@param time any
---@param now integer?
---@return string
function M.age(time, now)
  local at = seconds(time)
  if not at then
    return ""
  end
  local minutes = math.floor(((now or os.time()) - at) / 60)
  if minutes < 1 then
    return "now"
  elseif minutes < 60 then
    return ("%d min ago"):format(minutes)
  elseif minutes < 24 * 60 then
    return ("%d h ago"):format(math.floor(minutes / 60))
  elseif minutes < 30 * 24 * 60 then
    return ("%d d ago"):format(math.floor(minutes / 60 / 24))
  end
  return tostring(os.date("%Y-%m-%d", at))
end

---@param info table
---@return string
local function title(info)
  local line = text.line(info.title, 80)
  return line ~= "" and line or "untitled"
end

--- Lists the agent's chats in this folder.
---@param options { args: string[]?, cwd: string? }
---@param use fun(chat: turnwire.Chat, list: table[], rest: string?)
local function with_list(options, use)
  local chat = assert(chats.of(chats.open(options)))
  chat:when_ready(function()
    if not saved.keeps(chat.session) then
      tell("this agent does not save chats", vim.log.levels.WARN)
      return
    end
    saved.list(chat.session, nil, function(problem, list, rest)
      if chat.closed then
        return
      elseif problem then
        tell("the chats could not be listed: " .. problem, vim.log.levels.ERROR)
      elseif #list == 0 then
        tell("no saved chat in this folder")
      else
        use(chat, list, rest)
      end
    end)
  end)
end

---@param chat turnwire.Chat
---@param list table[]
---@param rest string? the cursor for the remaining ones
---@param prompt string
---@param use fun(info: table)
local function choose(chat, list, rest, prompt, use)
  local older = {}
  vim.ui.select(vim.list_extend(vim.list_slice(list), rest and { older } or {}), {
    prompt = prompt,
    kind = "turnwire",
    format_item = function(info)
      if info == older then
        return "  Older chats …"
      end
      local age = M.age(info.updatedAt)
      local sign = chats.with_session(info.sessionId) and "● " or "  "
      return sign .. title(info) .. (age ~= "" and " · " .. age or "")
    end,
  }, function(info)
    if info == older then
      saved.list(chat.session, rest, function(problem, more, further)
        if problem then
          tell("the chats could not be listed: " .. problem, vim.log.levels.ERROR)
        else
          choose(chat, more, further, prompt, use)
        end
      end)
    elseif info then
      use(info)
    end
  end)
end

--- Loads a saved chat into an empty one, shows its messages and continues it.
---@param chat turnwire.Chat
---@param info table `SessionInfo`
function M.load(chat, info)
  chat.loading = true
  chat.status:set("loading")
  saved.load(chat.session, info.sessionId, function(problem)
    chat.loading, chat.user_message, chat.plan = nil, nil, nil
    chat.transcript:finish()
    if problem then
      chat.transcript:add(plain.notice("error", "The chat could not be opened: " .. problem))
    elseif type(info.title) == "string" then
      chat:set_title(text.line(info.title, 80))
    end
    chat.status:set_options(chat.session.options:all())
    chat.status:set("ready")
    if not chat.closed then
      chat.transcript:flush()
      require("turnwire.window").settle(chat)
    end
    require("turnwire.turn").advance(chat)
  end)
end

--- Shows a saved chat: in the buffer that has it open, in an empty chat, or in
--- a new one.
---@param chat turnwire.Chat
---@param info table
local function open(chat, info)
  local there = chats.with_session(info.sessionId)
  if there then
    require("turnwire.window").show(there)
    chats.used(there)
    return
  end
  chat = chat:is_fresh() and chat or chats.beside(chat)
  chat:when_ready(function()
    M.load(chat, info)
  end)
end

--- Lets the person choose a saved chat and opens it.
---@param options { args: string[]?, cwd: string? }
function M.open(options)
  with_list(options, function(chat, list, rest)
    choose(chat, list, rest, "Chats in " .. vim.fn.fnamemodify(chat.cwd, ":~") .. ":", function(info)
      open(chat, info)
    end)
  end)
end

--- Opens the most recently used chat.
---@param options { args: string[]?, cwd: string? }
function M.continue(options)
  with_list(options, function(chat, list)
    open(chat, list[1])
  end)
end

--- Lets the person choose a saved chat, and deletes it after a confirmation.
---@param options { args: string[]?, cwd: string? }
function M.delete(options)
  with_list(options, function(chat, list, rest)
    if not saved.can_delete(chat.session) then
      tell("this agent does not support deleting chats", vim.log.levels.WARN)
      return
    end
    choose(chat, list, rest, "Delete a chat", function(info)
      local name = title(info)
      vim.ui.select({ "Keep", "Delete" }, { prompt = ("Delete %q? This cannot be undone"):format(name), kind = "turnwire" }, function(answer)
        if answer == "Delete" then
          M._delete(chat, info.sessionId, name)
        end
      end)
    end)
  end)
end

---@param chat turnwire.Chat
---@param id string
---@param name string
function M._delete(chat, id, name)
  -- If a chat is open here, the process that has it deletes it.
  local there = chats.with_session(id)
  local by = there or chat
  if not by.session or by.session.ended then
    tell("the agent is not running", vim.log.levels.ERROR)
    return
  end
  saved.delete(by.session, id, function(problem)
    if problem then
      tell(("%q could not be deleted: %s"):format(name, problem), vim.log.levels.ERROR)
      return
    end
    if there and not there.closed then
      vim.api.nvim_buf_delete(there.buf, { force = true })
    end
    tell(("%q was deleted"):format(name))
  end)
end

--- Renames a chat.
---@param chat turnwire.Chat
---@param wanted string?
function M.rename(chat, wanted)
  if not chat.ready or not saved.can_rename(chat.session) then
    tell("this agent does not support renaming chats", vim.log.levels.WARN)
    return
  elseif not wanted or wanted == "" then
    vim.ui.input({ prompt = "Title: ", default = chat.header.lines[1] }, function(given)
      if given and given:find("%S") then
        M.rename(chat, given)
      end
    end)
    return
  end
  saved.rename(chat.session, chat.session.id, wanted, function(problem)
    if problem then
      tell("the chat could not be renamed: " .. problem, vim.log.levels.ERROR)
    elseif not chat.closed then
      chat:set_title(text.line(wanted, 80))
    end
  end)
end

return M
