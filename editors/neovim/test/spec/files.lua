-- File access of the agent through the editor.

local fs = require("turnwire.fs")
local h = require("helper")

--- Sends a request as the agent would; returns the result, or the error's
--- message.
local function ask(what, cwd, params)
  local result, problem
  fs[what](params, {
    reply = function(_, r)
      result = r or {}
    end,
    fail = function(_, _, message)
      problem = message
    end,
  }, cwd)
  return result, problem
end

local function read(cwd, name, more)
  local result, problem = ask("read", cwd, vim.tbl_extend("force", { path = cwd .. "/" .. name }, more or {}))
  return result and result.content, problem
end

local function write(cwd, name, content)
  local _, problem = ask("write", cwd, { path = cwd .. "/" .. name, content = content })
  return problem
end

local function edit(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  return vim.api.nvim_get_current_buf()
end

return {
  {
    "the agent reads unsaved text, and undo restores it",
    function()
      local folder = h.folder({ ["notes.txt"] = "saved\n" })
      local buf = edit(folder .. "/notes.txt")
      vim.api.nvim_buf_set_lines(buf, 0, -1, false, { "not saved", "second" })
      local chat = h.open(folder)
      h.send(chat, "/read notes.txt", "/append notes.txt third")
      h.asked(chat)
      h.contains(h.text(chat.buf), "not saved")
      h.keys("a")
      h.done(chat)
      h.equal({ "not saved", "second", "third" }, h.lines(buf))
      h.equal("not saved\nsecond\nthird\n", h.read(folder .. "/notes.txt"))
      h.equal(false, vim.bo[buf].modified)
      vim.api.nvim_buf_call(buf, function()
        vim.cmd("silent undo")
      end)
      h.equal({ "not saved", "second" }, h.lines(buf))
      vim.api.nvim_buf_call(buf, function()
        vim.cmd("silent undo")
      end)
      h.equal({ "saved" }, h.lines(buf))
    end,
  },
  {
    "only the lines that change are touched",
    function()
      local folder = h.folder({ ["a"] = "1\n2\n3\n4\n" })
      local buf = edit(folder .. "/a")
      local space = vim.api.nvim_create_namespace("test")
      local mark = vim.api.nvim_buf_set_extmark(buf, space, 3, 0, {})
      h.equal(nil, write(folder, "a", "1\ntwo\nand more\n3\n4\n5\n"))
      h.equal({ "1", "two", "and more", "3", "4", "5" }, h.lines(buf))
      h.equal({ 4, 0 }, vim.api.nvim_buf_get_extmark_by_id(buf, space, mark, {}))
      h.equal(nil, write(folder, "a", ""))
      h.equal("", h.read(folder .. "/a"))
      h.equal(nil, write(folder, "a", "new\n"))
      h.equal("new\n", h.read(folder .. "/a"))
    end,
  },
  {
    "autocommands that observe a write run, and those that would change it do not",
    function()
      local folder = h.folder({ ["a"] = "x\n" })
      local buf = edit(folder .. "/a")
      local seen = {}
      for _, event in ipairs({ "BufWritePre", "BufWritePost" }) do
        vim.api.nvim_create_autocmd(event, {
          buffer = buf,
          callback = function()
            table.insert(seen, event)
          end,
        })
      end
      write(folder, "a", "y\n")
      h.equal({ "BufWritePost" }, seen)
    end,
  },
  {
    "line and limit are honoured",
    function()
      local folder = h.folder({ ["a"] = "1\n2\n3\n4" })
      h.equal("2\n3\n", read(folder, "a", { line = 2, limit = 2 }))
      h.equal("3\n4", read(folder, "a", { line = 3 }))
      h.equal("1\n", read(folder, "a", { limit = 1 }))
      h.equal("", read(folder, "a", { line = 9 }))
      h.equal("", read(folder, "a", { limit = 0 }))
      edit(folder .. "/a")
      h.equal("2\n3\n", read(folder, "a", { line = 2, limit = 2 }))
    end,
  },
  {
    "line ends, the missing one at the end and a byte order mark stay",
    function()
      local texts = { "a\r\nb\r\n", "a\r\nb", "a\nb", "a\nb\n", "\239\187\191a\n", "", "\n", "a\rb\r", "ä€😀\n" }
      for i, text in ipairs(texts) do
        local name = "f" .. i
        local folder = h.folder({ [name] = text })
        local buf = edit(folder .. "/" .. name)
        h.equal(text, read(folder, name))
        vim.api.nvim_buf_set_lines(buf, 0, 0, false, { "more" })
        local changed = read(folder, name)
        h.equal(nil, write(folder, name, changed))
        h.equal(changed, h.read(folder .. "/" .. name))
      end
    end,
  },
  {
    "a file without a buffer is read from and written to the disk",
    function()
      local folder = h.folder({ ["a"] = "x\n" })
      h.equal("x\n", read(folder, "a"))
      h.equal(nil, write(folder, "new/deep/b", "y"))
      h.equal("y", h.read(folder .. "/new/deep/b"))
      vim.uv.fs_chmod(folder .. "/a", tonumber("755", 8))
      h.equal(nil, write(folder, "a", "z\n"))
      h.equal(tonumber("755", 8), vim.uv.fs_stat(folder .. "/a").mode % 512)
    end,
  },
  {
    "nothing outside the folder is read or written",
    function()
      local outside = h.folder({ ["secret"] = "s\n" })
      local folder = h.folder({ ["a"] = "x\n" })
      vim.uv.fs_symlink(outside, folder .. "/link")
      vim.uv.fs_symlink(outside .. "/not-there", folder .. "/dangling")
      for _, path in ipairs({ outside .. "/secret", folder .. "/link/secret", folder .. "/../" .. vim.fs.basename(outside) .. "/secret", "a", "", folder .. "x/a" }) do
        local _, problem = ask("read", folder, { path = path })
        assert(problem, path)
        _, problem = ask("write", folder, { path = path, content = "w" })
        assert(problem, path)
      end
      h.equal("s\n", h.read(outside .. "/secret"))
      assert(write(folder, "dangling", "w"))
      h.equal(nil, vim.uv.fs_stat(outside .. "/not-there"))
    end,
  },
  {
    "a link and its file have the same buffer",
    function()
      local folder = h.folder({ ["real"] = "x\n" })
      vim.uv.fs_symlink(folder .. "/real", folder .. "/link")
      local buf = edit(folder .. "/link")
      vim.api.nvim_buf_set_lines(buf, 0, -1, false, { "changed" })
      h.equal("changed\n", read(folder, "real"))
    end,
  },
  {
    "binary data, missing files and special files are refused",
    function()
      local folder = h.folder({ ["nul"] = "a\0b", ["latin"] = "\228\n", ["overlong"] = "\192\128" })
      for _, name in ipairs({ "nul", "latin", "overlong", "none", "." }) do
        local content, problem = read(folder, name)
        h.equal(nil, content)
        assert(problem, name)
      end
      assert(write(folder, ".", "x"))
      local _, problem = ask("write", folder, { path = folder .. "/x", content = 7 })
      assert(problem)
    end,
  },
  {
    "a buffer that is read-only, or older than its file, is not overwritten",
    function()
      local folder = h.folder({ ["a"] = "x\n", ["b"] = "x\n" })
      vim.bo[edit(folder .. "/a")].readonly = true
      h.contains(write(folder, "a", "y\n"), "read-only")
      edit(folder .. "/b")
      h.write(folder .. "/b", "from elsewhere\n")
      h.contains(write(folder, "b", "y\n"), "changed on disk")
      h.equal("from elsewhere\n", h.read(folder .. "/b"))
    end,
  },
}
