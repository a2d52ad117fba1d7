-- Type-ahead: keys that were meant for something else answer nothing.

local h = require("helper")

local function asked_once()
  local chat = h.open(h.folder({ ["notes.txt"] = "one\n" }))
  h.send(chat, "/append notes.txt two")
  h.asked(chat)
  return chat, chat.cwd .. "/notes.txt"
end

return {
  {
    "a key answers once the question is old enough, and the last key",
    function()
      local clock = h.clock(700)
      local chat, file = asked_once()
      h.keys("a")
      h.too_soon(1)
      clock.pass(699)
      h.keys("a")
      h.too_soon(2)
      h.equal(1, #chat.confirmations.list)
      clock.pass(699)
      h.keys("j") -- any other key counts too
      clock.pass(699)
      h.keys("ka")
      h.too_soon(3)
      h.equal("one\n", h.read(file))
      clock.pass(700)
      h.keys("a")
      h.done(chat)
      h.equal("one\ntwo\n", h.read(file))
    end,
  },
  {
    "in diff mode, too, keys wait",
    function()
      local clock = h.clock(700)
      local chat, file = asked_once()
      clock.pass(700)
      h.keys("d")
      h.wait("the tab is open", function()
        return #vim.api.nvim_list_tabpages() == 2
      end)
      h.keys("a")
      h.too_soon(1)
      clock.pass(700)
      h.keys("r")
      h.done(chat)
      h.equal("one\n", h.read(file))
    end,
  },
  {
    "a menu that is answered too early is shown again",
    function()
      local chat, file = asked_once()
      local clock = h.clock(700)
      clock.pass(700)
      local answers = { "Allow", "Reject" }
      vim.ui.select = function(items, options, done)
        local answer = table.remove(answers, 1)
        if #answers == 0 then
          clock.pass(700)
        end
        for _, item in ipairs(items) do
          if options.format_item(item) == answer then
            done(item)
            return
          end
        end
      end
      vim.cmd("close")
      h.done(chat)
      h.equal({}, answers)
      h.too_soon(1)
      h.equal("one\n", h.read(file))
    end,
  },
  {
    "a question that is answered too early is asked again with the typed text",
    function()
      local clock = h.clock(700)
      local seen, given = {}, { "yyy", "Anna" }
      vim.ui.input = function(options, done)
        table.insert(seen, options.default or "")
        if #given == 1 then
          clock.pass(700)
        end
        done(table.remove(given, 1))
      end
      local request = { reply = function(self, answer)
        self.answered = answer
      end }
      local schema = { type = "object", properties = { a = { type = "string" } }, required = { "a" } }
      require("turnwire.form").open({ mode = "form", message = "Name?", requestedSchema = schema }, request, function() end)
      clock.pass(700)
      h.wait("it is answered", function()
        return request.answered
      end)
      h.equal({ "", "yyy" }, seen)
      h.equal("Anna", request.answered.content.a)
    end,
  },
  {
    "no menu opens while somebody types",
    function()
      local chat, file = asked_once()
      local clock = h.clock(20)
      local opened = false
      vim.ui.select = function(_, _, done)
        opened = true
        done(nil)
      end
      h.keys("j")
      vim.cmd("close")
      vim.wait(100, function()
        return opened
      end)
      h.equal(false, opened)
      clock.pass(20)
      h.done(chat)
      h.equal(true, opened)
      h.equal("one\n", h.read(file))
    end,
  },
}
