-- Everything but the chat: commands, help, health, configuration.

local h = require("helper")

return {
  {
    ":Turnwire opens a chat, and its arguments go to the agent",
    function()
      local folder = h.folder({ ["lines"] = '{"type":"done","text":"from the agent","stopReason":"end_turn"}\n' })
      vim.cmd.cd(folder)
      vim.cmd("Turnwire -- sh " .. vim.env.TURNWIRE_TEST .. "/agents/stream.sh " .. folder .. "/lines")
      local chat = assert(require("turnwire.chats").of(vim.api.nvim_get_current_buf()))
      h.send(chat, "hello")
      h.done(chat)
      h.contains(h.text(chat.buf), "from the agent")
      vim.cmd.cd(vim.env.TURNWIRE_SCRATCH)
    end,
  },
  {
    ":Turnwire takes an agent by its name, and completes it",
    function()
      local function offers(line)
        return vim.fn.getcompletion(line, "cmdline")
      end
      h.equal({ "workspace" }, offers("Turnwire --agent wo"))
      h.equal({ "workspace" }, offers("Turnwire! -a wo"))
      h.equal({ "--agent=workspace" }, offers("Turnwire --agent=wo"))
      h.equal({ "sh" }, vim.tbl_filter(function(name)
        return name == "sh"
      end, offers("Turnwire -- s")))
      local folder = h.folder({ ["agent file"] = "" })
      vim.cmd.cd(folder)
      h.equal({ "agent\\ file" }, offers("Turnwire -- sh ag"))
      vim.cmd("Turnwire --agent workspace")
      local chat = assert(require("turnwire.chats").of(vim.api.nvim_get_current_buf()))
      h.send(chat, "/say by name")
      h.done(chat)
      h.contains(h.text(chat.buf), "\nby name\n")
      require("turnwire").setup({ command = { "no-such-turnwire" } })
      h.equal({}, offers("Turnwire --agent "))
      vim.cmd.cd(vim.env.TURNWIRE_SCRATCH)
    end,
  },
  {
    "the program completes its flags and their values",
    function()
      local function offers(line)
        return vim.fn.getcompletion(line, "cmdline")
      end
      local folder = h.folder({ ["agents.json"] = "{}" })
      vim.cmd.cd(folder)
      local usage = vim.system({ vim.env.TURNWIRE, "acp", "--help" }):wait().stdout
      local flags = {}
      for flag in usage:gmatch("%-%-[%w-]+") do
        flags[flag] = true
      end
      flags["--help"] = nil
      local offered = offers("Turnwire ")
      h.equal("--", table.remove(offered))
      for _, flag in ipairs(offered) do
        h.equal(true, flags[flag])
      end
      h.equal({ "--max-sessions" }, offers("Turnwire --ma"))
      h.equal({ "--dialect" }, offers("TurnwireContinue --join --d"))
      h.equal({ "agentao", "agentb" }, offers("Turnwire --dialect agent"))
      h.equal({ "--dialect=agentao", "--dialect=agentb" }, offers("Turnwire --dialect=agent"))
      h.equal({ "debug", "info", "warn", "error" }, offers("Turnwire --log-level "))
      h.equal({ "agents.json" }, offers("Turnwire --config ag"))
      h.equal({ "--config=agents.json" }, offers("Turnwire --config=ag"))
      h.equal({}, offers("Turnwire --url "))
      vim.cmd.cd(vim.env.TURNWIRE_SCRATCH)
    end,
  },
  {
    "without the program, or with another one, no flags are completed",
    function()
      local folder = h.folder()
      for _, command in ipairs({ { "no-such-turnwire", "acp" }, { "sh", "-c", "echo --x; touch " .. folder .. "/ran", "acp" } }) do
        require("turnwire").setup({ command = command })
        h.equal({}, vim.fn.getcompletion("Turnwire --", "cmdline"))
      end
      h.equal(nil, vim.uv.fs_stat(folder .. "/ran"))
    end,
  },
  {
    ":checkhealth reports what works and what doesn't",
    function()
      vim.cmd("checkhealth turnwire")
      local said = h.text(0)
      h.contains(said, "agent: Turnwire")
      h.contains(said, "chats are saved: :TurnwireSessions lists them, :TurnwireDelete deletes them")
      h.contains(said, "syntax highlighting for: c, lua")
      h.contains(said, "no treesitter parser for: bash, ")
      h.contains(said, "menus are shown by")
      h.contains(said, "@ completes files that Git does not ignore")
      require("turnwire").setup({ command = { "no-such-turnwire" } })
      vim.cmd("checkhealth turnwire")
      h.contains(h.text(0), "no-such-turnwire was not found")
    end,
  },
  {
    ":help leads to each command, key and option",
    function()
      vim.fn.mkdir(vim.env.TURNWIRE_SCRATCH .. "/doc", "p")
      vim.uv.fs_copyfile(vim.fs.dirname(vim.env.TURNWIRE_TEST) .. "/doc/turnwire.txt", vim.env.TURNWIRE_SCRATCH .. "/doc/turnwire.txt")
      vim.cmd.helptags(vim.env.TURNWIRE_SCRATCH .. "/doc")
      vim.opt.runtimepath:append(vim.env.TURNWIRE_SCRATCH)
      for _, tag in ipairs({ "turnwire", ":Turnwire", ":TurnwireLog", "turnwire-keys", "turnwire-config", "turnwire-highlights" }) do
        vim.cmd.help(tag)
        h.equal("help", vim.bo.buftype)
      end
      local help = h.read(vim.env.TURNWIRE_SCRATCH .. "/doc/turnwire.txt")
      for name in pairs(vim.api.nvim_get_commands({})) do
        if vim.startswith(name, "Turnwire") then
          h.contains(help, "*:" .. name .. "*")
        end
      end
      for name in pairs(vim.api.nvim_get_hl(0, {})) do
        if vim.startswith(name, "Turnwire") then
          h.contains(help, name)
        end
      end
    end,
  },
  {
    "a wrong configuration is refused by name",
    function()
      local ok, err = pcall(require("turnwire").setup, { comand = {}, size = "x", command = "turnwire" })
      h.equal(false, ok)
      h.contains(err, 'unknown option "comand"')
      h.contains(err, "command must be a list of strings")
      h.contains(err, "size must be a number above 0")
    end,
  },
  {
    ":TurnwireLog shows what the agent wrote to stderr",
    function()
      h.speak("dies.sh")
      local chat = h.open(h.folder())
      h.send(chat, "hello")
      h.wait("it has ended", function()
        return chat.status.state == "ended"
      end)
      vim.cmd("TurnwireLog")
      h.contains(h.text(0), "the disk is on fire")
    end,
  },
}
