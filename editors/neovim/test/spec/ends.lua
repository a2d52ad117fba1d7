-- Ends of an agent: it fails, dies, is stopped or restarted.

local h = require("helper")

--- Opens a chat with an agent that records its answers, and lets it ask.
local function recorded()
  local folder = h.folder()
  local chat = h.open(folder, { args = h.agent("confirm.sh", folder .. "/record") })
  h.send(chat, "go")
  h.asked(chat)
  return chat, function()
    return h.read(folder .. "/record") or ""
  end
end

local function gone(pid)
  h.wait("process " .. pid .. " is gone", function()
    return vim.uv.kill(pid, 0) ~= 0
  end)
end

--- Checks that the pending request was refused and its keys do nothing.
local function refused(chat, record)
  h.equal(0, #chat.confirmations.list)
  h.keys("aA<Esc>")
  h.lacks(record(), "allow_")
end

return {
  {
    "an agent that stops waiting withdraws its request",
    function()
      local folder = h.folder()
      local chat = h.open(folder, { args = h.agent("withdraws.sh", folder .. "/late") })
      h.send(chat, "go")
      h.asked(chat)
      h.write(folder .. "/late", "")
      h.done(chat)
      h.golden("withdrawn", chat)
      h.equal(0, #chat.confirmations.list)
    end,
  },
  {
    "an agent that dies during a request is allowed nothing, and the chat continues",
    function()
      local chat, record = recorded()
      vim.uv.kill(tonumber(record():match("pid (%d+)")), "sigkill")
      h.done(chat)
      h.golden("agent_gone", chat)
      refused(chat, record)
      h.send(chat, "again")
      h.asked(chat)
      h.keys("r")
      h.done(chat)
      h.contains(record(), '"reject_once"')
    end,
  },
  {
    "if Turnwire dies during a request, nothing is allowed or shown as running",
    function()
      local chat, record = recorded()
      chat.session.rpc.process.handle:kill("sigkill")
      h.wait("it has ended", function()
        return chat.status.state == "ended" and not next(chat.transcript.dirty)
      end)
      h.golden("turnwire_gone", chat)
      refused(chat, record)
      gone(tonumber(record():match("pid (%d+)")))
    end,
  },
  {
    "an agent that dies while a menu asks is allowed nothing by it",
    function()
      local chat, record = recorded()
      local answer
      vim.ui.select = function(items, _, done)
        answer = function()
          done(items[1], 1)
        end
      end
      vim.cmd("close")
      h.wait("the menu is open", function()
        return answer
      end)
      vim.uv.kill(tonumber(record():match("pid (%d+)")), "sigkill")
      h.done(chat)
      answer()
      refused(chat, record)
    end,
  },
  {
    ":TurnwireStop ends the agent and refuses its requests; the next prompt restarts it",
    function()
      local chat, record = recorded()
      vim.cmd("TurnwireStop")
      gone(tonumber(record():match("pid (%d+)")))
      h.wait("it is drawn", function()
        return not next(chat.transcript.dirty)
      end)
      h.golden("stopped", chat)
      refused(chat, record)
      h.send(chat, "again")
      h.asked(chat)
      h.contains(h.text(chat.buf), "The agent does not remember the conversation.")
    end,
  },
  {
    ":TurnwireRestart starts a new agent, which the exit of the old one does not end",
    function()
      local chat, record = recorded()
      local old = chat.session.rpc.process
      vim.cmd("TurnwireRestart")
      h.wait("the old one has ended", function()
        return old.settled
      end)
      h.wait("the new one is ready", function()
        return chat.ready
      end)
      h.equal("ready", chat.status.state)
      h.equal(0, #chat.confirmations.list)
      h.send(chat, "go")
      h.asked(chat)
      h.keys("r")
      h.done(chat)
      h.lacks(record(), "allow_")
      h.lacks(h.text(chat.buf), "The agent stopped")
      h.lacks(h.text(chat.buf), "is not running")
    end,
  },
  {
    "an agent that does not answer in time is ended with a message",
    function()
      require("turnwire").setup({ command = { "sh", "-c", "cat > /dev/null" }, start_timeout = 50 })
      local buf = require("turnwire").open({ cwd = h.folder() })
      local chat = require("turnwire.chats").of(buf)
      local process = chat.session.rpc.process
      h.wait("it says so", function()
        return h.text(buf):find("the agent did not respond in time", 1, true)
      end)
      h.wait("its process has ended", function()
        return process.settled
      end)
      h.equal(1, select(2, h.text(buf):gsub("is not running", "")))
    end,
  },
}
