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
    return require("turnwire.arguments").chat(...)
  end,
  desc = "Open a chat; the arguments go to turnwire acp",
})

for name, about in pairs({
  sessions = "Choose one of the chats that there were, and open it",
  continue = "Open the chat that was used last in this folder",
  delete = "Choose one of the chats that there were, and delete it",
}) do
  command("Turnwire" .. name:sub(1, 1):upper() .. name:sub(2), function(c)
    require("turnwire")[name]({ args = c.fargs })
  end, {
    nargs = "*",
    complete = function(...)
      return require("turnwire.arguments").chat(...)
    end,
    desc = about,
  })
end

command("TurnwireRename", function(c)
  require("turnwire").rename(c.args)
end, { nargs = "*", desc = "Give the chat another title" })

command("TurnwireCancel", function()
  require("turnwire").cancel()
end, { desc = "Cancel what the agent does" })

command("TurnwireQueue", function()
  require("turnwire").queue()
end, { desc = "Edit, remove or send now what waits for its turn" })

command("TurnwireChanges", function()
  require("turnwire").changes()
end, { desc = "Show what the last turn has changed, in the quickfix list" })

command("TurnwireUndo", function()
  require("turnwire").undo()
end, { desc = "Take back what the last turn has changed" })

command("TurnwireAnswer", function()
  require("turnwire").answer()
end, { desc = "Answer what the agent asks" })

command("TurnwireStop", function()
  require("turnwire").stop()
end, { desc = "End the agent, and keep what was said" })

command("TurnwireRestart", function()
  require("turnwire").restart()
end, { desc = "Start the agent anew" })

command("TurnwireSet", function(c)
  require("turnwire").set(unpack(c.fargs))
end, {
  nargs = "*",
  complete = function(...)
    return require("turnwire.arguments").setting(...)
  end,
  desc = "Choose the mode, the model or another setting of the agent",
})

command("TurnwireLogout", function()
  require("turnwire").logout()
end, { desc = "Log out of the agent" })

command("TurnwireLog", function()
  require("turnwire").log()
end, { desc = "Show what the agent wrote to stderr, and what went wrong" })
