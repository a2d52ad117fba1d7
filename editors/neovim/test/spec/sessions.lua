-- Saved sessions: listed, opened, continued, renamed, deleted.

local h = require("helper")

--- Does what Neovim does when it exits and starts.
local function restart()
  local chats = require("turnwire.chats")
  local processes = {}
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    local chat = chats.of(buf)
    if chat then
      table.insert(processes, chat.session.rpc.process)
    end
  end
  chats.close_all()
  h.wait("the agents have ended", function()
    return vim.iter(processes):all(function(process)
      return process.settled
    end)
  end)
  vim.cmd("silent! only! | enew!")
  vim.cmd("silent! %bwipeout!")
end

---@return turnwire.Chat
local function current()
  return assert(require("turnwire.chats").of(vim.api.nvim_get_current_buf()))
end

local function loaded(part)
  h.wait(("%q is shown"):format(part), function()
    local chat = require("turnwire.chats").of(vim.api.nvim_get_current_buf())
    return chat and not chat:is_busy() and chat.ready and not next(chat.transcript.dirty) and h.text(chat.buf):find(part, 1, true)
  end)
  return current()
end

--- Creates a folder with one saved chat for each prompt, and no open chat.
local function said(...)
  local folder = h.folder({ ["notes.txt"] = "one\n" })
  for _, prompt in ipairs({ ... }) do
    local chat = h.open(folder, { new = true })
    h.send(chat, unpack(vim.split(prompt, "\n")))
    h.done(chat)
  end
  restart()
  vim.cmd.cd(folder)
  return folder
end

