--- Turnwire: a chat with any agent, beside the code.
---
--- This is the whole interface of the plugin: what the commands call, and what
--- a configuration may call. See |turnwire|.

local M = {}

--- Changes the defaults. Not needed to use the plugin.
---@param options table? see |turnwire-config|
function M.setup(options)
  require("turnwire.config").set(options or {})
end

--- Opens a chat, or shows the one that is open for this folder and agent.
---@param options { args: string[]?, new: boolean?, cwd: string? }?
---@return integer buffer
function M.open(options)
  return require("turnwire.chats").open(options or {})
end

--- Lets the person choose one of the chats that there were, and opens it.
---@param options { args: string[]?, cwd: string? }?
function M.sessions(options)
  require("turnwire.sessions").open(options or {})
end

--- Opens the chat that was used last in this folder.
---@param options { args: string[]?, cwd: string? }?
function M.continue(options)
  require("turnwire.sessions").continue(options or {})
end

--- Lets the person choose one of the chats that there were, and deletes it.
---@param options { args: string[]?, cwd: string? }?
function M.delete(options)
  require("turnwire.sessions").delete(options or {})
end

--- Gives the current chat another title.
---@param title string? asked for, unless given
function M.rename(title)
  require("turnwire.chats").with_current(function(chat)
    require("turnwire.sessions").rename(chat, title)
  end)
end

--- Cancels the turn of the current chat.
function M.cancel()
  require("turnwire.chats").with_current(function(chat)
    chat:cancel()
  end)
end

--- Lets the person choose one of the prompts that wait: to edit it, to send it now, or
--- to remove it.
function M.queue()
  require("turnwire.chats").with_current(function(chat)
    require("turnwire.waiting").choose(chat)
  end)
end

--- Shows what the last turn has changed, in the quickfix list.
function M.changes()
  require("turnwire.chats").with_current(function(chat)
    local made = require("turnwire.undo").changes(chat)
    if made then
      made:quickfix()
    end
  end)
end

--- Takes back what the last turn has changed.
function M.undo()
  require("turnwire.chats").with_current(function(chat)
    require("turnwire.undo").run(chat)
  end)
end

--- Asks again, in a menu, what the agent waits for.
function M.answer()
  require("turnwire.chats").with_current(function(chat)
    chat.asks:offer()
  end)
end

--- Ends the agent of the current chat.
function M.stop()
  require("turnwire.chats").with_current(function(chat)
    chat:stop()
  end)
end

--- Starts the agent of the current chat anew.
function M.restart()
  require("turnwire.chats").with_current(function(chat)
    chat:restart()
  end)
end

--- Changes a setting of the agent, or lets the person choose.
---@param setting string?
---@param value string?
function M.set(setting, value)
  require("turnwire.chats").with_current(function(chat)
    require("turnwire.settings").choose(chat, setting, value)
  end)
end

--- Logs out of the agent of the current chat.
function M.logout()
  require("turnwire.chats").with_current(function(chat)
    chat:log_out()
  end)
end

--- Shows what the agents wrote to stderr.
function M.log()
  require("turnwire.log").show()
end

return M
