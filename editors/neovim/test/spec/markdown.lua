-- Random Markdown: its text stays unchanged, and its highlights fit.

local h = require("helper")
local text = require("turnwire.text")

local cases = 400

--- Returns a generator of numbers below n that is deterministic for a seed.
local function numbers(seed)
  local state = seed
  return function(n)
    state = state * 16807 % 2147483647
    return state % n
  end
end

local syntax = {
  "\n", "\n\n", "\r\n", " ", " ", "\t", "    ", "# ", "> ", "- ", "1. ", "---\n", "***\n", "```", "```lua\n", "\n```\n", "~~~\n", "`", "``", "*", "**",
  "_", "__", "[", "]", "](", ")", "https://example.org/?a=%1", "%", "%d+", "<script>", "|", "\\", "\0", "\27[31m", "\226\128\174", "é", "🙂", "e\204\129",
  "vim: set ft=x:", "local x = 'y'\n", "`` ` ``", "[a](b)", "**b**", "*c*",
}

--- Returns a random text in pieces that end at character boundaries.
local function random(seed)
  local number, pieces = numbers(seed), {}
  for i = 1, 1 + number(60) do
    local kind = number(20)
    if kind < 10 then
      pieces[i] = syntax[1 + number(#syntax)]
    elseif kind == 10 then
      pieces[i] = syntax[1 + number(#syntax)]:rep(1 + number(700))
    else
      pieces[i] = ("w%dx%d"):format(seed, i)
    end
  end
  return pieces
end

local function message(pieces)
  local made = require("turnwire.block.message").new("agent", "m")
  for _, piece in ipairs(pieces) do
    made:append(piece)
    made:render()
  end
  made:finish()
  return made
end

--- Returns a message's text, with the pieces of long lines joined.
local function joined(made)
  return (table.concat(made.lines, "\n"):gsub("\n *↪ ", ""))
end

--- Checks that marks are inside their lines; Neovim refuses others.
local function requireFits(made)
  local buf = vim.api.nvim_create_buf(false, true)
  local ok, err = pcall(function()
    vim.api.nvim_buf_set_lines(buf, 0, -1, true, made.lines)
    local namespace = vim.api.nvim_create_namespace("turnwire-test")
    for i, line in ipairs(made.lines) do
      local marks = made.marks[i] or {}
      assert(#line <= 5000, "a line of " .. #line .. " bytes")
      assert(#marks <= 1500, #marks .. " marks in a line")
      for _, mark in ipairs(marks) do
        if not mark.line then
          assert(mark.from <= mark.to, "a mark that ends before it begins")
          vim.api.nvim_buf_set_extmark(buf, namespace, i - 1, mark.from, { end_col = mark.to, hl_group = mark.group, strict = true })
        end
      end
    end
  end)
  vim.api.nvim_buf_delete(buf, { force = true })
  assert(ok, err)
end

return {
  {
    "no Markdown loses text, colours what is not there, or depends on its pieces",
    function()
      for seed = 1, cases do
        local pieces = random(seed)
        local said = table.concat(pieces)
        local ok, err = xpcall(function()
          local streamed, whole = message(pieces), message({ said })
          local shown = text.visible((said:gsub("^[\r\n]+", ""):gsub("[\r\n]+$", "")))
          h.equal(shown, joined(whole))
          h.equal(shown, joined(streamed))
          -- The cuts in a long line depend on how the text was streamed.
          if vim.deep_equal(whole.lines, streamed.lines) then
            h.equal(whole.marks, streamed.marks)
          else
            h.contains(table.concat(streamed.lines, "\n"), "\n↪ ")
          end
          requireFits(streamed)
        end, debug.traceback)
        assert(ok, ("seed %d: %s\n%s"):format(seed, vim.inspect(said), err))
      end
    end,
  },
}
