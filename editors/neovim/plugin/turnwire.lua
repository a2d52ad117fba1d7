-- Turnwire's commands. Everything else is loaded on first use.

if vim.g.loaded_turnwire then
  return
end
vim.g.loaded_turnwire = true

if vim.fn.has("nvim-0.10") == 0 then
  vim.api.nvim_create_user_command("Turnwire", function()
    vim.notify("Turnwire needs Neovim 0.10 or later", vim.log.levels.ERROR)
  end, { nargs = "*", bang = true })
  return
end

local command = vim.api.nvim_create_user_command

command("Turnwire", function(c)
  require("turnwire").open({ args = c.fargs, new = c.bang })
end, {
  nargs = "*",
  bang = true,
  complete = function(...)
    return require("turnwire.completion").chat(...)
  end,
  desc = "Open a chat; the arguments go to turnwire acp",
})

command("TurnwireAgents", function()
  require("turnwire").agents()
end, { desc = "Choose an agent and chat with it" })

for name, about in pairs({
  sessions = "Choose a saved chat and open it",
  continue = "Continue the last chat in this folder",
  delete = "Choose a saved chat and delete it",
}) do
  command("Turnwire" .. name:sub(1, 1):upper() .. name:sub(2), function(c)
    require("turnwire")[name]({ args = c.fargs })
  end, {
    nargs = "*",
    complete = function(...)
      return require("turnwire.completion").chat(...)
    end,
    desc = about,
  })
end

command("TurnwireRename", function(c)
  require("turnwire").rename(c.args)
end, { nargs = "*", desc = "Rename the chat" })

command("TurnwireCancel", function()
  require("turnwire").cancel()
end, { desc = "Cancel the turn" })

command("TurnwireQueue", function()
  require("turnwire").queue()
end, { desc = "Edit, remove or send a queued prompt" })

command("TurnwireChanges", function()
  require("turnwire").changes()
end, { desc = "List the last turn's changes in the quickfix list" })

command("TurnwireUndo", function()
  require("turnwire").undo()
end, { desc = "Undo the last turn's changes" })

command("TurnwireRewind", function()
  require("turnwire").rewind()
end, { desc = "Edit an earlier message and go on from there in a new chat" })

command("TurnwireAnswer", function()
  require("turnwire").answer()
end, { desc = "Answer the agent's request in a menu" })

command("TurnwireStop", function()
  require("turnwire").stop()
end, { desc = "Stop the agent and keep the chat" })

command("TurnwireRestart", function()
  require("turnwire").restart()
end, { desc = "Restart the agent" })

command("TurnwireSet", function(c)
  require("turnwire").set(unpack(c.fargs))
end, {
  nargs = "*",
  complete = function(...)
    return require("turnwire.completion").setting(...)
  end,
  desc = "Choose the agent's mode, model or another setting",
})

command("TurnwireLogout", function()
  require("turnwire").logout()
end, { desc = "Log out of the agent" })

command("TurnwireLog", function()
  require("turnwire").log()
end, { desc = "Show the agent's stderr output and errors" })
