--- The highlight groups. Each links to a group that every colour scheme has.

local M = {}

local links = {
  TurnwireTitle = "Title",
  TurnwireUser = "Identifier",
  TurnwireUserLine = "CursorLine",
  TurnwireHeading = "Title",
  TurnwireCode = "String",
  TurnwireCodeLine = "NormalFloat",
  TurnwireStrong = "Bold",
  TurnwireEmphasis = "Italic",
  TurnwireList = "Special",
  TurnwireQuote = "Comment",
  TurnwireLink = "Underlined",
  TurnwireThought = "Comment",
  TurnwireTool = "Function",
  TurnwireOutput = "Comment",
  TurnwireLabel = "NonText",
  TurnwirePending = "Comment",
  TurnwireRunning = "DiagnosticInfo",
  TurnwireCompleted = "DiagnosticOk",
  TurnwireFailed = "DiagnosticError",
  TurnwireDuration = "Comment",
  TurnwireAdded = "Added",
  TurnwireRemoved = "Removed",
  TurnwireHunk = "Comment",
  TurnwireAsk = "DiagnosticWarn",
  TurnwireKey = "Special",
  TurnwireInfo = "DiagnosticInfo",
  TurnwireWarning = "DiagnosticWarn",
  TurnwireError = "DiagnosticError",
  TurnwireRule = "WinSeparator",
  TurnwireStatus = "Comment",
  TurnwireHint = "NonText",
  TurnwireFolded = "Normal",
}

--- Defines the groups that neither the person nor the colour scheme defines.
function M.define()
  -- Not every colour scheme has these two Markdown groups.
  vim.api.nvim_set_hl(0, "Bold", { bold = true, default = true })
  vim.api.nvim_set_hl(0, "Italic", { italic = true, default = true })
  for group, link in pairs(links) do
    vim.api.nvim_set_hl(0, group, { link = link, default = true })
  end
end

vim.api.nvim_create_autocmd("ColorScheme", {
  group = vim.api.nvim_create_augroup("turnwire.highlight", {}),
  callback = M.define,
})

return M
