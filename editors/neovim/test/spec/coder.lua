-- The example with a model, which uses Turnwire's tools in Neovim.

local h = require("helper")

return {
  {
    "the example with a model reads, edits and runs",
    function()
      local coder = vim.fs.normalize(vim.env.TURNWIRE_TEST .. "/../../../test/coder.py")
      local folder = h.folder({ ["sum.py"] = 'def add(a, b):\n    return a - b\n\nprint("2 + 3 =", add(2, 3))\n' })
      -- On a busy machine, the agent's name arrives after the default timeout.
      local config = h.folder() .. "/turnwire.json"
      local agent = { type = "process", command = "python3", args = { coder }, greetTimeout = "60s" }
      h.write(config, vim.json.encode({ agents = { coder = agent } }))
      local chat = h.open(folder, { args = { "--agent", "coder", "--config", config } })
      h.send(chat, "Fix the sum.")
      h.asked(chat)
      h.contains(h.text(chat.buf), "Read sum.py")
      h.contains(h.text(chat.buf), "return a + b")
      h.contains(h.read(folder .. "/sum.py"), "a - b")
      h.keys("a")
      h.wait("it asks to run the program", function()
        return #chat.confirmations.list == 1 and h.text(chat.buf):find("Run python3 sum.py", 1, true)
      end)
      h.contains(h.read(folder .. "/sum.py"), "a + b")
      h.keys("a")
      h.done(chat)
      h.golden("coder", chat)
    end,
  },
}
