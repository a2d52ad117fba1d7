-- A turn's changes, and undoing them.

local h = require("helper")

local function update(name, content)
  return vim.json.encode({ jsonrpc = "2.0", method = "session/update", params = { sessionId = "s", update = {
    sessionUpdate = "tool_call", toolCallId = name, title = name, status = "completed", content = content,
  } } })
end

--- Runs a turn of an agent that changes a file and reports the diffs.
local function turn(before, after, diffs)
  local folder = h.folder(before)
  local lines = {}
  for i, diff in ipairs(diffs) do
    diff.type, diff.path = "diff", folder .. "/" .. diff.path
    table.insert(lines, update("t" .. i, { diff }))
  end
  table.insert(lines, '{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}')
  h.write(folder .. "/lines", table.concat(lines, "\n") .. "\n")
  h.speak("acp.sh", folder .. "/lines", folder .. "/record")
  local chat = h.open(folder)
  for name, text in pairs(after) do
    h.write(folder .. "/" .. name, text)
  end
  h.send(chat, "go")
  h.done(chat)
  return chat, folder
end

return {
  {
    "the turn's changes are in the quickfix list, and undo takes them back",
    function()
      local folder = h.folder({ ["notes.txt"] = "one\n" })
      local chat = h.open(folder)
      vim.cmd.vsplit(folder .. "/notes.txt")
      local buf = vim.api.nvim_get_current_buf()
      vim.cmd.wincmd("p")
      h.send(chat, "/append notes.txt two")
      h.asked(chat)
      h.keys("A")
      h.done(chat)
      h.contains(h.text(chat.buf), "ℹ 1 file changed +1 −0")
      h.equal({ "one", "two" }, h.lines(buf))
      h.keys("gC")
      local list = vim.fn.getqflist({ title = 1, items = 1 })
      h.contains(list.title, "Turnwire: changes in this turn")
      h.equal({ { buf, 2, "+1 −0  two" } }, vim.tbl_map(function(item)
        return { item.bufnr, item.lnum, item.text }
      end, list.items))
      vim.cmd("TurnwireUndo")
      h.equal("one\n", h.read(folder .. "/notes.txt"))
      h.equal({ "one" }, h.lines(buf))
      h.equal(false, vim.bo[buf].modified)
      h.wait("it says so", function()
        return h.text(chat.buf):find("ℹ Undone: notes.txt", 1, true)
      end)
      vim.cmd("TurnwireUndo")
      h.contains(h.notes[#h.notes], "no file changes")
    end,
  },
  {
    "writes of the agent's own process are undone too: whole files, parts and new files",
    function()
      local before = { ["whole.txt"] = "a\nb\n", ["part.txt"] = "x\ny\nz\n" }
      local after = { ["whole.txt"] = "a\nB\n", ["part.txt"] = "x\nY\nZ\n", ["new.txt"] = "new\n" }
      local chat, folder = turn(before, after, {
        { path = "whole.txt", oldText = "a\nb\n", newText = "a\nB\n" },
        { path = "part.txt", oldText = "y\nz", newText = "Y\nZ" },
        { path = "new.txt", newText = "new\n" },
      })
      h.contains(h.text(chat.buf), "3 files changed +4 −3")
      vim.cmd("TurnwireUndo")
      h.equal("a\nb\n", h.read(folder .. "/whole.txt"))
      h.equal("x\ny\nz\n", h.read(folder .. "/part.txt"))
      h.equal(nil, h.read(folder .. "/new.txt"))
    end,
  },
  {
    "undo asks before it overwrites a file that changed since",
    function()
      local chat, folder = turn({ ["a.txt"] = "a\n", ["b.txt"] = "b\n" }, { ["a.txt"] = "A\n", ["b.txt"] = "B\n" }, {
        { path = "a.txt", oldText = "a\n", newText = "A\n" },
        { path = "b.txt", oldText = "b\n", newText = "B\n" },
      })
      h.write(folder .. "/a.txt", "A\nmine\n")
      local seen = h.choose("Keep the current file")
      vim.cmd("TurnwireUndo")
      h.equal(1, #seen)
      h.contains(seen[1].prompt, "a.txt changed after the turn")
      h.equal("A\nmine\n", h.read(folder .. "/a.txt"))
      h.equal("b\n", h.read(folder .. "/b.txt"))
      h.choose(false)
      vim.cmd("TurnwireUndo")
      h.equal("A\nmine\n", h.read(folder .. "/a.txt"))
      h.choose("Overwrite and undo the turn's change")
      vim.cmd("TurnwireUndo")
      h.equal("a\n", h.read(folder .. "/a.txt"))
      assert(chat)
    end,
  },
  {
    "unsaved changes of a buffer count as later changes",
    function()
      local _, folder = turn({ ["a.txt"] = "a\n" }, { ["a.txt"] = "A\n" }, { { path = "a.txt", oldText = "a\n", newText = "A\n" } })
      vim.cmd.split(folder .. "/a.txt")
      vim.api.nvim_buf_set_lines(0, -1, -1, false, { "unsaved" })
      local seen = h.choose(false)
      vim.cmd("TurnwireUndo")
      h.equal(1, #seen)
      h.equal({ "A", "unsaved" }, h.lines(0))
      h.equal("A\n", h.read(folder .. "/a.txt"))
    end,
  },
  {
    "undo asks before it discards changes that others made during the turn",
    function()
      local made = require("turnwire.changes").new("/")
      made:add("/f", "a\n", "b\n")
      made:add("/f", "b\n", "c\n")
      h.equal(false, made.list[1].mixed)
      made:add("/f", "c, and mine\n", "d\n")
      h.equal({ { path = "/f", before = "a\n", after = "d\n", mixed = true } }, made.list)
      local _, folder = turn({ ["a.txt"] = "A\nmine\n" }, { ["a.txt"] = "B\nmine\n" }, {
        { path = "a.txt", oldText = "a", newText = "A" },
        { path = "a.txt", oldText = "A", newText = "B" },
      })
      h.choose(false)
      vim.cmd("TurnwireUndo")
      h.equal("B\nmine\n", h.read(folder .. "/a.txt"))
    end,
  },
  {
    "an unknown original is not guessed",
    function()
      local _, folder = turn({ ["a.txt"] = "x x\n" }, { ["a.txt"] = "y y\n" }, { { path = "a.txt", oldText = "x", newText = "y" } })
      vim.cmd("TurnwireUndo")
      h.equal("y y\n", h.read(folder .. "/a.txt"))
      h.contains(h.notes[#h.notes], "its earlier content is unknown")
    end,
  },
  {
    "files outside the folder are not counted as changes",
    function()
      local outside = h.folder({ ["o.txt"] = "new\n" })
      local chat = turn({}, {}, { { path = "../" .. vim.fs.basename(outside) .. "/o.txt", oldText = "old\n", newText = "new\n" } })
      h.lacks(h.text(chat.buf), "changed +")
      vim.cmd("TurnwireUndo")
      h.equal("new\n", h.read(outside .. "/o.txt"))
    end,
  },
}