return {
  {
    ":TurnwireContinue shows the last chat as it was, and it goes on",
    function()
      local folder = h.folder({ ["notes.txt"] = "one\n" })
      local chat = h.open(folder)
      h.send(chat, "/think hm", "/plan A; B", "/say Look at @notes.txt.", "/read notes.txt")
      h.done(chat)
      local before = h.picture(chat)
      restart()
      vim.cmd.cd(folder)
      vim.cmd("TurnwireContinue")
      chat = loaded("All done")
      h.equal(before, h.picture(chat))
      h.golden("continued", chat)
      h.send(chat, "/say after")
      h.done(chat)
      h.contains(h.text(chat.buf), "\nafter\n")
      h.lacks(h.text(chat.buf), "new session")
      vim.cmd.cd(vim.env.TURNWIRE_SCRATCH)
    end,
  },
  {
    ":TurnwireSessions lists the chats with their titles and ages, opens one, and a new title stays",
    function()
      said("/say first", "/say second")
      local seen = h.choose("  /say first · now")
      vim.cmd("TurnwireSessions")
      local chat = loaded("first")
      h.equal({ "  /say second · now", "  /say first · now" }, seen[1].labels)
      h.contains(seen[1].prompt, "Chats in ")
      h.equal("/say first", chat.header.lines[1])
      h.send(chat, "/say third")
      h.done(chat)
      vim.cmd("TurnwireRename The first")
      h.wait("it has its title", function()
        return chat.header.lines[1] == "The first"
      end)
      -- An open chat is marked, and choosing it only shows it.
      seen = h.choose("● The first · now", "  /say second · now")
      vim.cmd("TurnwireSessions")
      h.wait("the menu", function()
        return seen[1]
      end)
      h.equal(chat, current())
      -- Another chat has its own buffer.
      vim.cmd("TurnwireSessions")
      local other = loaded("second")
      h.equal(false, other == chat)
      h.contains(h.text(chat.buf), "third")
      restart()
      h.choose("  The first · now")
      vim.cmd("TurnwireSessions")
      h.equal("The first", loaded("third").header.lines[1])
      vim.cmd.cd(vim.env.TURNWIRE_SCRATCH)
    end,
  },
  {
    "a turn that was cut off by kill is shown as interrupted, and the next prompt works",
    function()
      local folder = h.folder()
      local chat = h.open(folder)
      h.send(chat, "/say before", "/run touch made")
      h.asked(chat)
      vim.uv.kill(chat.session.rpc.process.handle:get_pid(), "sigkill")
      h.wait("it has ended", function()
        return chat.status.state == "ended"
      end)
      restart()
      vim.cmd.cd(folder)
      vim.cmd("TurnwireContinue")
      chat = loaded("interrupted")
      h.golden("interrupted", chat)
      h.send(chat, "/say after")
      h.done(chat)
      h.contains(h.text(chat.buf), "\nafter\n")
      vim.cmd.cd(vim.env.TURNWIRE_SCRATCH)
    end,
  },
  {
    "a chat whose Turnwire died continues in its own buffer",
    function()
      local chat = h.open(h.folder())
      h.send(chat, "/say before")
      h.done(chat)
      local id = chat.session.id
      vim.uv.kill(chat.session.rpc.process.handle:get_pid(), "sigkill")
      h.wait("it has ended", function()
        return chat.status.state == "ended"
      end)
      h.send(chat, "/say after")
      h.done(chat)
      h.equal(id, chat.session.id)
      h.equal(1, select(2, h.text(chat.buf):gsub("\nbefore\n", "")))
      h.contains(h.text(chat.buf), "\nafter\n")
      h.lacks(h.text(chat.buf), "new session")
    end,
  },
  {
    "a chat that is open elsewhere is not opened, and its owner is named",
    function()
      local folder = h.folder()
      local mine = h.open(folder)
      h.send(mine, "/say mine")
      h.done(mine)
      local other = h.open(folder, { new = true })
      require("turnwire.sessions").load(other, { sessionId = mine.session.id })
      h.wait("it fails", function()
        return not other:is_busy() and not next(other.transcript.dirty)
      end)
      h.contains(h.text(other.buf), ("is open in process %d"):format(mine.session.rpc.process.handle:get_pid()))
      h.send(other, "/say still here")
      h.done(other)
      h.contains(h.text(other.buf), "\nstill here\n")
    end,
  },
  {
    ":TurnwireDelete deletes a chat when the person is sure, also one that is open",
    function()
      said("/say first", "/say second")
      local function deletes(label, answer, note)
        h.notes = {}
        h.choose(label, answer)
        vim.cmd("TurnwireDelete")
        h.wait("it is told", function()
          return not note or vim.iter(h.notes):any(function(line)
            return line:find(note, 1, true)
          end)
        end)
      end
      local seen = h.choose("  /say first · now", false)
      vim.cmd("TurnwireDelete")
      h.wait("it asks", function()
        return #seen == 2
      end)
      h.equal({ "Keep", "Delete" }, seen[2].labels)
      deletes("  /say first · now", "Delete", '"/say first" was deleted')
      vim.cmd("TurnwireContinue")
      local chat = loaded("second")
      deletes("● /say second · now", "Delete", '"/say second" was deleted')
      h.equal(false, vim.api.nvim_buf_is_valid(chat.buf))
      h.notes = {}
      vim.cmd("TurnwireSessions")
      h.wait("it says that there is none", function()
        return h.notes[1]
      end)
      h.contains(h.notes[1], "no saved chat in this folder")
      vim.cmd.cd(vim.env.TURNWIRE_SCRATCH)
    end,
  },
  {
    "an agent that saves its own sessions lists them page by page, and renames them",
    function()
      h.speak("keeps.sh")
      local folder = h.folder()
      vim.cmd.cd(folder)
      local seen = h.choose("  Old one · 2026-01-01")
      vim.cmd("TurnwireSessions")
      local chat = loaded("It was this.")
      h.equal({ "  Old one · 2026-01-01", "  untitled" }, seen[1].labels)
      h.contains(h.text(chat.buf), "❯ What was it?")
      h.equal("Old one", chat.header.lines[1])
      vim.cmd("TurnwireRename The old one")
      h.wait("it has its title", function()
        return chat.header.lines[1] == "The old one"
      end)
      h.type("Another")
      vim.cmd("TurnwireRename")
      h.wait("it has its title", function()
        return chat.header.lines[1] == "Another"
      end)
      vim.cmd.cd(vim.env.TURNWIRE_SCRATCH)
    end,
  },
  {
    "a very long list shows the newest chats, and older ones on request",
    function()
      h.speak("keeps.sh", "many")
      vim.cmd.cd(h.folder())
      local seen = h.choose("  Older chats …", false)
      vim.cmd("TurnwireSessions")
      h.wait("the second menu", function()
        return #seen == 2
      end)
      h.equal({ 202, "  Number 200" }, { #seen[1].labels, seen[1].labels[201] })
      h.equal({ "  untitled" }, seen[2].labels)
      vim.cmd.cd(vim.env.TURNWIRE_SCRATCH)
    end,
  },
  {
    "an agent that saves nothing works, and the list says so",
    function()
      h.speak("acp.sh")
      local folder = h.folder()
      vim.cmd.cd(folder)
      for _, command in ipairs({ "TurnwireSessions", "TurnwireContinue", "TurnwireDelete" }) do
        h.notes = {}
        vim.cmd(command)
        h.wait("it is said", function()
          return h.notes[1]
        end)
        h.equal({ "Turnwire: this agent does not save chats" }, h.notes)
      end
      h.notes = {}
      vim.cmd("TurnwireRename x")
      h.equal({ "Turnwire: this agent does not support renaming chats" }, h.notes)
      vim.cmd.cd(vim.env.TURNWIRE_SCRATCH)
    end,
  },
  {
    "ages are shortened",
    function()
      local age, now = require("turnwire.sessions").age, 1767225600 -- 2026-01-01T00:00:00Z
      h.equal({ "now", "59 min ago", "1 h ago", "29 d ago", "2025-12-01", "", "" }, {
        age("2026-01-01T00:00:00Z", now),
        age("2025-12-31T23:00:01.5Z", now),
        age("2025-12-31T22:59:00Z", now),
        age("2025-12-02T12:00:00Z", now),
        age("2025-12-01T12:00:00Z", now),
        age("yesterday", now),
        age(nil, now),
      })
    end,
  },
}
