-- Consent: every way a confirmation can end.

local h = require("helper")

local function asked(files)
  local chat = h.open(h.folder(files or { ["notes.txt"] = "one\n" }))
  h.send(chat, "/append notes.txt two", "/append notes.txt two")
  h.asked(chat)
  return chat, chat.cwd .. "/notes.txt"
end

--- Opens a chat with an agent that records its answers.
local function recorded()
  local folder = h.folder()
  local record = folder .. "/record"
  local chat = h.open(folder, { args = h.agent("confirm.sh", record) })
  h.send(chat, "go")
  h.asked(chat)
  return chat, record
end

local function decision(record)
  local found
  h.wait("the agent has an answer", function()
    found = (h.read(record) or ""):match('"decision":"([%w_]+)"')
    return found
  end)
  return found
end

--- Checks that the agent exited and never received consent.
local function ended(record)
  h.wait("the agent has ended", function()
    local pid = (h.read(record) or ""):match("pid (%d+)")
    return pid and vim.uv.kill(tonumber(pid), 0) ~= 0
  end)
  h.lacks(h.read(record), "allow_once")
  h.lacks(h.read(record), "allow_always")
end

--- Creates a folder with the input that makes acp.sh ask one question.
local function asking()
  return h.folder({
    ["lines"] = '{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t","title":"Go"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}\n',
  })
end

--- Checks that the agent received "cancelled", and then the turn's cancel.
local function told_cancelled(folder)
  local told
  h.wait("it is told", function()
    told = h.read(folder .. "/record") or ""
    return told:find("session\\/cancel", 1, true) or told:find("session/cancel", 1, true)
  end)
  h.contains(told, '"cancelled"')
  h.lacks(told, "selected")
end

--- Runs lines of Lua in another Neovim, with the helper as h, and quits it.
local function elsewhere(folder, lines)
  local script = folder .. "/script.lua"
  h.write(script, [[
    vim.opt.runtimepath:prepend(vim.fs.dirname(vim.env.TURNWIRE_TEST))
    package.path = vim.env.TURNWIRE_TEST .. "/?.lua;" .. package.path
    local h, folder = require("helper"), vim.env.FOLDER
    h.reset()
    ]] .. lines .. [[

    vim.cmd("qall!")
  ]])
  local nvim = vim.env.TURNWIRE_TEST .. "/nvim.sh"
  local command = { nvim, "--headless", "--clean", "-c", "luafile " .. script, "-c", "cquit" }
  h.equal(0, vim.system(command, { env = { FOLDER = folder } }):wait(60000).code)
end

