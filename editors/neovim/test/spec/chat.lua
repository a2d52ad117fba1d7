-- The chat's buffer: streaming output, and what a person can do with it.

local h = require("helper")
local updates = require("turnwire.updates")

--- Passes updates to the chat as if the agent had sent them.
local function feed(chat, ...)
  for _, update in ipairs({ ... }) do
    updates.apply(chat, update)
  end
  chat.transcript:flush()
end

local function say(text, id)
  return { sessionUpdate = "agent_message_chunk", messageId = id, content = { type = "text", text = text } }
end

local function call(id, more)
  return vim.tbl_extend("force", { sessionUpdate = "tool_call", toolCallId = id, title = "Tool " .. id }, more or {})
end

return {
  {
    "a message streams into one block, whatever its pieces are",
    function()
      local chat = h.open(h.folder())
      feed(chat, say("\n\nHel", "m"), say("lo\r", "m"), say("\nwor", "m"), say("ld\n", "m"), say("\n", "m"))
      h.contains(h.text(chat.buf), "\nHello\nworld\n")
      feed(chat, say("next", "m"), say("other", "n"))
      h.contains(h.text(chat.buf), "\nHello\nworld\n\nnext\n\nother\n")
    end,
  },
  {
    "Markdown has colours, also the code in it, and its text stays as it came",
    function()
      local chat = h.open(h.folder())
      local text = "# Head\n\nIt is **bold**, *soft*, `co*d*e` and [a link](x).\n\n- item\n\n> quote\n\n```lua\nlocal x = 1\n```\n# After\n\n~~~\n# not a head"
      for piece in text:gmatch("..?.?") do
        feed(chat, say(piece, "m"))
      end
      h.contains(h.text(chat.buf), text)
      local first = chat.transcript:last().row
      local seen = {}
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(chat.buf, -1, { first, 0 }, { first + 14, -1 }, { details = true })) do
        local group = mark[4].hl_group or mark[4].line_hl_group
        if group and mark[2] - first < 15 then
          local line = h.lines(chat.buf)[mark[2] + 1]
          table.insert(seen, ("%d %s %s"):format(mark[2] - first, group, mark[4].end_col and line:sub(mark[3] + 1, mark[4].end_col) or "-"))
        end
      end
      table.sort(seen)
      h.equal({
        "0 TurnwireHeading # Head",
        "10 TurnwireLabel ```",
        "11 TurnwireHeading # After",
        "13 TurnwireLabel ~~~",
        "14 TurnwireCodeLine -",
        "2 TurnwireCode `co*d*e`",
        "2 TurnwireEmphasis *soft*",
        "2 TurnwireLink [a link](x)",
        "2 TurnwireStrong **bold**",
        "4 TurnwireList -",
        "4 TurnwireList -",
        "6 TurnwireQuote >",
        "6 TurnwireQuote > quote",
        "8 TurnwireLabel ```lua",
        "9 @keyword.lua local",
        "9 @number.lua 1",
        "9 @operator.lua =",
        "9 @variable.lua x",
        "9 TurnwireCodeLine -",
      }, seen)
    end,
  },
  {
    "an update of an early tool changes it in its place, and moves the rest",
    function()
      local chat = h.open(h.folder())
      feed(chat, call("a"), say("between"), call("b", { status = "in_progress", _meta = { ["turnwire.dev/parentToolCallId"] = "a" } }))
      local output = { { type = "content", content = { type = "text", text = "1\n2\n3" } } }
      feed(chat, { sessionUpdate = "tool_call_update", toolCallId = "a", status = "completed", content = output, _meta = { ["turnwire.dev/durationMs"] = 61500 } })
      h.golden("updated", chat)
      feed(chat, { sessionUpdate = "tool_call_update", toolCallId = "a", content = {} })
      h.contains(h.text(chat.buf), "Tool a · 1 min 1 s\n\nbetween\n\n  ◐ Tool b")
      h.equal(chat.prompt:row() + 1, vim.api.nvim_buf_line_count(chat.buf))
    end,
  },
  {
    "the transcript is restored after any edit",
    function()
      local chat = h.open(h.folder())
      feed(chat, say("line one\n\nline two"))
      chat.prompt:set({ "my prompt", "two lines" })
      local before = h.text(chat.buf)
      local function repaired()
        h.wait("it is drawn again", function()
          return h.text(chat.buf) == before
        end)
      end
      vim.bo[chat.buf].modifiable = true
      vim.api.nvim_buf_set_lines(chat.buf, 2, 5, false, { "forged" })
      repaired()
      vim.api.nvim_buf_set_lines(chat.buf, 0, 0, false, { "forged", "too" })
      repaired()
      chat.prompt:focus(0)
      h.keys("i<C-Home>x<Esc>")
      vim.bo[chat.buf].modifiable = true
      vim.cmd("1,4delete")
      repaired()
      vim.bo[chat.buf].modifiable = true
      vim.cmd("%delete")
      h.wait("the transcript is there, the prompt empty", function()
        return h.text(chat.buf) == (before:gsub("my prompt\ntwo lines$", ""))
      end)
    end,
  },
  {
    "the keys that delete stop at the start of the prompt",
    function()
      local chat = h.open(h.folder())
      local before = h.text(chat.buf)
      chat.prompt:focus(0)
      h.keys("iab<BS><BS><BS><C-w><C-u><Esc>")
      h.equal(before, h.text(chat.buf))
    end,
  },
  {
    "the prompt comes back when its lines are deleted, and what is typed goes there",
    function()
      local chat = h.open(h.folder())
      local before = h.text(chat.buf)
      for _, keys in ipairs({ "dd", "dG", "VGd" }) do
        chat.prompt:set({ "one", "two" })
        chat.prompt:focus(0)
        vim.cmd.normal({ "k", bang = true })
        h.keys(keys .. keys)
        h.wait("there is a prompt after " .. keys, function()
          return h.text(chat.buf) == before
        end)
        chat.prompt:focus(0)
      end
      chat.prompt:set({ "old" })
      chat.prompt:focus(0)
      h.keys("ddanew text<Esc>")
      h.equal("new text", chat.prompt:get())
    end,
  },
  {
    "a prompt has the line breaks that its author made",
    function()
      vim.o.textwidth = 10
      local chat = h.open(h.folder())
      h.keys("ione two three four five<Esc>")
      vim.o.textwidth = 0
      h.equal("one two three four five", chat.prompt:get())
    end,
  },
  {
    "in the transcript the insert keys lead to the prompt",
    function()
      local chat = h.open(h.folder())
      for _, key in ipairs({ "i", "a", "I", "A" }) do
        chat.prompt:set({ "say" })
        vim.api.nvim_win_set_cursor(0, { 1, 0 })
        h.keys(key .. " it<Esc>")
        h.equal("say it", chat.prompt:get())
      end
    end,
  },
  {
    "undo in the prompt keeps the agent's messages",
    function()
      local chat = h.open(h.folder())
      feed(chat, say("said"))
      chat.prompt:focus(0)
      h.keys("iwritten<Esc>")
      h.keys("u")
      h.equal("", chat.prompt:get())
      h.keys("u")
      h.contains(h.text(chat.buf), "said")
    end,
  },
  {
    "the window follows only while the cursor is at the end",
    function()
      local chat = h.open(h.folder())
      local win = vim.api.nvim_get_current_win()
      feed(chat, say(("line\n"):rep(200) .. "end\n", "m"))
      h.equal(true, chat.prompt:has_cursor(win))
      vim.cmd("redraw")
      assert(vim.fn.line("w$", win) == vim.api.nvim_buf_line_count(chat.buf))
      vim.api.nvim_win_set_cursor(win, { 50, 0 })
      vim.cmd("redraw")
      local top = vim.fn.line("w0", win)
      feed(chat, say(("more\n"):rep(200) .. "end", "m"))
      vim.cmd("redraw")
      h.equal({ 50, 0 }, vim.api.nvim_win_get_cursor(win))
      h.equal(top, vim.fn.line("w0", win))
    end,
  },
  {
    "<CR> opens and closes what is folded",
    function()
      local chat = h.open(h.folder())
      feed(chat, call("a", { rawInput = { path = "x" } }))
      local row = chat.transcript:last().row + 1
      vim.api.nvim_win_set_cursor(0, { row, 0 })
      h.equal(row, vim.fn.foldclosed(row))
      h.keys("<CR>")
      h.equal(-1, vim.fn.foldclosed(row))
      h.keys("<CR>")
      h.equal(row, vim.fn.foldclosed(row))
    end,
  },
  {
    "long output is cut in the chat, and o shows all of it",
    function()
      local chat = h.open(h.folder())
      local lines = {}
      for i = 1, 5000 do
        lines[i] = "line " .. i
      end
      feed(chat, call("a", { content = { { type = "content", content = { type = "text", text = table.concat(lines, "\n") } } } }))
      h.contains(h.text(chat.buf), "line 200\n    ⋯ 4600 more lines; o shows all\n    line 4801\n")
      vim.api.nvim_win_set_cursor(0, { chat.transcript:last().row + 1, 0 })
      h.keys("o")
      h.wait("it is shown", function()
        return vim.api.nvim_get_current_buf() ~= chat.buf
      end)
      h.contains(h.text(0), "line 2500")
      h.equal(false, vim.bo.modifiable)
    end,
  },
  {
    "characters that hide or reorder text are visible, and nothing is executed",
    function()
      local chat = h.open(h.folder())
      local evil = "a\27[31mb\0c\226\128\174d\226\129\166e\239\187\191f\r\194\155g %{system('touch pwned')} \n vim: set makeprg=evil modeline:"
      feed(chat, say(evil), call("x", { title = evil, rawInput = { command = evil } }))
      feed(chat, { sessionUpdate = "session_info_update", title = evil }, { sessionUpdate = "notice", severity = "%#Error#", title = evil })
      feed(chat, { sessionUpdate = "plan", entries = { { content = evil, status = "odd" } } })
      local text = h.text(chat.buf)
      h.contains(text, "a␛[31mb␀c<U+202E>d<U+2066>e<U+FEFF>f␍<U+009B>g")
      h.lacks(text, "\27")
      h.lacks(text, "\226\128\174")
      vim.cmd("redraw")
      h.equal(nil, vim.uv.fs_stat("pwned"))
      h.equal("make", vim.bo[chat.buf].makeprg ~= "" and vim.bo[chat.buf].makeprg or "make")
      h.equal(false, vim.bo[chat.buf].modeline)
      local close = require("turnwire.diff").show({ { type = "diff", path = evil, newText = evil } }, chat.cwd, {}, function() end)
      vim.cmd("redraw")
      h.equal(nil, vim.uv.fs_stat("pwned"))
      h.contains(h.text(0), "<U+202E>")
      close()
    end,
  },
  {
    "invisible characters are named, and normal text stays",
    function()
      local text = require("turnwire.text")
      for code in ("AD 34F 61C 115F 1160 180E 200B 200E 200F 2028 202A 202E 2060 2064 2066 2069 3164 FEFF FFA0 FFF9 E0001 E0041 E007F E0100 E01EF"):gmatch("%x+") do
        h.equal(("a<U+%s>b"):format(("0"):rep(4 - #code) .. code), text.visible("a" .. vim.fn.nr2char(tonumber(code, 16)) .. "b"))
      end
      for _, written in ipairs({ "Grüße, naïve café", "日本語カナ 한국어 中文", "👩‍💻 ❤️ 🏴", "می‌خواهم עברית", "a\tb\nc", "…–“”€" }) do
        h.equal(written, text.visible(written))
      end
    end,
  },
  {
    "malformed updates are skipped",
    function()
      local chat = h.open(h.folder())
      local odd = { 7, "x", true, {}, { {} }, { a = 1 }, vim.NIL }
      for kind in pairs({
        agent_message_chunk = 1, agent_thought_chunk = 1, user_message_chunk = 1, tool_call = 1, tool_call_update = 1, plan = 1,
        available_commands_update = 1, session_info_update = 1, usage_update = 1, config_option_update = 1, notice = 1,
        compaction_update = 1, no_such_update = 1,
      }) do
        for i, value in ipairs(odd) do
          feed(chat, {
            sessionUpdate = kind, content = value, messageId = value, toolCallId = i % 2 == 0 and "id" or value, title = value,
            status = value, entries = value, availableCommands = value, used = value, size = value, cost = value,
            rawInput = value, rawOutput = value, locations = value, _meta = value, severity = value, summary = value,
          })
        end
      end
      feed(chat, say("still here"))
      h.contains(h.text(chat.buf), "still here")
    end,
  },
  {
    "the editor stays responsive with ten thousand pieces and five megabytes",
    function()
      local folder = h.folder()
      local lines = {}
      for i = 1, 10000 do
        lines[i] = ('{"type":"text_delta","text":"word %d%s"}'):format(i, i % 10 == 0 and "\\n" or " ")
      end
      table.insert(lines, '{"type":"tool_start","toolCallId":"t","toolName":"big"}')
      table.insert(lines, '{"type":"tool_end","toolCallId":"t","ok":true,"result":"' .. ("0123456789abcde\\n"):rep(5 * 1024 * 64) .. '"}')
      table.insert(lines, '{"type":"done","text":"","stopReason":"end_turn"}\n')
      h.write(folder .. "/lines", table.concat(lines, "\n"))
      local chat = h.open(folder, { args = h.agent("stream.sh", folder .. "/lines") })
      h.send(chat, "go")
      h.done(chat)
      local text = h.text(chat.buf)
      for i = 1, 10000, 111 do
        h.contains(text, ("word %d"):format(i))
      end
      h.contains(text, "more lines; o shows all")
    end,
  },
  {
    "commands and files are completed",
    function()
      local folder = h.folder({ ["src/main.go"] = "", ["src/more.txt"] = "", [".hidden"] = "" })
      local chat = h.open(folder)
      local complete = require("turnwire.complete")
      h.wait("it knows the commands", function()
        return #chat.commands > 0
      end)
      -- Normally a cursor can be after the last character only in insert mode.
      vim.wo.virtualedit = "onemore"
      local function offers(typed)
        chat.prompt:set({ typed })
        vim.api.nvim_win_set_cursor(0, { chat.prompt:row() + 1, #typed })
        local column = complete.omnifunc(1)
        local items = column >= 0 and complete.omnifunc(0) or {}
        vim.api.nvim_exec_autocmds("CompleteDone", {})
        return column, vim.tbl_map(function(item)
          return item.word
        end, items.words or items)
      end
      h.equal({ 0, { "/append " } }, { offers("/app") })
      h.equal({ 4, { "@src/", "@src/main.go", "@src/more.txt" } }, { offers("see @") })
      h.equal({ 4, { "@src/main.go" } }, { offers("see @main") })
      h.equal({ 4, { "@src/more.txt" } }, { offers("see @smr") })
      h.equal({ 4, { "@src/main.go", "@src/more.txt" } }, { offers("see @src/m") })
      h.equal({ 4, { "@.hidden" } }, { offers("see @.hid") })
      h.equal({ 0, {} }, { offers("@../") })
      h.equal(-3, (offers("mail a@b")))
      chat.prompt:set({ "" })
      chat.prompt:focus(0)
      h.keys("i/appe<Tab>notes<Esc>")
      h.equal("/append notes", chat.prompt:get())
      chat.prompt:set({ "" })
      chat.prompt:focus(0)
      h.keys("isee @mgo<Tab> and<Esc>")
      h.equal("see @src/main.go and", chat.prompt:get())
    end,
  },
  {
    "in a repository Git lists the offered files, and runs no other program",
    function()
      local folder = h.folder({ ["a/kept.txt"] = "", ["built/out.txt"] = "", [".gitignore"] = "built\n", ["evil.sh"] = "#!/bin/sh\ntouch pwned\n" })
      for _, command in ipairs({ { "init", "-q" }, { "config", "core.fsmonitor", "sh evil.sh" } }) do
        h.equal(0, vim.system(vim.list_extend({ "git" }, command), { cwd = folder }):wait().code)
      end
      local files = require("turnwire.files")
      h.equal({ "a/kept.txt" }, files.matching(files.of(folder), "txt", 10))
      h.equal(nil, vim.uv.fs_stat(folder .. "/pwned"))
    end,
  },
  {
    "files that a prompt names go along as links",
    function()
      local folder = h.folder({ ["a b.txt"] = "", ["src/x.go"] = "" })
      local blocks = require("turnwire.mention").blocks("see @src/x.go, @src/x.go and @../etc or @none.", folder)
      h.equal(2, #blocks)
      h.equal({ type = "resource_link", name = "src/x.go", uri = "file://" .. folder .. "/src/x.go" }, blocks[2])
    end,
  },
}
