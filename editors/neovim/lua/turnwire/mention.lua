--- Files mentioned with @ in a prompt. They are sent as links.

local paths = require("turnwire.paths")

local M = {}

--- Returns the content blocks for a prompt.
---@param prompt string
---@param cwd string
---@return table[]
function M.blocks(prompt, cwd)
  local blocks, seen = { { type = "text", text = prompt } }, {}
  for word in (" " .. prompt):gmatch("%s@(%S+)") do
    local name = word:gsub("[,;:!?)]+$", "")
    local path = paths.confine(vim.fs.joinpath(cwd, name), cwd)
    if not path or not vim.uv.fs_stat(path) then
      name = name:gsub("%.+$", "") -- the full stop of a sentence
      path = paths.confine(vim.fs.joinpath(cwd, name), cwd)
    end
    if path and not seen[path] and name ~= "" and vim.uv.fs_stat(path) then
      seen[path] = true
      table.insert(blocks, { type = "resource_link", name = name, uri = vim.uri_from_fname(path) })
    end
  end
  return blocks
end

return M
