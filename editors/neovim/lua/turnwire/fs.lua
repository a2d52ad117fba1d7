--- File access for the agent. The agent sees files as the person does, including
--- unsaved changes.
---
--- A file that is open in a buffer is read from the buffer, and written through
--- it, so that undo restores the previous text. All other files are read from
--- and written to disk. Only regular files inside the session's folder are
--- accessible, wherever links lead.

local paths = require("turnwire.paths")
local rpc = require("turnwire.rpc")

local M = {}

--- Larger files (in bytes) don't fit a prompt.
local largest = 32 * 1024 * 1024

local bom = "\239\187\191"
local newline = { unix = "\n", dos = "\r\n", mac = "\r" }

--- Returns a buffer's text, with its file's line endings.
---@param buf integer
---@return string
function M.buffer_text(buf)
  local empty = vim.api.nvim_buf_call(buf, function()
    return vim.fn.line2byte(1) < 0
  end)
  if empty then
    return ""
  end
  local o = vim.bo[buf]
  local eol = newline[o.fileformat]
  local text = table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), eol)
  if o.endofline then
    text = text .. eol
  end
  return o.bomb and bom .. text or text
end

--- Reports whether the whole text is UTF-8.
---@param text string
---@return boolean
local function is_utf8(text)
  if not text:find("[\128-\255]") then
    return true
  end
  text = text:gsub("[\194-\223][\128-\191]", "."):gsub("[\224-\239][\128-\191][\128-\191]", ".")
  return not text:gsub("[\240-\244][\128-\191][\128-\191][\128-\191]", "."):find("[\128-\255]")
end

---@param path string
---@return string? text
---@return string? problem
---@return integer? code
local function read_disk(path)
  local stat = vim.uv.fs_stat(path)
  if not stat then
    return nil, "file not found", rpc.not_found
  elseif stat.type ~= "file" then
    return nil, "not a regular file"
  elseif stat.size > largest then
    return nil, "the file is too large"
  end
  local fd, err = vim.uv.fs_open(path, "r", 0)
  if not fd then
    return nil, err
  end
  local text, problem = vim.uv.fs_read(fd, stat.size, 0)
  vim.uv.fs_close(fd)
  if not text then
    return nil, problem
  elseif text:find("%z") or not is_utf8(text) then
    return nil, "the file is not text"
  end
  return text
end

--- Returns lines `line` to `line + limit - 1`, with their line endings.
---@param text string
---@param line any
---@param limit any
---@return string
local function excerpt(text, line, limit)
  line = type(line) == "number" and math.max(1, line) or 1
  limit = type(limit) == "number" and math.max(0, limit) or math.huge
  if line == 1 and limit == math.huge then
    return text
  end
  local from, n = 1, 1
  while n < line do
    local at = text:find("\n", from, true)
    if not at then
      return ""
    end
    from, n = at + 1, n + 1
  end
  local to, taken = from - 1, 0
  while taken < limit and to < #text do
    to, taken = text:find("\n", to + 1, true) or #text, taken + 1
  end
  return text:sub(from, to)
end

--- Answers `fs/read_text_file`.
---@param params table
---@param request turnwire.Request
---@param cwd string
function M.read(params, request, cwd)
  local path, problem = paths.confine(params.path, cwd)
  if not path then
    request:fail(rpc.invalid_params, "read: " .. problem)
    return
  end
  local buf, text, code = paths.buffer(path), nil, nil
  if buf then
    text = M.buffer_text(buf)
  else
    text, problem, code = read_disk(path)
    if not text then
      request:fail(code or rpc.internal_error, ("read %s: %s"):format(path, problem))
      return
    end
  end
  request:reply({ content = excerpt(text, params.line, params.limit) })
end

--- Returns a text's line ending format: nil if it has one line or mixed line
--- endings.
---@param text string
---@return string?
local function format_of(text)
  if text:find("\r\n", 1, true) and not text:gsub("\r\n", ""):find("[\r\n]") then
    return "dos"
  elseif text:find("\r", 1, true) and not text:find("\n", 1, true) then
    return "mac"
  elseif text:find("\n", 1, true) then
    return "unix"
  end
