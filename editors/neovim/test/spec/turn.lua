-- Complete turns of the workspace agent, as displayed.

local h = require("helper")

return {
  {
    "a turn shows its thought, plan, tools, files and text",
    function()
      local chat = h.open(h.folder({ ["notes.txt"] = "one\ntwo\n" }))
      h.golden("opened", chat)
      h.send(
        chat,
        "/think The notes come first.",
        "/plan Read; Change; Tell",
        "/read notes.txt",
        "/append notes.txt three",
        "/fail no luck",
        "/say # Done\\n\\nAll **three** are there."
      )
      h.asked(chat)
      h.golden("asked", chat)
      h.keys("a")
      h.done(chat)
      h.golden("turn", chat)
    end,
  },
  {
    "a prompt sent before the agent is ready is not lost",
    function()
      local buf = require("turnwire").open({ cwd = h.folder() })
      local chat = require("turnwire.chats").of(buf)
      h.send(chat, "/say hello")
      h.done(chat)
      h.contains(h.text(buf), "hello")
    end,
  },
  {
    "a cancel ends a running turn",
    function()
      local chat = h.open(h.folder())
      h.send(chat, "/say before", "/wait 3600", "/say after")
      h.wait("it waits", function()
        local last = chat.transcript:last()
        return last.kind == "tool" and last.call.status == "in_progress"
      end)
      h.keys("<C-c>")
      h.done(chat)
      h.golden("cancelled", chat)
    end,
  },
  {
    "a question with choices is a menu",
    function()
      local chat = h.open(h.folder())
      local seen = h.choose("blue")
      h.send(chat, "/ask Which colour? | red | blue")
      h.done(chat)
      h.equal({ "red", "blue" }, seen[1].labels)
      h.contains(seen[1].prompt, "Which colour?")
      h.golden("question", chat)
    end,
  },
  {
    "a question without choices is an input",
    function()
      local chat = h.open(h.folder())
      local seen = h.type("Ada")
      h.send(chat, "/ask Your name?")
      h.done(chat)
      h.contains(seen[1], "Your name?")
      h.contains(h.text(chat.buf), "You answered: Ada")
    end,
  },
  {
    "a question that is dismissed is not answered",
    function()
      local chat = h.open(h.folder())
      h.choose(false)
      h.send(chat, "/ask Which? | red | blue")
      h.done(chat)
      h.contains(h.text(chat.buf), "Which? not answered")
      h.lacks(h.text(chat.buf), "You answered: red")
    end,
  },
  {
    "a process that dies is named with its last output, and restarted",
    function()
      h.speak("dies.sh")
      local chat = h.open(h.folder())
      h.send(chat, "hello")
      h.wait("it has ended", function()
        return chat.status.state == "ended" and not next(chat.transcript.dirty)
      end)
      h.golden("died", chat)
      h.send(chat, "again")
      h.wait("it has ended again", function()
        return select(2, h.text(chat.buf):gsub("exit status 7", "")) == 2
      end)
    end,
  },
  {
    "a program that is not there is an error with its name",
    function()
      require("turnwire").setup({ command = { "/no/such/turnwire", "acp" } })
      local buf = require("turnwire").open({ cwd = h.folder() })
      h.wait("it says so", function()
        return h.text(buf):find("/no/such/turnwire", 1, true)
      end)
    end,
  },
  {
    "a chat is opened once for a folder, unless asked for a new one",
    function()
      local folder = h.folder()
      local first = h.open(folder).buf
      h.equal(first, require("turnwire").open({ cwd = folder }))
      assert(first ~= require("turnwire").open({ cwd = folder, new = true }))
      h.equal(2, #vim.api.nvim_list_wins())
    end,
  },
  {
    "a prompt that the agent repeats is shown once",
    function()
      local folder = h.folder({
        ["lines"] = table.concat({
          '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"one\\ntwo"}}}}',
          '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"user_message_chunk","content":{"type":"text","text":"three"}}}}',
          '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}',
          "",
        }, "\n"),
      })
      h.speak("acp.sh", folder .. "/lines", folder .. "/record")
      local chat = h.open(folder)
      h.send(chat, "one", "two")
      h.done(chat)
      h.equal(2, #vim.split(h.text(chat.buf), "one", { plain = true }))
      h.contains(h.text(chat.buf), "three")
    end,
  },
}
