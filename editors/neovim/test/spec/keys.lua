-- Keys in the prompt and in the transcript.

local h = require("helper")

--- Checks that a key before a motion isn't an operator: the motion moves the
--- cursor.
local function only_moves(key)
  vim.cmd.normal({ "0", bang = true })
  local row = vim.api.nvim_win_get_cursor(0)[1]
  h.keys(key .. "k")
  return vim.api.nvim_win_get_cursor(0)[1] == row - 1
end

return {
  {
    "<CR> sends in every mode, as the prompt says",
    function()
      local chat = h.open(h.folder())
      local function hint()
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(chat.buf, -1, 0, -1, { details = true })) do
          if mark[4].virt_text_pos == "eol" then
            return mark[4].virt_text[1][1]
          end
        end
      end
      h.contains(hint(), "<CR> sends")
      for i, keys in ipairs({ "i/say one<CR>", "i/say two<Esc><CR>", "i/say three<Esc>v<CR>", "i/say four<Esc>gh<CR>", "R/say five<CR>", "i/say six<C-s>" }) do
        chat.prompt:focus(0)
        h.keys(keys)
        h.done(chat)
        local said = ({ "one", "two", "three", "four", "five", "six" })[i]
        h.contains(h.text(chat.buf), "❯ /say " .. said .. "\n\n" .. said .. "\n")
        h.equal("", chat.prompt:get())
        h.equal("n", vim.api.nvim_get_mode().mode)
      end
    end,
  },
  {
    "a line is begun with <S-CR>, <M-CR> and <C-j>, and <CR> takes a completion before it sends",
    function()
      local folder = h.folder({ ["notes.txt"] = "", ["note.md"] = "" })
      local chat = h.open(folder)
      h.keys("ione<S-CR>two<M-CR>three<C-j>four<Esc>")
      h.equal("one\ntwo\nthree\nfour", chat.prompt:get())
      chat.prompt:set({ "" })
      chat.prompt:focus(0)
      h.keys("isee @not<Tab><CR> there<Esc>")
      h.equal("see @note.md there", chat.prompt:get())
      h.equal(false, chat:is_busy())
    end,
  },
  {
    "d is an operator only in the prompt",
    function()
      local chat = h.open(h.folder({ ["notes.txt"] = "one\n" }))
      h.send(chat, "/think hm", "/ask Which? | red", "/append notes.txt two")
      h.choose("red")
      h.asked(chat)
      local before = h.lines(chat.buf)
      vim.wo.foldenable = false
      for row = 2, chat.prompt:row() do
        for _, key in ipairs({ "d", "c", "r" }) do
          vim.api.nvim_win_set_cursor(0, { row, 0 })
          if chat.confirmations:at(row - 1) == nil then
            h.equal(true, only_moves(key))
          end
        end
      end
      h.equal(before, h.lines(chat.buf))
      h.equal(1, #chat.confirmations.list)
      chat.prompt:set({ "one two" })
      vim.api.nvim_win_set_cursor(0, { chat.prompt:row() + 1, 0 })
      chat.prompt:protect()
      h.keys("dw")
      h.equal("two", chat.prompt:get())
    end,
  },
  {
    "d on a confirmation without a change waits for nothing",
    function()
      local folder = h.folder()
      local chat = h.open(folder, { args = h.agent("confirm.sh", folder .. "/record") })
      h.send(chat, "go")
      h.asked(chat)
      h.equal(chat.confirmations.list[1], chat.confirmations:at(vim.api.nvim_win_get_cursor(0)[1] - 1))
      h.equal(true, only_moves("d"))
      h.equal(1, #chat.confirmations.list)
      h.keys("r")
      h.wait("it is decided", function()
        return #chat.confirmations.list == 0
      end)
      h.done(chat)
    end,
  },
}
