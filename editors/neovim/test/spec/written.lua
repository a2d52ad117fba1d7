-- A write is shown once: its diff, without the arguments that say the same.

local confirmation = require("turnwire.block.confirmation")
local details = require("turnwire.block.details")
local h = require("helper")

local function write(arguments)
  return {
    title = "Write",
    rawInput = arguments,
    content = { { type = "diff", path = "/work/notes.txt", oldText = "one\ntwo\n", newText = "one\nthree ls\n" } },
  }
end

local function shown(arguments)
  return table.concat(confirmation.new(write(arguments), "/work", {}).lines, "\n")
end

local diff = table.concat({
  "? Write",
  "  notes.txt +1 −1",
  "  @@ -1,2 +1,2 @@",
  "   one",
  "  -two",
  "  +three ls",
}, "\n")

return {
  {
    "a diff's file and text are not repeated",
    function()
      for _, arguments in ipairs({
        { path = "notes.txt", content = "one\nthree ls\n" },
        { file_path = "/work/notes.txt", old_string = "two", new_string = "three" },
        { filePath = "notes.txt", edits = { { oldText = "two", newText = "three" } } },
      }) do
        h.equal(diff, vim.trim(shown(arguments)))
      end
    end,
  },
  {
    "a request still shows every argument that the diff does not",
    function()
      for name, value in pairs({
        path = "/elsewhere/notes.txt",
        content = "something else",
        command = "ls",
        edits = { { oldText = "two", newText = "three", run = "ls" } },
        replace_all = true,
        file = 7,
      }) do
        local said = shown({ [name] = value, text = "three" })
        h.contains(said, "  " .. name .. ": ")
        h.lacks(said, "text:")
      end
    end,
  },
  {
    "a diff that is too large to show hides no argument",
    function()
      local call = write({ content = "new" })
      call.content[1].newText = "new" .. ("x"):rep(3 * 1024 * 1024)
      h.contains(table.concat(confirmation.new(call, "/work", {}).lines, "\n"), "content: new")
    end,
  },
  {
    "a request shows the whole diff in place of the arguments",
    function()
      local call = write({ content = ("line\n"):rep(500) .. "last\n" })
      call.content[1].newText = call.rawInput.content
      local said = table.concat(confirmation.new(call, "/work", {}).lines, "\n")
      h.lacks(said, "more lines")
      h.contains(said, "+last")
    end,
  },
  {
    "o shows the arguments too",
    function()
      h.contains(table.concat(details.all(write({ path = "notes.txt" }), "/work"), "\n"), "path: notes.txt")
    end,
  },
}
