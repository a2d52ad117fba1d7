--- The parameters of `initialize`: who this client is, and what it can do.

local M = {}

local version = "0.1.0"

--- Returns this client's capabilities. An empty object must not become an empty
--- list.
local function capabilities()
  local yes = vim.empty_dict()
  return {
    fs = { readTextFile = true, writeTextFile = true },
    terminal = false,
    auth = { terminal = true },
    session = { notices = yes, compaction = yes, configOptions = { boolean = yes }, cursors = yes },
    elicitation = { form = yes },
    -- How agents asked for a terminal login before the protocol supported it.
    _meta = { ["terminal-auth"] = true, ["turnwire.dev/fork"] = true },
  }
end

---@return table
function M.params()
  return {
    protocolVersion = 1,
    clientCapabilities = capabilities(),
    clientInfo = { name = "turnwire.nvim", title = "Turnwire for Neovim", version = version },
  }
end

return M
