--- Saved sessions: what an agent can do with them, and the requests for it.

local M = {}

--- Most sessions listed at once. Listing is expensive: for each page, the agent
--- reads all sessions.
local at_once = 200

local function problem(err)
  return require("turnwire.session").problem(err)
end

--- Returns what the agent can do with saved sessions.
---@param session turnwire.Session
---@return { list: boolean, load: boolean, resume: boolean, delete: boolean, close: boolean, title: boolean }
function M.can(session)
  local function has(t, name)
    return type(t) == "table" and t[name] ~= nil and t[name] ~= false
  end
  local can = type(session.info) == "table" and session.info.agentCapabilities or {}
  local sessions, meta = type(can) == "table" and can.sessionCapabilities or {}, type(can) == "table" and can._meta or {}
  return {
    list = has(sessions, "list"),
    load = has(can, "loadSession"),
    resume = has(sessions, "resume"),
    delete = has(sessions, "delete"),
    close = has(sessions, "close"),
    title = has(sessions, "title") or has(meta, "turnwire.dev/title"),
  }
end

--- Reports whether the agent's chats can be found and reopened.
---@param session turnwire.Session
---@return boolean
function M.keeps(session)
  local can = M.can(session)
  return can.list and can.load
end

---@param session turnwire.Session
---@return boolean
function M.can_delete(session)
  return M.can(session).delete
end

---@param session turnwire.Session
---@return boolean
function M.can_rename(session)
  return M.can(session).title
end

--- Lists this folder's sessions, most recently used first. `rest` is a cursor for
--- the remaining ones.
---@param session turnwire.Session
---@param from string? the cursor of an earlier list
---@param done fun(problem: string?, list: table[], rest: string?)
function M.list(session, from, done)
  local found, seen = {}, {}
  local function page(cursor)
    session.rpc:request("session/list", { cwd = session.cwd, cursor = cursor }, function(err, result)
      if err or type(result) ~= "table" then
        done(err and problem(err) or "the agent sent an invalid response", {})
        return
      end
      local before = #found
      for _, info in ipairs(type(result.sessions) == "table" and result.sessions or {}) do
        if type(info) == "table" and type(info.sessionId) == "string" and not seen[info.sessionId] then
          seen[info.sessionId] = true
          table.insert(found, info)
        end
      end
      local rest = result.nextCursor
      -- Stop when a page adds nothing; the list would never end.
      rest = type(rest) == "string" and rest ~= "" and #found > before and rest or nil
      if rest and #found < at_once then
        page(rest)
      else
        done(nil, found, rest)
      end
    end)
  end
  page(from)
end

--- Loads a saved session into this one; the agent replays its messages. If that
--- fails, nothing changes.
---@param session turnwire.Session
---@param id string
---@param done fun(problem: string?)
function M.load(session, id, done)
  local before = session.id
  session.id, session.loading = id, true
  session.rpc:request("session/load", { sessionId = id, cwd = session.cwd, mcpServers = {} }, function(err, result)
    session.loading = false
    if session.ended then
      return
    elseif err then
      session.id = before
      done(problem(err))
      return
    end
    session.begun = true
    session.options:update(type(result) == "table" and result or {})
    if M.can(session).close then
      session.rpc:request("session/close", { sessionId = before }, function() end) -- the previous session was empty
    end
    done()
  end)
end

---@param session turnwire.Session
---@param id string
---@param title string
---@param done fun(problem: string?)
function M.rename(session, id, title, done)
  session.rpc:request("session/set_title", { sessionId = id, title = title }, function(err)
    done(err and problem(err) or nil)
  end)
end

---@param session turnwire.Session
---@param id string
---@param done fun(problem: string?)
function M.delete(session, id, done)
  session.rpc:request("session/delete", { sessionId = id }, function(err)
    done(err and problem(err) or nil)
  end)
end

return M
