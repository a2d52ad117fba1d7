-- The commands of Turnwire. Nothing else is loaded before one of them is used.

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

command("TurnwireCancel", function()
  require("turnwire").cancel()
end, { desc = "Cancel what the agent does" })

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
