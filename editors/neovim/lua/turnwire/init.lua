--- Turnwire: chat with any agent next to your code.
---
--- This is the plugin's whole interface, for the commands and for configurations. See
--- |turnwire|.

local M = {}

--- Changes the defaults. The plugin also works without it.
---@param options table? see |turnwire-config|
function M.setup(options)
  require("turnwire.config").set(options or {})
end

--- Opens a chat, or shows the open chat for this folder and agent.
---@param options { args: string[]?, new: boolean?, cwd: string? }?
---@return integer buffer
function M.open(options)
  return require("turnwire.chats").open(options or {})
end

--- Lets the person choose an agent, and opens a chat with it.
---@param options { cwd: string? }?
function M.agents(options)
  require("turnwire.agents").choose(options or {})
end

--- Lets the person choose a saved session and opens it.
---@param options { args: string[]?, cwd: string? }?
function M.sessions(options)
  require("turnwire.sessions").open(options or {})
end

--- Opens the most recently used chat of this folder.
---@param options { args: string[]?, cwd: string? }?
function M.continue(options)
  require("turnwire.sessions").continue(options or {})
end

--- Lets the person choose a saved session and deletes it.
---@param options { args: string[]?, cwd: string? }?
function M.delete(options)
  require("turnwire.sessions").delete(options or {})
end

--- Renames the current chat.
---@param title string? asks for it if unset
function M.rename(title)
  require("turnwire.chats").with_current(function(chat)
    require("turnwire.sessions").rename(chat, title)
  end)
end

--- Cancels the current chat's turn.
function M.cancel()
  require("turnwire.chats").with_current(function(chat)
    chat:cancel()
  end)
end

--- Lets the person choose a queued prompt to edit, send now or remove.
function M.queue()
  require("turnwire.chats").with_current(function(chat)
    require("turnwire.waiting").choose(chat)
  end)
end

--- Shows the last turn's changes in the quickfix list.
function M.changes()
  require("turnwire.chats").with_current(function(chat)
    local made = require("turnwire.undo").changes(chat)
    if made then
      made:quickfix()
    end
  end)
end

--- Undoes the last turn's changes.
function M.undo()
  require("turnwire.chats").with_current(function(chat)
    require("turnwire.undo").run(chat)
  end)
end

--- Goes on from an earlier message in a new chat.
function M.rewind()
  require("turnwire.chats").with_current(function(chat)
    require("turnwire.rewind").run(chat)
  end)
end

--- Shows the agent's pending requests again, in a menu.
function M.answer()
  require("turnwire.chats").with_current(function(chat)
    chat.confirmations:offer()
  end)
end

--- Ends the current chat's agent.
function M.stop()
  require("turnwire.chats").with_current(function(chat)
    chat:stop()
  end)
end

--- Restarts the current chat's agent.
function M.restart()
  require("turnwire.chats").with_current(function(chat)
    chat:restart()
  end)
end

--- Changes one of the agent's settings, or lets the person choose one.
---@param setting string?
---@param value string?
function M.set(setting, value)
  require("turnwire.chats").with_current(function(chat)
    require("turnwire.settings").choose(chat, setting, value)
  end)
end

--- Logs out of the current chat's agent.
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