end

--- Replaces a buffer's text in one undo step. Only changes differing lines, so
--- marks, folds and cursors elsewhere stay.
---@param buf integer
---@param text string
local function set_buffer(buf, text)
  local o = vim.bo[buf]
  o.bomb = vim.startswith(text, bom)
  text = o.bomb and text:sub(#bom + 1) or text
  local format = format_of(text)
  o.fileformat = format or o.fileformat
  text = format and text:gsub(newline[format], "\n") or text
  o.endofline = vim.endswith(text, "\n")
  -- Otherwise saving would add a line break that nobody approved.
  if not o.endofline then
    o.fixendofline = false
  end
  local new = vim.split(o.endofline and text:sub(1, -2) or text, "\n", { plain = true })
  local old = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local hunks = vim.diff(table.concat(old, "\n") .. "\n", table.concat(new, "\n") .. "\n", { result_type = "indices" })
  o.undolevels = o.undolevels -- closes the current undo step
  for i = #hunks, 1, -1 do
    local at, removed, from, added = unpack(hunks[i])
    local first = removed == 0 and at or at - 1
    vim.api.nvim_buf_set_lines(buf, first, first + removed, false, vim.list_slice(new, from, from + added - 1))
  end
  o.undolevels = o.undolevels
end

---@param buf integer
---@param path string
---@param text string
---@return string? problem
local function write_buffer(buf, path, text)
  if not vim.bo[buf].modifiable or vim.bo[buf].readonly then
    return "its buffer is read-only"
  end
  if not vim.bo[buf].modified then
    local disk = read_disk(path)
    if disk and disk ~= M.buffer_text(buf) then
      return "the file changed on disk after its buffer was loaded"
    end
  end
  set_buffer(buf, text)
  local ok, err = pcall(vim.api.nvim_buf_call, buf, function()
    -- Write exactly what was approved, without formatters. Autocommands that
    -- only observe run afterwards.
    vim.cmd("silent noautocmd keepalt lockmarks write!")
    vim.api.nvim_exec_autocmds("BufWritePost", { buffer = buf, modeline = false })
  end)
  return not ok and tostring(err):gsub("^.-:%d+: ", "") or nil
end

---@param path string
---@param text string
---@return string? problem
local function write_disk(path, text)
  local stat = vim.uv.fs_stat(path)
  if stat and stat.type ~= "file" then
    return "not a regular file"
  end
  if not stat then
    local ok, err = pcall(vim.fn.mkdir, vim.fs.dirname(path), "p")
    if not ok then
      return tostring(err)
    end
  end
  local fd, err = vim.uv.fs_open(path, "w", 420) -- 0644; an existing file keeps its mode
  if not fd then
    return err
  end
  local done, problem = vim.uv.fs_write(fd, text, 0)
  vim.uv.fs_close(fd)
  return done ~= #text and (problem or "only part of the file was written") or nil
end

--- Replaces a file's text, through its buffer if it has one.
---@param path string
---@param text string
---@return string? problem
function M.overwrite(path, text)
  local buf = paths.buffer(path)
  if buf then
    return write_buffer(buf, path, text)
  end
  return write_disk(path, text)
end

--- Answers `fs/write_text_file`.
---@param params table
---@param request turnwire.Request
---@param cwd string
---@param written fun(path: string, before: string|false|nil, after: string|false|nil)? called with the file's content before and after
function M.write(params, request, cwd, written)
  local path, problem = paths.confine(params.path, cwd)
  if not path or type(params.content) ~= "string" then
    request:fail(rpc.invalid_params, "write: " .. (problem or "missing content"))
    return
  end
  local content, buf = require("turnwire.changes").content, paths.buffer(path)
  local before = content(path)
  if before and buf then
    before = M.buffer_text(buf)
  end
  problem = M.overwrite(path, params.content)
  if problem then
    request:fail(rpc.internal_error, ("write %s: %s"):format(path, problem))
    return
  end
  if written then
    written(path, before, content(path))
  end
  request:reply()
end

return M
