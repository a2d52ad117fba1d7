-- The protocol, with a misbehaving agent.

local h = require("helper")

--- Opens a chat whose agent answers the first prompt with these lines.
local function spoken(...)
  local folder = h.folder()
  h.write(folder .. "/lines", table.concat({ ... }, "\n") .. "\n")
  h.speak("acp.sh", folder .. "/lines", folder .. "/record")
  local chat = h.open(folder)
  h.send(chat, "go")
  return chat, function(part)
    h.wait("it has been told " .. part, function()
      return (h.read(folder .. "/record") or ""):gsub("\\/", "/"):find(part, 1, true)
    end)
    return h.read(folder .. "/record")
  end
end

local over = '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}'

local function update(members)
  return '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{' .. members .. "}}}"
end

return {
  {
    "invalid lines are skipped",
    function()
      local chat = spoken(
        "",
        "not json",
        "[]",
        "42",
        "null",
        '{"jsonrpc":"2.0","id":99,"result":{}}',
        '{"jsonrpc":"2.0","method":"_vendor/unknown","params":{}}',
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"other","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"not mine"}}}}',
        update('"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"half \\ud83d pair"}'),
        over
      )
      h.done(chat)
      h.contains(h.text(chat.buf), "half \239\191\189 pair")
      h.lacks(h.text(chat.buf), "not mine")
    end,
  },
  {
    "an unknown request, or one for another session, is an error",
    function()
      local chat, told = spoken(
        '{"jsonrpc":"2.0","id":"a","method":"terminal/create","params":{"sessionId":"s"}}',
        '{"jsonrpc":"2.0","id":"b","method":"fs/read_text_file","params":{"sessionId":"other","path":"/etc/passwd"}}',
        '{"jsonrpc":"2.0","id":"c","method":"fs/read_text_file","params":{"sessionId":"s","path":"/etc/passwd"}}',
        '{"jsonrpc":"2.0","id":"d","method":"elicitation/create","params":{"sessionId":"s","mode":"url","message":"x"}}',
        over
      )
      h.done(chat)
      told("-32601")
      told("unknown session")
      told("outside the session's folder")
      h.lacks(told("supports forms only"), "root:")
    end,
  },
  {
    "a form has text, numbers, choices and lists",
    function()
      local menus = h.choose("Yes", "[ ] b", "[ ] c", "[x] b", "Done")
      h.type("Ada", "x", "7")
      local chat, told = spoken(
        '{"jsonrpc":"2.0","id":"f","method":"elicitation/create","params":{"sessionId":"s","mode":"form","message":"Who?","requestedSchema":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"age":{"type":"integer"},"ok":{"type":"boolean"},"tags":{"type":"array","items":{"type":"string","enum":["a","b","c"]}}}}}}'
      )
      local record = vim.json.decode(vim.split(told('"accept"'), "\n")[1])
      h.equal({ name = "Ada", age = 7, ok = true, tags = { "c" } }, record.result.content)
      h.equal(5, #menus)
      h.wait("the answer is shown", function()
        return h.text(chat.buf):find("Who? Ada, ", 1, true)
      end)
    end,
  },
  {
    "a form without fields needs the user, too",
    function()
      local seen = h.choose("Cancel")
      local chat, told = spoken(
        '{"jsonrpc":"2.0","id":"f","method":"elicitation/create","params":{"sessionId":"s","mode":"form","message":"Sure?","requestedSchema":{"type":"object","properties":{}}}}'
      )
      told('"action":"cancel"')
      h.equal("Sure?", seen[1].prompt)
      h.wait("the answer is shown", function()
        return h.text(chat.buf):find("Sure? not answered", 1, true)
      end)
    end,
  },
  {
    "usage and settings are shown above the prompt",
    function()
      local chat = spoken(
        update('"sessionUpdate":"usage_update","used":12345,"size":200000,"cost":{"amount":0.125,"currency":"USD"}'),
        update('"sessionUpdate":"config_option_update","configOptions":[{"id":"model","name":"Model","type":"select","currentValue":"m2","options":[{"value":"m1","name":"Small"},{"value":"m2","name":"Large"}]}]'),
        update('"sessionUpdate":"notice","severity":"warning","title":"Slow","description":"It takes long."'),
        over
      )
      h.done(chat)
      h.golden("status", chat)
      h.choose("  Small")
      vim.cmd("TurnwireSet")
      h.wait("it is told", function()
        return (h.read(chat.cwd .. "/record") or ""):find('"m1"', 1, true)
      end)
    end,
  },
  {
    "a null key in a call's _meta takes it away",
    function()
      local chat = spoken(
        update('"sessionUpdate":"tool_call","toolCallId":"c","title":"Tool","status":"in_progress","_meta":{"turnwire.dev/exitCode":3,"turnwire.dev/durationMs":61000}'),
        update('"sessionUpdate":"tool_call_update","toolCallId":"c","status":"completed","_meta":{"turnwire.dev/exitCode":null}'),
        over
      )
      h.done(chat)
      h.contains(h.text(chat.buf), "✓ Tool · 1 min 1 s")
      h.lacks(h.text(chat.buf), "exit 3")
    end,
  },
  {
    "an error says why",
    function()
      local chat = spoken('{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"Internal error","data":{"details":"no model"}}}')
      h.done(chat)
      h.contains(h.text(chat.buf), "✗ no model")
      h.equal("ready", chat.status.state)
    end,
  },
}
