-- Queued prompts.

local h = require("helper")

--- Returns the lines between the rule and the prompt.
local function shown(chat)
  local out = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(chat.buf, -1, 0, -1, { details = true })) do
    for i, line in ipairs(mark[4].virt_lines or {}) do
      if i > 2 then
        table.insert(out, line[1][1])
      end
    end
  end
  return out
end

--- Opens a chat in the middle of a turn.
local function working(...)
  local chat = h.open(h.folder(...))
  h.send(chat, "/wait 3600")
  h.wait("the tool runs", function()
    local last = chat.transcript:last()
    return last.kind == "tool" and last.call.status == "in_progress"
  end)
  return chat
end

--- Opens a chat with an agent that reads messages during its turn, in the middle of
--- one, with queued prompts.
local function cooking(...)
  local chat = h.open(h.folder(), { args = h.agent("steers.sh") })
  h.send(chat, "cook")
  h.wait("it cooks", function()
    return h.text(chat.buf):find("cooking", 1, true)
  end)
  for _, text in ipairs({ ... }) do
    h.send(chat, text)
  end
  return chat
end

--- Returns the sent prompts in order.
local function sent(chat)
  local out = {}
  for _, block in ipairs(chat.transcript.blocks) do
    if block.kind == "user" then
      table.insert(out, (block.lines[1]:gsub("^❯ ", "")))
    end
  end
  return out
end

