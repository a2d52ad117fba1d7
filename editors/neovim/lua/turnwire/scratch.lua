--- Read-only display buffers: no file, no swap file, no modelines.

local M = {}

local count = 0

---@param name string
---@param lines string[]
---@return integer buffer
function M.new(name, lines)
  count = count + 1
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].modeline = false
  vim.bo[buf].bufhidden = "wipe"
  vim.bo[buf].undolevels = -1
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modifiable = false
  -- Add a number, because two buffers can't have the same name.
  vim.api.nvim_buf_set_name(buf, ("turnwire://%d/%s"):format(count, name))
  return buf
end

--- Highlights a text by its file name. Only enables highlighting: file type
--- plugins must not run on an agent's text.
---@param buf integer
---@param path string
function M.highlight(buf, path)
  local name = vim.fs.basename(require("turnwire.text").line(path))
  local filetype = name ~= "" and vim.filetype.match({ filename = name }) or nil
  if not filetype then
    return
  end
  local language = vim.treesitter.language.get_lang(filetype) or filetype
  if not pcall(vim.treesitter.start, buf, language) then
    vim.bo[buf].syntax = filetype
  end
end

--- Shows lines in a split; `q` closes it.
---@param name string
---@param lines string[]
---@return integer buffer
function M.split(name, lines)
  local buf = M.new(name, lines)
  vim.cmd("botright split")
  vim.api.nvim_win_set_buf(0, buf)
  M.window(0)
  vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buf, nowait = true, desc = "Close" })
  return buf
end

--- Shows lines below without moving there, while a menu is open. Neovim's own
--- menu covers the last lines of the screen, so some are left free.
---@param name string
---@param lines string[]
---@param free integer
---@return fun() hide
function M.peek(name, lines, free)
  local most = math.max(3, math.floor(vim.o.lines * 0.8) - free)
  if #lines > most then
    local omitted = #lines - most + 1
    lines = vim.list_slice(lines, 1, most - 1)
    table.insert(lines, ("⋯ %d more lines"):format(omitted))
  end
  local buf = M.new(name, lines)
  local win = vim.api.nvim_open_win(buf, false, { split = "below", win = -1, height = #lines + free })
  M.window(win)
  vim.cmd.redraw()
  return function()
    if vim.api.nvim_win_is_valid(win) then
      vim.api.nvim_win_close(win, true)
    end
  end
end

--- Turns off window options that are meant for code.
---@param win integer
function M.window(win)
  local set = { number = false, relativenumber = false, wrap = true, list = false, spell = false }
  for option, value in pairs(set) do
    vim.api.nvim_set_option_value(option, value, { scope = "local", win = win })
  end
end

return M
