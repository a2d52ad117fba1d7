-- Pending requests: shown once and in full, or not at all if there is no
-- choice.

local h = require("helper")

return {
  {
    "the fields of a form are asked in the agent's order",
    function()
      local folder = h.folder({ ["lines"] = table.concat({
        '{"jsonrpc":"2.0","id":"e","method":"elicitation/create","params":{"message":"{\\"}, [who]?","sessionId":"s","mode":"form","requestedSchema":{"type":"object","required":["mid"],"properties":{"zeta":{"type":"string","title":"a \\"}{\\" title"},"al\\u0070ha" : {"type":"string"},"mid":{"type":"string","enum":["x","y"]},"beta":{"type":"string"}}}}}',
        "",
      }, "\n") })
      h.speak("acp.sh", folder .. "/lines", folder .. "/record")
      local chat = h.open(folder)
      h.type("1", "2", "4")
      h.choose("y")
      h.send(chat, "go")
      h.wait("it is answered", function()
        return (h.read(folder .. "/record") or ""):find('"accept"', 1, true)
      end)
      local answer = vim.json.decode(h.read(folder .. "/record"))
      h.equal({ zeta = "1", alpha = "2", mid = "y", beta = "4" }, answer.result.content)
    end,
  },
  {
    "a withdrawn request is answered, and keys no longer count",
    function()
      local folder = h.folder({ ["lines"] = table.concat({
        '{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t","title":"Go"},"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"}]}}',
        '{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":"p"}}',
        '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}',
        "",
      }, "\n") })
      h.speak("acp.sh", folder .. "/lines", folder .. "/record")
      local chat = h.open(folder)
      h.send(chat, "go")
      h.wait("it is answered", function()
        return (h.read(folder .. "/record") or ""):find('"cancelled"', 1, true)
      end)
      h.done(chat)
      h.keys("a<Esc>")
      h.lacks(h.read(folder .. "/record"), "selected")
      h.contains(h.text(chat.buf), "✗ Go · withdrawn")
    end,
  },
  {
    "a call is shown once: before, during and after its request",
    function()
      local options = '"options":[{"optionId":"yes","name":"Yes","kind":"allow_once"},{"optionId":"no","name":"No","kind":"reject_once"}]'
      local folder = h.folder({ ["lines"] = table.concat({
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"Delete all","status":"pending","rawInput":{"path":"precious"}}}}',
        '{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t"},' .. options .. "}}",
        '{"jsonrpc":"2.0","id":"q","method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t","title":"Delete more"},' .. options .. "}}",
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call_update","toolCallId":"t","title":"Do nothing","status":"completed"}}}',
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"behind"}}}}',
        "",
      }, "\n") })
      h.speak("acp.sh", folder .. "/lines", folder .. "/record")
      local chat = h.open(folder)
      h.send(chat, "go")
      h.asked(chat, 2)
      h.wait("all is there", function()
        return h.text(chat.buf):find("\nbehind", 1, true)
      end)
      local text = h.text(chat.buf)
      -- A later title doesn't change the request, which shows what was known
      -- when it was asked.
      h.lacks(text, "Do nothing")
      h.contains(text, "? Delete all\n  path: precious\n  [a]")
      h.equal(1, select(2, text:gsub("Delete all", "")))
      h.keys("gpr")
      h.asked(chat, 1)
      h.contains(h.text(chat.buf), "✓ Do nothing · rejected")
      h.equal(1, #vim.tbl_filter(function(line)
        return line:find("Delete more", 1, true)
      end, h.lines(chat.buf)))
      h.keys("gpa")
      h.asked(chat, 0)
      h.contains(h.text(chat.buf), "○ Delete more · allowed")
    end,
  },
  {
    "invalid options permit nothing",
    function()
      local folder = h.folder({ ["lines"] = table.concat({
        '{"jsonrpc":"2.0","id":"p","method":"session/request_permission","params":{"sessionId":"s","toolCall":7,"options":[{"name":"Yes"},null,4,{"optionId":5,"kind":"allow_once"}]}}',
        '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}',
        "",
      }, "\n") })
      h.speak("acp.sh", folder .. "/lines", folder .. "/record")
      local chat = h.open(folder)
      h.send(chat, "go")
      h.done(chat)
      h.wait("it is answered", function()
        return (h.read(folder .. "/record") or ""):find('"cancelled"', 1, true)
      end)
    end,
  },
  {
    "a command is shown in full, however long it is",
    function()
      local command = ("true;"):rep(2000) .. "\n" .. ("true\n"):rep(1000) .. "rm -rf ~"
      local block = require("turnwire.block.confirmation").new({ title = "Run", rawInput = { command = command } }, "/", {})
      local shown = table.concat(block.lines, "\n"):gsub("\n +↪ ", ""):gsub("\n +", "\n")
      h.contains(shown, command)
    end,
  },
  {
    "two options of a kind have their own keys",
    function()
      local list = require("turnwire.choices").of({
        { optionId = "x", name = "This time", kind = "allow_once" },
        { optionId = "y", name = "In this folder", kind = "allow_once" },
        { optionId = "z", name = "No", kind = "reject_once" },
        { optionId = "n", name = "Odd", kind = "_other" },
      })
      h.equal({ "a", "1", "r", "2" }, vim.tbl_map(function(c)
        return c.key
      end, list))
      h.equal({ true, true, false, false }, vim.tbl_map(function(c)
        return c.allows
      end, list))
    end,
  },
}
