-- Logins and secrets that an agent asks for.

local h = require("helper")

--- Opens a chat whose agent needs a login. Menus choose the labels.
local function opened(when, labels, more)
  local folder = h.folder()
  local file = folder .. "/logged-in"
  h.speak("login.sh", file, when, unpack(more or {}))
  local seen = h.choose(unpack(labels))
  local buf = require("turnwire").open({ cwd = folder })
  local chat = assert(require("turnwire.chats").of(buf))
  return chat, file, seen
end

local function ready(chat)
  h.wait("the agent is ready", function()
    return chat.ready and not next(chat.transcript.dirty)
  end)
end

local function ended(chat)
  h.wait("the agent has ended", function()
    return chat.status.state == "ended" and not next(chat.transcript.dirty)
  end)
end

return {
  {
    "the login methods are shown, and the session starts after the login",
    function()
      local chat, file, seen = opened("new", { "With the browser" })
      ready(chat)
      h.equal(1, #seen)
      h.equal({ "With the browser", "Broken", "Never ends", "In a terminal", "In a terminal, and fails", "As before", "Not now" }, seen[1].labels)
      local text = h.text(chat.buf)
      h.contains(text, "Login required: Authentication required: Who are you?")
      h.contains(text, "Opens a page.")
      h.contains(text, ("in a terminal: LOGIN_AS=me sh %s/agents/login.sh %s new login 0"):format(vim.env.TURNWIRE_TEST, file))
      h.contains(text, "setup(): TEA_KEY (Key), TEA_HOST (optional)")
      h.contains(text, "Logged in: With the browser")
      h.send(chat, "go")
      h.done(chat)
    end,
  },
  {
    "nothing happens before a choice, and a declined login reports what failed",
    function()
      local chat, file = opened("new", { "Not now" })
      ended(chat)
      h.contains(h.text(chat.buf), "The agent is not running: Authentication required: Who are you?")
      h.equal(nil, h.read(file))
      h.choose("With the browser")
      h.send(chat, "go")
      h.done(chat)
      h.equal("", h.read(file))
      h.equal("ready", chat.status.state)
    end,
  },
  {
    "if the chat is hidden, the menu describes each method",
    function()
      local chat = opened("prompt", {})
      ready(chat)
      local shown
      vim.ui.select = function(_, _, done)
        shown = {}
        for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
          table.insert(shown, h.text(vim.api.nvim_win_get_buf(win)))
        end
        done(nil)
      end
      h.send(chat, "go")
      vim.cmd("close")
      h.done(chat)
      h.contains(table.concat(shown, "\n"), "in a terminal: LOGIN_AS=me sh ")
      h.equal(1, #vim.api.nvim_list_wins())
    end,
  },
  {
    "a menu that is dismissed logs nobody in",
    function()
      local chat, file = opened("new", { false })
      ended(chat)
      h.equal(nil, h.read(file))
    end,
  },
  {
    "a failed login is reported, and the menu is shown again",
    function()
      local chat, file, seen = opened("new", { "Broken", "In a terminal, and fails", "In a terminal" })
      ready(chat)
      h.equal(3, #seen)
      local text = h.text(chat.buf)
      h.contains(text, "Broken: it does not work")
      h.contains(text, "In a terminal, and fails: it failed (exit status 3)")
      h.equal("me no editor", h.read(file))
      h.equal(chat.buf, vim.api.nvim_get_current_buf())
    end,
  },
  {
    "a command that the agent names itself runs in a terminal, too",
    function()
      local chat, file = opened("new", { "As before" })
      ready(chat)
      h.equal(" no editor", h.read(file))
    end,
  },
  {
    "a prompt that needs a login continues after it",
    function()
      local chat = opened("prompt", { "With the browser" })
      ready(chat)
      h.send(chat, "go")
      h.done(chat)
      h.contains(h.text(chat.buf), "Logged in: With the browser")
      h.lacks(h.text(chat.buf), "✗")
      h.equal("ready", chat.status.state)
    end,
  },
  {
    "a cancel ends a login that does not end",
    function()
      local chat, file = opened("prompt", { "Never ends" })
      ready(chat)
      h.send(chat, "go")
      h.wait("it is tried", function()
        return chat.login and chat.login.stop
      end)
      h.keys("<C-c>")
      h.done(chat)
      h.contains(h.text(chat.buf), "Cancelled")
      h.equal("ready", chat.status.state)
      h.equal(nil, h.read(file))
    end,
  },
  {
    "a stopped or closed chat needs no login",
    function()
      for _, how in ipairs({ "TurnwireStop", "bwipeout!" }) do
        local chat = opened("new", { "Never ends" })
        h.wait("it is tried", function()
          return chat.login and chat.login.stop
        end)
        vim.cmd(how)
        h.equal(nil, chat.login)
        if not chat.closed then
          h.lacks(h.text(chat.buf), "is not running")
        end
      end
    end,
  },
  {
    "an agent that does not say how to log in is an error that says so",
    function()
      local chat = opened("new", {}, { "silent" })
      ended(chat)
      h.contains(h.text(chat.buf), "See the agent's documentation for how to log in.")
    end,
  },
  {
    "an agent that reports its login methods late is asked again",
    function()
      ready((opened("new", { "With the browser" }, { "late" })))
    end,
  },
  {
    "the user can log out if the agent supports it",
    function()
      local chat, file = opened("prompt", { "With the browser" })
      ready(chat)
      h.send(chat, "go")
      h.done(chat)
      vim.cmd("TurnwireLogout")
      h.wait("it is done", function()
        return h.text(chat.buf):find("Logged out", 1, true)
      end)
      h.equal(nil, h.read(file))
      require("turnwire").setup({ command = { vim.env.TURNWIRE, "acp" }, confirm_delay = 0 })
      h.open(h.folder())
      vim.cmd("TurnwireLogout")
      h.contains(h.notes[#h.notes], "does not support logging out")
    end,
  },
  {
    "behind Turnwire the logins are the same, and the terminal runs Turnwire",
    function()
      local folder = h.folder()
      local file = folder .. "/logged-in"
      h.choose("In a terminal")
      local args = { "--agent", "acp", "--", "sh", vim.env.TURNWIRE_TEST .. "/agents/login.sh", file, "new" }
      local chat = h.open(folder, { args = args })
      h.contains(h.text(chat.buf):gsub("\n%s*↪ ", ""), "LOGIN_AS=me " .. vim.env.TURNWIRE .. " acp --agent acp -- sh ")
      h.equal("me no editor", h.read(file))
    end,
  },
  {
    "a secret is not shown, and only the agent gets it",
    function()
      local folder = h.folder()
      local prompts = {}
      vim.fn.inputsecret = function(options)
        table.insert(prompts, options.prompt)
        return "s3cr3t"
      end
      h.type("ada")
      local chat = h.open(folder, { args = h.agent("secret.sh", folder .. "/record") })
      h.send(chat, "go")
      h.done(chat)
      h.contains(h.read(folder .. "/record"), '"key":"s3cr3t"')
      h.contains(h.text(chat.buf), "Log in: ada, ••••••")
      h.lacks(h.text(chat.buf), "s3cr3t")
      h.equal(1, #prompts)
      h.contains(prompts[1], "Log in · key")
    end,
  },
  {
    "a secret that is not given cancels the question",
    function()
      local folder = h.folder()
      for _, how in ipairs({
        function()
          return vim.NIL
        end,
        function()
          error("Keyboard interrupt")
        end,
      }) do
        vim.fn.inputsecret = how
        h.type("ada")
        local chat = h.open(folder, { args = h.agent("secret.sh", folder .. "/record"), new = true })
        h.send(chat, "go")
        h.done(chat)
        h.contains(h.text(chat.buf), "Log in: not answered")
      end
    end,
  },
}
