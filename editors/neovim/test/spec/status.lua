-- The line above the prompt, in windows of different widths.

local h = require("helper")
local status = require("turnwire.status")

local function option(id, name)
  return { id = id, name = id, type = "select", currentValue = "x", options = { { value = "x", name = name } } }
end

local function line(made, width)
  return table.concat(vim.tbl_map(function(chunk)
    return chunk[1]
  end, made:chunks(width)))
end

local function long()
  local made = status.new(function() end)
  made:set_options({ option("mode", "Accept all edits"), option("model", "anthropic.claude-sonnet-4-5-20250929-v1:0 (1M context)") })
  made:set_usage({ used = 12345, size = 200000, cost = { amount = 0.126, currency = "USD" } })
  made.state = "ended"
  return made
end

return {
  {
    "the line fits, and drops the most important part last",
    function()
      local made = long()
      h.equal("stopped · <CR> restarts it · Accept all edits · anthropic.claude-sonnet-4-5-20250929-v1… · 12.3k/200k tokens · $0.13", line(made, 140))
      h.equal("stopped · Accept al… · anthropic… · 6 % · $0.13", line(made, 48))
      h.equal("stopped · Accept al… · 6 % · $0.13", line(made, 38))
      h.equal("stopped · 6 % · $0.13", line(made, 22))
      h.equal("stopped", line(made, 8))
      h.equal("st…", line(made, 3))
      for width = 1, 160 do
        local shown = line(made, width)
        assert(vim.api.nvim_strwidth(shown) <= width, shown)
      end
    end,
  },
  {
    "the line fits into the window of a screen with 80 columns, and grows with it",
    function()
      local columns = vim.o.columns
      vim.o.columns = 80
      local chat = h.open(h.folder())
      chat.status.settings = { "anthropic.claude-sonnet-4-5-20250929-v1:0", "Accept all edits" }
      chat.status:set_usage({ used = 12345, size = 200000 })
      local function shown()
        local cells = {}
        vim.cmd.redraw()
        local win = vim.api.nvim_get_current_win()
        local place = vim.fn.screenpos(win, chat.prompt:row() + 1, 1)
        for column = place.col, place.col + vim.api.nvim_win_get_width(win) - 1 do
          table.insert(cells, vim.fn.screenstring(place.row - 1, column))
        end
        return table.concat(cells)
      end
      h.equal(40, vim.api.nvim_win_get_width(0))
      h.contains(shown(), "ready")
      h.contains(shown(), " · 6 % ─")
      vim.cmd("vertical resize 76")
      vim.api.nvim_exec_autocmds("WinResized", {})
      h.contains(shown(), "12.3k/200k tokens ─")
      vim.o.columns = columns
    end,
  },
}