return {
  {
    "a allows once, and the next call asks again",
    function()
      local chat, file = asked()
      h.keys("a")
      h.wait("it asks for the second", function()
        return h.read(file) == "one\ntwo\n" and #chat.confirmations.list == 1
      end)
      h.keys("a")
      h.done(chat)
      h.equal("one\ntwo\ntwo\n", h.read(file))
    end,
  },
  {
    "A allows always, and the next call does not ask",
    function()
      local chat, file = asked()
      h.keys("A")
      h.done(chat)
      h.equal("one\ntwo\ntwo\n", h.read(file))
      h.golden("allowed_always", chat)
    end,
  },
  {
    "r rejects, and nothing is written",
    function()
      local chat, file = asked()
      h.keys("r")
      h.wait("it asks for the second", function()
        return #chat.confirmations.list == 1 and h.text(chat.buf):find(" · rejected", 1, true)
      end)
      h.keys("r")
      h.done(chat)
      h.equal("one\n", h.read(file))
      h.golden("rejected", chat)
    end,
  },
  {
    "Esc decides nothing, and nothing is written",
    function()
      local chat, record = recorded()
      h.keys("<Esc>")
      h.equal("cancelled", decision(record))
      h.done(chat)
      h.golden("dismissed", chat)
    end,
  },
  {
    "cancelling the turn answers open requests",
    function()
      local chat, file = asked()
      h.keys("<C-c>")
      h.done(chat)
      h.equal("one\n", h.read(file))
      h.golden("cancelled_while_asked", chat)
    end,
  },
  {
    "closing the buffer allows nothing, and ends the agent",
    function()
      local chat, record = recorded()
      vim.cmd("bwipeout!")
      h.equal(true, chat.closed)
      ended(record)
    end,
  },
  {
    "closing the buffer cancels the turn",
    function()
      local folder = asking()
      h.speak("acp.sh", folder .. "/lines", folder .. "/record")
      local chat = h.open(folder)
      h.send(chat, "go")
      h.asked(chat)
      vim.cmd("bwipeout!")
      told_cancelled(folder)
    end,
  },
  {
    "closing Neovim allows nothing, and ends the agent",
    function()
      local folder = h.folder()
      elsewhere(folder, [[
        local chat = h.open(folder, { args = h.agent("confirm.sh", folder .. "/record") })
        h.send(chat, "go")
        h.asked(chat)
      ]])
      ended(folder .. "/record")
    end,
  },
  {
    "closing Neovim cancels the turn",
    function()
      local folder = asking()
      elsewhere(folder, [[
        h.speak("acp.sh", folder .. "/lines", folder .. "/record")
        local chat = h.open(folder)
        h.send(chat, "go")
        h.asked(chat)
      ]])
      told_cancelled(folder)
    end,
  },
  {
    "in the prompt the same keys only write",
    function()
      local chat, file = asked()
      chat.prompt:set({ "x" })
      chat.prompt:focus(0)
      h.keys("a and<Esc>")
      h.keys("ryA!<Esc>")
      h.equal(1, #chat.confirmations.list)
      h.equal("one\n", h.read(file))
      h.equal("x any!", chat.prompt:get())
    end,
  },
  {
    "a request leaves the cursor in the prompt while the user types",
    function()
      local chat = h.open(h.folder({ ["notes.txt"] = "one\n" }))
      h.send(chat, "/wait 0.2", "/append notes.txt two")
      chat.prompt:set({ "next thing" })
      chat.prompt:focus(0)
      h.asked(chat)
      h.equal(true, chat.prompt:has_cursor(0))
      h.contains(h.notes[#h.notes], "asks: Append to notes.txt")
      h.keys("gp")
      h.equal(chat.confirmations.list[1], chat.confirmations:at(vim.api.nvim_win_get_cursor(0)[1] - 1))
      h.keys("r")
      h.done(chat)
      h.equal("next thing", chat.prompt:get())
    end,
  },
  {
    "options that were not offered have no key",
    function()
      local chat, file = asked()
      h.keys("R<Esc>")
      h.keys("1")
      vim.wait(0)
      h.equal("one\n", h.read(file))
      h.equal(0, #vim.tbl_filter(function(ask)
        return ask.request.answered
      end, chat.confirmations.list))
    end,
  },
  {
    "if the chat is hidden, a menu shows the whole request",
    function()
      local chat = h.open(h.folder({ ["notes.txt"] = "one\n" }))
      h.send(chat, "/append notes.txt two")
      local shown
      local seen = h.choose("Allow")
      local choose = vim.ui.select
      vim.ui.select = function(...)
        shown = {}
        for _, win in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
          table.insert(shown, h.text(vim.api.nvim_win_get_buf(win)))
        end
        choose(...)
      end
      vim.cmd("close")
      h.done(chat)
      h.equal({ "Allow", "Always allow changes to `notes.txt` in this session", "Reject", "Show in chat" }, seen[1].labels)
      h.contains(table.concat(shown, "\n"), "+two")
      h.equal("one\ntwo\n", h.read(chat.cwd .. "/notes.txt"))
      h.equal(1, #vim.api.nvim_list_wins())
    end,
  },
  {
    "a menu that is dismissed allows nothing",
    function()
      local chat = h.open(h.folder({ ["notes.txt"] = "one\n" }))
      h.choose(false)
      h.send(chat, "/append notes.txt two")
      vim.cmd("close")
      h.done(chat)
      h.equal("one\n", h.read(chat.cwd .. "/notes.txt"))
    end,
  },
  {
    "the menu leads to the chat, where the keys answer",
    function()
      local chat = h.open(h.folder({ ["notes.txt"] = "one\n" }))
      h.choose("Show in chat")
      h.send(chat, "/append notes.txt two")
      vim.cmd("close")
      h.wait("the chat is shown", function()
        return vim.api.nvim_get_current_buf() == chat.buf
      end)
      h.equal(1, #chat.confirmations.list)
      h.keys("a")
      h.done(chat)
      h.equal("one\ntwo\n", h.read(chat.cwd .. "/notes.txt"))
    end,
  },
  {
    "hiding the chat while it asks brings the menu",
    function()
      local chat, file = asked()
      h.choose("Reject", "Allow")
      vim.cmd("close")
      h.done(chat)
      h.equal("one\ntwo\n", h.read(file))
    end,
  },
  {
    "d shows the change in diff mode, where the same keys answer",
    function()
      local chat, file = asked()
      h.keys("d")
      h.wait("the tab is open", function()
        return #vim.api.nvim_list_tabpages() == 2
      end)
      local wins = vim.api.nvim_tabpage_list_wins(0)
      h.equal({ "one" }, h.lines(vim.api.nvim_win_get_buf(wins[1])))
      h.equal({ "one", "two" }, h.lines(vim.api.nvim_win_get_buf(wins[2])))
      h.equal({ true, true }, { vim.wo[wins[1]].diff, vim.wo[wins[2]].diff })
      h.keys("q")
      h.equal(1, #vim.api.nvim_list_tabpages())
      h.equal(1, #chat.confirmations.list)
      h.keys("d")
      h.wait("the tab is open again", function()
        return #vim.api.nvim_list_tabpages() == 2
      end)
      h.keys("A")
      h.done(chat)
      h.equal(1, #vim.api.nvim_list_tabpages())
      h.equal("one\ntwo\ntwo\n", h.read(file))
    end,
  },
}
