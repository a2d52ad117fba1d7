--- A chat's folds. Thoughts and tool calls fold to their first line, which is
--- written as a summary. Folds of level 2 are closed until the person opens
--- them.

local M = {}

--- The 'foldexpr' of a chat's window.
---@return string
function M.expr()
  local chat = require("turnwire.chats").of(vim.api.nvim_get_current_buf())
  local row = vim.v.lnum - 1
  local block = chat and chat.transcript:at(row)
  if not block or not block.fold or #block.lines < 2 then
    return "0"
  end
  return (row == block.row and ">" or "") .. block.fold
end

return M
