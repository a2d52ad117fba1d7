-- Output that is too long, too large or too deep to show unchanged.

local h = require("helper")

--- Opens a chat whose agent answers the first prompt with these updates.
local function spoken(updates)
  local folder, lines = h.folder(), {}
  for i, update in ipairs(updates) do
    lines[i] = vim.json.encode({ jsonrpc = "2.0", method = "session/update", params = { sessionId = "s", update = update } })
  end
  table.insert(lines, '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}\n')
  h.write(folder .. "/lines", table.concat(lines, "\n"))
  h.speak("acp.sh", folder .. "/lines", folder .. "/record")
  local chat = h.open(folder)
  h.send(chat, "go")
  h.done(chat)
  return chat
end

--- Returns a buffer's text, with the pieces of long lines joined.
local function whole(buf)
  return (h.text(buf):gsub("\n *↪ ", ""))
end

local function longest(buf)
  local most = 0
  for _, line in ipairs(h.lines(buf)) do
    most = math.max(most, #line)
  end
  return most
end

local function call(members)
  return vim.tbl_extend("force", { sessionUpdate = "tool_call", toolCallId = "t", title = "Tool", status = "failed" }, members)
end

local function content(text)
  return { { type = "content", content = { type = "text", text = text } } }
end

local function asked(members)
  return require("turnwire.block.confirmation").new(members, "/", require("turnwire.choices").of({}))
end

return {
  {
    "ten thousand pieces of one line are several lines, and whole",
    function()
      for _, piece in ipairs({ "**word** `x` ", "äöü€😀", "`" }) do
        local pieces = {}
        for i = 1, 10000 do
          pieces[i] = { sessionUpdate = "agent_message_chunk", messageId = "m", content = { type = "text", text = piece } }
        end
        local chat = spoken(pieces)
        h.contains(whole(chat.buf), (piece:rep(10000):gsub(" $", "")))
        assert(longest(chat.buf) < 5000)
      end
    end,
  },
  {
    "megabytes of Markdown's marks are text like any other",
    function()
      for _, marks in ipairs({ "`", "*", "[", "_ *`" }) do
        local said = marks:rep(2000000 / #marks)
        local chat = spoken({ { sessionUpdate = "agent_message_chunk", messageId = "m", content = { type = "text", text = said } } })
        h.contains(whole(chat.buf), said)
      end
    end,
  },
  {
    "a tool's long lines are cut, and o shows all of them",
    function()
      local output, argument = ("x"):rep(5000000) .. "END", ("y "):rep(1000000) .. "LAST"
      local chat = spoken({ call({ content = content(output), rawInput = { command = argument } }) })
      assert(#h.text(chat.buf) < 300000)
      h.contains(h.text(chat.buf), "more characters; o shows all")
      h.contains(h.text(chat.buf), "END")
      h.contains(h.text(chat.buf), "LAST")
      vim.api.nvim_win_set_cursor(0, { chat.transcript:last().row + 1, 0 })
      h.keys("o")
      h.wait("it is shown", function()
        return vim.api.nvim_get_current_buf() ~= chat.buf
      end)
      h.contains(whole(0), output)
      h.contains(whole(0), "command:\n  " .. argument)
    end,
  },
  {
    "titles and plans of any length are one line",
    function()
      local endless = ("z\n"):rep(1000000)
      local chat = spoken({
        { sessionUpdate = "session_info_update", title = endless },
        call({ title = endless }),
        { sessionUpdate = "plan", entries = { { content = endless, status = "pending" } } },
      })
      assert(#h.lines(chat.buf) < 20)
      assert(longest(chat.buf) < 8000)
    end,
  },
  {
    "files that are too large are not compared in the chat",
    function()
      local diff = { type = "diff", path = "/x", oldText = ("a\n"):rep(1000000), newText = ("b\n"):rep(1000000) }
      h.contains(table.concat(asked({ title = "Edit", content = { diff } }).lines, "\n"), "too large to compare: 2M and 2M bytes")
    end,
  },
  {
    "a confirmation shows the whole of a title that does not fit",
    function()
      local title = "Run " .. ("true; "):rep(100) .. "rm -rf ~"
      h.contains(table.concat(asked({ title = title }).lines, "\n"), "\n  " .. title)
      h.contains(table.concat(asked({ title = "Run\nrm -rf ~" }).lines, "\n"), "\n  Run\n  rm -rf ~")
    end,
  },
  {
    "arguments are shown exactly, in an order that does not change",
    function()
      local input = vim.json.decode(
        '{"z":9007199254740991,"a":{"y":[1,null,"\\u0000/"],"x":-0.5,"b":{},"c":[]},"t":1763740800123456,"huge":1e999}',
        { luanil = { object = true } }
      )
      h.equal({
        "? Run",
        '  a: {"b": {}, "c": [], "x": -0.5, "y": [1, null, "\\u0000/"]}',
        "  huge: inf",
        "  t: 1763740800123456",
        "  z: 9007199254740991",
      }, vim.list_slice(asked({ title = "Run", rawInput = input }).lines, 1, 5))
    end,
  },
  {
    "a null in a list hides no later items",
    function()
      local folder = h.folder({
        ["lines"] = '{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t","title":"Edit","content":[null,{"type":"diff","path":"/x","newText":"new text"}]},"options":[null,{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}\n',
      })
      h.speak("acp.sh", folder .. "/lines", folder .. "/record")
      local chat = h.open(folder)
      h.send(chat, "go")
      h.asked(chat)
      h.contains(h.text(chat.buf), "+new text")
      h.contains(h.text(chat.buf), "[a]")
    end,
  },
  {
    "more options than keys are in the menu",
    function()
      local offered, labels = {}, {}
      for i = 1, 14 do
        offered[i] = { optionId = "o" .. i, name = "Way " .. i, kind = "allow_once" }
        labels[i] = "Way " .. i
      end
      local choices = require("turnwire.choices").of(offered)
      h.equal(labels, vim.tbl_map(function(c)
        return c.label
      end, choices))
      local last = require("turnwire.block.confirmation").new({ title = "Which?" }, "/", choices).lines
      h.contains((last[#last]:gsub("\194\160", " ")), "[9] Way 10  [:TurnwireAnswer] 4 more")
    end,
  },
}
