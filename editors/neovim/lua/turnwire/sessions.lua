--- Chats that there were, kept by the agent: listed, opened, renamed and deleted.

local chats = require("turnwire.chats")
local kept = require("turnwire.kept")
local plain = require("turnwire.block.plain")
local text = require("turnwire.text")

local M = {}

local function tell(message, level)
  vim.notify("Turnwire: " .. message, level or vim.log.levels.INFO)
end

--- Seconds since 1970 of a time as RFC 3339 has it, in UTC.
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

--- How long ago, in few letters.
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

--- The chats of the agent in this folder.
---@param options { args: string[]?, cwd: string? }
---@param use fun(chat: turnwire.Chat, list: table[], rest: string?)
local function with_list(options, use)
  local chat = assert(chats.of(chats.open(options)))
  chat:when_ready(function()
    if not kept.keeps(chat.session) then
      tell("this agent does not keep its chats", vim.log.levels.WARN)
      return
    end
    kept.list(chat.session, nil, function(problem, list, rest)
      if chat.closed then
        return
      elseif problem then
        tell("the chats could not be listed: " .. problem, vim.log.levels.ERROR)
      elseif #list == 0 then
        tell("there is no chat in this folder to go on with")
      else
        use(chat, list, rest)
      end
    end)
  end)
end

---@param chat turnwire.Chat
---@param list table[]
---@param rest string? where the rest of them begins
---@param prompt string
---@param use fun(info: table)
local function choose(chat, list, rest, prompt, use)
  local older = {}
  vim.ui.select(vim.list_extend(vim.list_slice(list), rest and { older } or {}), {
    prompt = prompt,
    kind = "turnwire",
    format_item = function(info)
      if info == older then
        return "  older ones …"
      end
      local age = M.age(info.updatedAt)
      local sign = chats.with_session(info.sessionId) and "● " or "  "
      return sign .. title(info) .. (age ~= "" and " · " .. age or "")
    end,
  }, function(info)
    if info == older then
      kept.list(chat.session, rest, function(problem, more, further)
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

--- Shows what was said in a chat, in one in which nothing was said yet, and goes on with it.
---@param chat turnwire.Chat
---@param info table `SessionInfo`
function M.load(chat, info)
  chat.loading = true
  chat.status:set("loading")
  kept.load(chat.session, info.sessionId, function(problem)
    chat.loading, chat.said, chat.plan = nil, nil, nil
    chat.transcript:finish()
    if problem then
      chat.transcript:add(plain.notice("error", "The chat cannot be opened: " .. problem))
    elseif type(info.title) == "string" then
      chat:set_title(text.line(info.title, 80))
    end
    chat.status:set_options(chat.session.options:all())
    chat.status:set("ready")
    require("turnwire.turn").advance(chat)
  end)
end

--- Shows a chat: in the buffer that has it, in one in which nothing was said, or in a new one.
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

--- Lets the person choose a chat, and opens it.
---@param options { args: string[]?, cwd: string? }
function M.open(options)
  with_list(options, function(chat, list, rest)
    choose(chat, list, rest, "Chats in " .. vim.fn.fnamemodify(chat.cwd, ":~") .. ":", function(info)
      open(chat, info)
    end)
  end)
end

--- Opens the chat that was used last.
---@param options { args: string[]?, cwd: string? }
function M.continue(options)
  with_list(options, function(chat, list)
    open(chat, list[1])
  end)
end

--- Lets the person choose a chat, and deletes it when they are sure.
---@param options { args: string[]?, cwd: string? }
function M.delete(options)
  with_list(options, function(chat, list, rest)
    if not kept.can_delete(chat.session) then
      tell("this agent cannot delete its chats", vim.log.levels.WARN)
      return
    end
    choose(chat, list, rest, "Delete a chat", function(info)
      local name = title(info)
      vim.ui.select({ "Keep it", "Delete it" }, { prompt = ("Delete %q? It cannot be brought back"):format(name), kind = "turnwire" }, function(answer)
        if answer == "Delete it" then
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
  -- One that is open here is deleted by the process that has it.
  local there = chats.with_session(id)
  local by = there or chat
  if not by.session or by.session.over then
    tell("the agent does not run any more", vim.log.levels.ERROR)
    return
  end
  kept.delete(by.session, id, function(problem)
    if problem then
      tell(("%q is not deleted: %s"):format(name, problem), vim.log.levels.ERROR)
      return
    end
    if there and not there.closed then
      vim.api.nvim_buf_delete(there.buf, { force = true })
    end
    tell(("%q is deleted"):format(name))
  end)
end

--- Gives the chat another title.
---@param chat turnwire.Chat
---@param wanted string?
function M.rename(chat, wanted)
  if not chat.ready or not kept.can_rename(chat.session) then
    tell("this agent cannot rename its chats", vim.log.levels.WARN)
    return
  elseif not wanted or wanted == "" then
    vim.ui.input({ prompt = "Title: ", default = chat.header.lines[1] }, function(given)
      if given and given:find("%S") then
        M.rename(chat, given)
      end
    end)
    return
  end
  kept.rename(chat.session, chat.session.id, wanted, function(problem)
    if problem then
      tell("the title is as it was: " .. problem, vim.log.levels.ERROR)
    elseif not chat.closed then
      chat:set_title(text.line(wanted, 80))
    end
  end)
end

return M
