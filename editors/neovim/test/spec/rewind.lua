-- Going on from an earlier message in a new chat.

local h = require("helper")

---@return turnwire.Chat
local function current()
  return assert(require("turnwire.chats").of(vim.api.nvim_get_current_buf()))
end

--- Returns a chat with a turn for each prompt.
local function said(...)
  local chat = h.open(h.folder(), { args = h.agent("historian.sh") })
  for _, prompt in ipairs({ ... }) do
    h.send(chat, unpack(vim.split(prompt, "\n")))
    h.done(chat)
  end
  return chat
end

--- Waits for the new chat with the draft, and returns it.
local function forked(old, draft)
  h.wait("the new chat is loaded", function()
    local chat = current()
    return chat ~= old and chat.ready and not chat:is_busy() and not next(chat.transcript.dirty)
  end)
  local chat = current()
  h.equal(draft, chat.prompt:get())
  return chat
end

return {
  {
    ":TurnwireRewind lists the messages, and a new chat goes on from before the chosen one",
    function()
      local chat = said("one", "two\nlines", "three")
      local before = h.text(chat.buf)
      local seen = h.choose("two ⏎ lines")
      vim.cmd("TurnwireRewind")
      local fork = forked(chat, "two\nlines")
      h.equal({ "three", "two ⏎ lines", "one" }, seen[1].labels)
      h.contains(h.text(fork.buf), "one")
      h.lacks(h.text(fork.buf), "three")
      h.equal(before, h.text(chat.buf))
      h.keys("<CR>")
      h.done(fork)
      h.contains(h.text(fork.buf), "given 2")
      require("turnwire.window").show(chat)
      h.send(chat, "four")
      h.done(chat)
      h.contains(h.text(chat.buf), "four", "the old chat goes on too")
    end,
  },
  {
    "gR goes on from the message under the cursor",
    function()
      local chat = said("one", "two")
      vim.fn.search("one", "bw")
      h.keys("gR")
      local fork = forked(chat, "one")
      h.lacks(h.text(fork.buf), "two")
      h.keys("<CR>")
      h.done(fork)
      h.contains(h.text(fork.buf), "given 0")
    end,
  },
  {
    "an agent that can't go back offers nothing",
    function()
      local chat = h.open(h.folder())
      h.send(chat, "/say hello")
      h.done(chat)
      vim.cmd("TurnwireRewind")
      h.contains(h.notes[#h.notes], "can't go on from an earlier message")
      h.equal(chat, current())
    end,
  },
  {
    "going on can undo the changes of all later turns",
    function()
      local folder = h.folder({ ["notes.txt"] = "old\n" })
      local chat = h.open(folder, { args = h.agent("historian.sh") })
      local function turn(prompt, before, after)
        h.send(chat, prompt)
        h.done(chat)
        h.write(folder .. "/notes.txt", after)
        local made = require("turnwire.changes").new(folder)
        made:add(folder .. "/notes.txt", before, after)
        chat.rewind.said[#chat.rewind.said].changes = made
      end
      turn("one", "old\n", "1\n")
      turn("two", "1\n", "2\n")
      turn("three", "2\n", "3\n")
      vim.fn.search("two", "bw")
      local seen = h.choose("Edit and go on from here, and undo the later changes")
      h.keys("gR")
      forked(chat, "two")
      h.equal({ "Edit and go on from here", "Edit and go on from here, and undo the later changes" }, seen[1].labels)
      h.equal("1\n", h.read(folder .. "/notes.txt"))
    end,
  },
}
