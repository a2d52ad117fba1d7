-- Markdown as displayed: markup is hidden, tables are aligned, the text is
-- unchanged.

local h = require("helper")
local updates = require("turnwire.updates")

--- Returns the screen lines of the chat's last block in a window of a given
--- width.
local function screen(said, width)
  local chat = h.open(h.folder())
  vim.cmd("vertical resize " .. width)
  vim.api.nvim_exec_autocmds("WinResized", {})
  for piece in said:gmatch(".[\128-\191]*.?[\128-\191]*") do
    updates.apply(chat, { sessionUpdate = "agent_message_chunk", messageId = "m", content = { type = "text", text = piece } })
    chat.transcript:flush()
  end
  chat.transcript:finish()
  chat.transcript:flush()
  local function seen()
    vim.cmd.redraw()
    local out, win = {}, vim.api.nvim_get_current_win()
    local block = chat.transcript:last()
    for row = block.row + 1, block.row + block.drawn do
      local place, cells = vim.fn.screenpos(win, row, 1), {}
      for column = place.col, place.col + vim.api.nvim_win_get_width(win) - 1 do
        table.insert(cells, vim.fn.screenstring(place.row, column))
      end
      table.insert(out, (table.concat(cells):gsub("%s+$", "")))
    end
    return out
  end
  return seen, chat
end

return {
  {
    "Markdown's markup is hidden, and copied text contains it",
    function()
      local said = "# Head\n\nIt is **bold**, *soft*, `co*d*e` and [a link](https://x.org/).\n\n- item\n- [x] done\n- [ ] open **`both`**\n\n> quote\n\n```lua\nlocal x = 1\n```"
      local seen, chat = screen(said, 80)
      h.equal({ "Head", "", "It is bold, soft, co*d*e and a link.", "", "• item", "☑ done", "☐ open both", "", "▏ quote", "", "lua", "local x = 1", "" }, seen())
      h.contains(h.text(chat.buf), said)
      local block = chat.transcript:last()
      vim.cmd(("silent %d,%dyank"):format(block.row + 1, block.row + block.drawn))
      h.equal(said .. "\n", vim.fn.getreg('"'))
    end,
  },
  {
    "tables are aligned, also with markup and wide characters",
    function()
      local seen, chat = screen("| Name | Count | 日 |\n|:--|--:|:-:|\n| **a** | 1 | x |\n| `long name` | 1234 | 日本語 |\n\nbehind", 80)
      local want = {
        "│ Name      │ Count │   日   │",
        "├───────────┼───────┼────────┤",
        "│ a         │     1 │   x    │",
        "│ long name │  1234 │ 日本語 │",
        "",
        "behind",
      }
      h.equal(want, seen())
      -- A window that is too narrow shows the text, and the table again when it
      -- is wide enough.
      vim.cmd("vertical resize 24")
      vim.api.nvim_exec_autocmds("WinResized", {})
      chat.transcript:flush()
      h.equal("│ Name │ Count │ 日 │", seen()[1])
      vim.cmd("vertical resize 80")
      vim.api.nvim_exec_autocmds("WinResized", {})
      chat.transcript:flush()
      h.equal(want, seen())
    end,
  },
  {
    "a table's overlay is removed when the table becomes shorter",
    function()
      local chat = h.open(h.folder())
      local transcript = chat.transcript
      local function mark()
        return { { from = 0, to = 1, group = "TurnwireRule", pad = " " } }
      end
      local block = transcript:add({ kind = "message", lines = { "a", "b", "c" }, marks = { mark(), mark(), mark() } })
      transcript:add({ kind = "message", lines = { "below" }, marks = {} })
      transcript:flush()
      block.lines, block.marks, block.dirty = { "a" }, { mark() }, 2
      transcript:touch(block)
      transcript:flush()
      local space = vim.api.nvim_get_namespaces()["turnwire.transcript"]
      local function rows()
        return vim.tbl_map(function(found)
          return found[2]
        end, vim.api.nvim_buf_get_extmarks(chat.buf, space, { block.row, 0 }, -1, {}))
      end
      h.equal({ block.row }, rows())
      -- Deleting lines doesn't leave marks behind either.
      vim.bo[chat.buf].modifiable = true
      vim.api.nvim_buf_set_lines(chat.buf, block.row, block.row + 1, false, {})
      h.wait("it is drawn again", function()
        return vim.api.nvim_buf_get_lines(chat.buf, block.row, block.row + 1, false)[1] == "a"
      end)
      h.equal({ block.row }, rows())
    end,
  },
  {
    "tables without a frame, with cells that are missing, and in code",
    function()
      local seen = screen("a | bcd\n--- | ---\nxyz | 1\nq\n\n```\n| a | b |\n|---|---|\n| long | 1 |\n```", 80)
      h.equal({ "a   │ bcd", "────┼────", "xyz │ 1", "q", "", "", "| a | b |", "|---|---|", "| long | 1 |", "" }, seen())
    end,
  },
  {
    "code of a block that is never closed has its colours when the message ends",
    function()
      local _, chat = screen("```lua\nlocal x = 1", 80)
      local block = chat.transcript:last()
      local groups = vim.tbl_map(function(mark)
        return mark.group or ""
      end, block.marks[2])
      assert(vim.list_contains(groups, "@keyword.lua"), vim.inspect(groups))
    end,
  },
}