return {
  {
    "prompts sent during a turn wait, are shown, and are sent in their order",
    function()
      local folder = h.folder()
      local chat = h.open(folder)
      h.send(chat, "/ask Go on? | yes")
      local answer
      vim.ui.select = function(items, _, done)
        answer = function()
          done(items[1], 1)
        end
      end
      h.wait("it asks", function()
        return answer
      end)
      h.send(chat, "/say one")
      h.send(chat, "/say two", "/say three")
      h.equal("", chat.prompt:get())
      h.equal({ "2 queued · gQ", "⋯ /say one", "⋯ /say two ⏎ /say three" }, shown(chat))
      h.equal({ "/ask Go on? | yes" }, sent(chat))
      answer()
      h.wait("all are sent", function()
        return #chat.prompts.list == 0 and not chat:is_busy() and not next(chat.transcript.dirty)
      end)
      h.equal({ "/ask Go on? | yes", "/say one", "/say two" }, sent(chat))
      h.equal({}, shown(chat))
      h.contains(h.text(chat.buf), "\nthree\n")
    end,
  },
  {
    "after a cancel the queue is held and says so; <CR> continues",
    function()
      local chat = working()
      h.send(chat, "/say one")
      h.keys("<C-c>")
      h.done(chat)
      h.equal({ "1 queued, paused: the turn was cancelled", "⋯ /say one" }, { (shown(chat)[1]:gsub(" · gQ$", "")), shown(chat)[2] })
      h.equal({ "/wait 3600" }, sent(chat))
      -- Sending another prompt leaves the held ones in the queue.
      h.send(chat, "/say between")
      h.done(chat)
      h.equal({ "/wait 3600", "/say between" }, sent(chat))
      h.equal(1, #chat.prompts.list)
      h.keys("<CR>")
      h.done(chat)
      h.equal({ "/wait 3600", "/say between", "/say one" }, sent(chat))
    end,
  },
  {
    "after an error the queue is held",
    function()
      local folder = h.folder({ lines = '{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"no luck"}}\n' })
      h.speak("acp.sh", folder .. "/lines", folder .. "/record")
      local chat = h.open(folder)
      h.send(chat, "go")
      h.send(chat, "and then?")
      h.done(chat)
      h.contains(h.text(chat.buf), "no luck")
      h.contains(shown(chat)[1], "paused: the turn failed")
      h.equal({ "go" }, sent(chat))
    end,
  },
  {
    "after the agent's exit the queue is held, and <CR> restarts it",
    function()
      local chat = working()
      h.send(chat, "/say one")
      chat.session.rpc.process.handle:kill("sigkill")
      h.wait("it has ended", function()
        return chat.status.state == "ended"
      end)
      h.contains(shown(chat)[1], "paused: the agent stopped")
      h.keys("<CR>")
      h.wait("it is sent", function()
        return h.text(chat.buf):find("\none\n", 1, true)
      end)
    end,
  },
  {
    "a queued prompt is edited in the prompt, which then has its draft again",
    function()
      local chat = working()
      h.send(chat, "/say one")
      h.send(chat, "/say two")
      chat.prompt:set({ "a draft" })
      local seen = h.choose("/say one", "Edit")
      h.keys("gQ")
      h.equal({ "/say one", "/say two" }, seen[1].labels)
      h.equal("/say one", chat.prompt:get())
      h.equal("✎ /say one", shown(chat)[2])
      h.keys("A more<CR>")
      h.equal("a draft", chat.prompt:get())
      h.equal({ "2 queued · gQ", "⋯ /say one more", "⋯ /say two" }, shown(chat))
      -- A prompt isn't sent while it is being edited.
      h.choose("/say one more", "Edit")
      h.keys("gQ")
      chat.prompts.paused = nil
      require("turnwire.turn").advance(chat)
      h.equal({ "/wait 3600" }, sent(chat))
      chat.prompt:set({ "" })
      chat.prompt:focus(0)
      h.keys("<CR>")
      h.equal({ "1 queued · gQ", "⋯ /say two" }, shown(chat))
      h.equal("a draft", chat.prompt:get())
      h.keys("<C-c>")
      h.done(chat)
    end,
  },
  {
    "a queued prompt can be removed",
    function()
      local chat = working()
      h.send(chat, "/say one")
      h.choose("/say one", "Remove")
      vim.cmd("TurnwireQueue")
      h.equal({}, shown(chat))
      h.keys("<C-c>")
      h.done(chat)
      h.equal({ "/wait 3600" }, sent(chat))
    end,
  },
  {
    "a prompt that is sent now ends the turn and precedes the others",
    function()
      local chat = working()
      h.send(chat, "/say one")
      h.send(chat, "/say two")
      h.choose("/say two", "Cancel the turn and send now")
      h.keys("gQ")
      h.wait("all are sent", function()
        return #chat.prompts.list == 0 and not chat:is_busy() and not next(chat.transcript.dirty)
      end)
      h.equal({ "/wait 3600", "/say two", "/say one" }, sent(chat))
      h.contains(h.text(chat.buf), "Cancelled")
    end,
  },
  {
    "a prompt goes into the turn of an agent that reads it there",
    function()
      local chat = cooking("salt")
      local seen = h.choose("salt", "Send now, during the turn")
      h.keys("gQ")
      h.equal({ "Edit", "Send now, during the turn", "Remove" }, seen[2].labels)
      h.done(chat)
      h.equal({ "cook", "salt" }, sent(chat))
      h.contains(h.text(chat.buf), "cooking\n\n❯ salt\n\nsalted")
      h.equal({}, shown(chat))
    end,
  },
  {
    "a prompt that the agent did not read in its turn follows it",
    function()
      local chat = cooking("first", "late", "salt")
      h.choose("late", "Send now, during the turn")
      h.keys("gQ")
      h.equal({ "3 queued · gQ", "⋯ first", "→ not read yet: late", "⋯ salt" }, shown(chat))
      h.choose("late")
      h.keys("gQ")
      h.contains(h.notes[1], "has not read it yet")
      h.choose("salt", "Send now, during the turn")
      h.keys("gQ")
      h.wait("all are sent", function()
        return #chat.prompts.list == 0 and not chat:is_busy() and not next(chat.transcript.dirty)
      end)
      h.equal({ "cook", "salt", "late", "first" }, sent(chat))
    end,
  },
  {
    "a prompt that the agent refuses in its turn is first when that ends",
    function()
      local chat = cooking("first", "refused")
      h.choose("refused", "Send now, during the turn")
      h.keys("gQ")
      h.wait("it is refused", function()
        return vim.deep_equal(shown(chat), { "2 queued · gQ", "⋯ refused", "⋯ first" })
      end)
      h.choose("refused", "Remove")
      h.keys("gQ")
      h.keys("<C-c>")
      h.done(chat)
    end,
  },
  {
    "a cancel keeps an unread prompt in the queue",
    function()
      local chat = cooking("late")
      h.choose("late", "Send now, during the turn")
      h.keys("gQ")
      h.keys("<C-c>")
      h.done(chat)
      h.wait("it is returned", function()
        return shown(chat)[2] == "⋯ late"
      end)
      h.contains(shown(chat)[1], "paused: the turn was cancelled")
      h.equal({ "cook" }, sent(chat))
    end,
  },
  {
    "a held prompt can be sent now, and the others stay held",
    function()
      local chat = working()
      h.send(chat, "/say one")
      h.send(chat, "/say two")
      h.keys("<C-c>")
      h.done(chat)
      local seen = h.choose("/say two", "Send now")
      h.keys("gQ")
      h.equal("Send all", seen[1].labels[1])
      h.done(chat)
      h.equal({ "/wait 3600", "/say two" }, sent(chat))
      h.choose("Send all")
      h.keys("gQ")
      h.done(chat)
      h.equal({ "/wait 3600", "/say two", "/say one" }, sent(chat))
    end,
  },
  {
    "prompts that are typed before the agent is there keep their order",
    function()
      local buf = require("turnwire").open({ cwd = h.folder() })
      local chat = require("turnwire.chats").of(buf)
      h.send(chat, "/say one")
      h.send(chat, "/say two")
      h.wait("both are sent", function()
        return #chat.prompts.list == 0 and not chat:is_busy() and not next(chat.transcript.dirty)
      end)
      h.equal({ "/say one", "/say two" }, sent(chat))
    end,
  },
}
