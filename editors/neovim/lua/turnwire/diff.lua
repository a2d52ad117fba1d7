--- Proposed changes in diff mode: each file in its own tab, with the keys that
--- answer.

local keyboard = require("turnwire.keyboard")
local paths = require("turnwire.paths")
local scratch = require("turnwire.scratch")
local text = require("turnwire.text")

local M = {}

--- Escapes percent signs, which 'winbar' would read as a format.
local function literal(s)
  return (s:gsub("%%", "%%%%"))
end

---@param s any
---@return string[]
local function lines(s)
  local out = vim.split(text.visible(s), "\n", { plain = true })
  if #out > 1 and out[#out] == "" then
    table.remove(out)
  end
  return out
end

---@param item table a `Diff`
---@param cwd string
---@param bar string
---@return integer[] buffers
---@return integer tab
local function open(item, cwd, bar)
  local path = type(item.path) == "string" and item.path or "?"
  local short = text.line(paths.short(path, cwd))
  vim.cmd("tab split")
  local buffers = {}
  for i, side in ipairs({ { "before", item.oldText }, { "after", item.newText } }) do
    if i == 2 then
      vim.cmd("rightbelow vsplit")
    end
    local buf = scratch.new(side[1] .. "/" .. short, lines(side[2]))
    vim.api.nvim_win_set_buf(0, buf)
    scratch.highlight(buf, path)
    vim.cmd("diffthis")
    vim.wo.foldlevel = 0
    vim.wo.winbar = literal(i == 1 and (item.oldText == nil and " (new file)" or " before: " .. short) or " after:" .. bar)
    table.insert(buffers, buf)
  end
  vim.cmd("normal! gg")
  pcall(vim.cmd, "normal! ]c")
  return buffers, vim.api.nvim_get_current_tabpage()
end

--- Shows the diffs. A key that answers closes them; `q` closes them without an
--- answer.
---@param diffs table[]
---@param cwd string
---@param choices turnwire.Choice[]
---@param decide fun(choice: turnwire.Choice)
---@return fun() close
function M.show(diffs, cwd, choices, decide)
  local origin = vim.api.nvim_get_current_win()
  local tabs = {}
  local function close()
    for _, tab in ipairs(tabs) do
      if vim.api.nvim_tabpage_is_valid(tab) and #vim.api.nvim_list_tabpages() > 1 then
        vim.cmd.tabclose(vim.api.nvim_tabpage_get_number(tab))
      end
    end
    tabs = {}
    if vim.api.nvim_win_is_valid(origin) then
      vim.api.nvim_set_current_win(origin)
    end
  end
  local shown = keyboard.now()
  choices = vim.tbl_filter(function(choice)
    return choice.key ~= nil
  end, choices)
  local bar = ""
  for _, choice in ipairs(choices) do
    bar = ("%s  [%s] %s"):format(bar, choice.key, choice.label)
  end
  for _, item in ipairs(diffs) do
    local buffers, tab = open(item, cwd, bar .. "  [q] Close")
    table.insert(tabs, tab)
    for _, buf in ipairs(buffers) do
      vim.keymap.set("n", "q", close, { buffer = buf, nowait = true, desc = "Close" })
      for _, choice in ipairs(choices) do
        vim.keymap.set("n", choice.key, function()
          local answers = keyboard.answers(shown)
          vim.schedule(function()
            if answers then
              decide(choice)
            else
              keyboard.too_soon()
            end
          end)
          return ""
        end, { buffer = buf, nowait = true, expr = true, desc = choice.label })
      end
    end
  end
  return close
end

return M
