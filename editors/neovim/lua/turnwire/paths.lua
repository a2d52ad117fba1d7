--- Paths, and which of them an agent may access.

local M = {}

---@param path any
---@return boolean
function M.is_absolute(path)
  return type(path) == "string" and (path:sub(1, 1) == "/" or path:match("^%a:[/\\]") ~= nil)
end

---@param path string
---@param root string
---@return boolean
local function inside(path, root)
  path, root = vim.fs.normalize(path), vim.fs.normalize(root)
  return path == root or vim.startswith(path, (root:gsub("/$", "")) .. "/")
end

--- Resolves all symbolic links of a path, even if its last components don't
--- exist yet.
---@param path string
---@return string?
local function resolve(path)
  local real = vim.uv.fs_realpath(path)
  if real then
    return real
  end
  -- A new file would be created wherever a dangling link points.
  if vim.uv.fs_lstat(path) then
    return nil
  end
  local parent, base = vim.fs.dirname(path), vim.fs.basename(path)
  if not parent or parent == path or base == "" then
    return nil
  end
  local above = resolve(parent)
  return above and vim.fs.joinpath(above, base)
end

--- Returns the real path if it is inside root.
---@param path any
---@param root string
---@return string? path
---@return string? problem
function M.confine(path, root)
  if not M.is_absolute(path) then
    return nil, "the path is not absolute"
  end
  if path:find("%z") then
    return nil, "the path is not valid"
  end
  for part in path:gmatch("[^/\\]+") do
    if part == ".." then
      return nil, "the path contains '..'"
    end
  end
  local real, base = resolve(path), vim.uv.fs_realpath(root)
  if not real or not base or not inside(real, base) then
    return nil, "the path is outside the session's folder"
  end
  return vim.fs.normalize(real)
end

--- Shortens a path for display.
---@param path string
---@param root string
---@return string
function M.short(path, root)
  path, root = vim.fs.normalize(path), vim.fs.normalize(root):gsub("/$", "")
  if vim.startswith(path, root .. "/") then
    return path:sub(#root + 2)
  end
  return path
end

--- Returns the buffer that holds a file. Doesn't use bufnr(), which treats
--- names as patterns.
---@param real string a real path
---@return integer?
function M.buffer(real)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].buftype == "" then
      local name = vim.api.nvim_buf_get_name(buf)
      if name ~= "" then
        local resolved = resolve(name)
        if resolved and vim.fs.normalize(resolved) == real then
          return buf
        end
      end
    end
  end
end

return M
