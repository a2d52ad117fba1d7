-- Shared by the tests: folders, chats with the real binary, keys, golden files.

local M = {}

local root = vim.env.TURNWIRE_TEST
local folders = 0

--- Fails, because an unexpected menu or input would block forever.
local function unexpected(kind)
  return function(_, options)
    error(("an unexpected %s: %s"):format(kind, options and options.prompt or "?"))
  end
end

--- The other Neovims that a test started.
---@type integer[]
M.jobs = {}

local now = require("turnwire.keyboard").now

--- Restores the state of a new Neovim.
function M.reset()
  require("turnwire.keyboard").now = now
  require("turnwire.keyboard").pressed()
  require("turnwire.chats").close_all()
  for _, job in ipairs(M.jobs) do
    vim.fn.jobstop(job)
  end
  M.jobs = {}
  vim.ui.select = unexpected("menu")
  vim.ui.input = function(options)
    unexpected("input")(nil, options)
  end
  vim.fn.inputsecret = function(options)
    unexpected("secret")(nil, options)
  end
  M.notes = {}
  vim.notify = function(message)
    table.insert(M.notes, message)
  end
  vim.cmd("silent! tabonly! | silent! only! | enew!")
  vim.cmd("silent! %bwipeout!")
  require("turnwire").setup({ command = { vim.env.TURNWIRE, "acp" }, confirm_delay = 0 })
end

--- Creates a temporary folder with files.
---@param files table<string, string>?
---@return string
function M.folder(files)
  folders = folders + 1
  local path = ("%s/ws%d"):format(vim.uv.fs_realpath(vim.env.TURNWIRE_SCRATCH), folders)
  vim.fn.mkdir(path, "p")
  for name, content in pairs(files or {}) do
    M.write(path .. "/" .. name, content)
  end
  return path
end

function M.write(path, content)
  vim.fn.mkdir(vim.fs.dirname(path), "p")
  local file = assert(io.open(path, "wb"))
  file:write(content)
  file:close()
end

function M.read(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local content = file:read("*a")
  file:close()
  return content
end

--- Waits for a condition. It may depend on a real process on a busy machine.
function M.wait(what, condition)
  if not vim.wait(60000, condition, 2) then
    error("waited in vain until " .. what .. "\n" .. table.concat(M.notes, "\n"), 2)
  end
end

--- Opens a chat in a folder and waits until its agent is ready.
---@return turnwire.Chat
function M.open(cwd, options)
  local buf = require("turnwire").open(vim.tbl_extend("force", { cwd = cwd }, options or {}))
  local chat = assert(require("turnwire.chats").of(buf))
  M.wait("the agent is ready", function()
    return chat.ready and not next(chat.transcript.dirty)
  end)
  vim.cmd.stopinsert() -- most tests begin in Normal mode
  return chat
end

--- Uses a native agent from agents/, behind the real binary.
function M.agent(name, ...)
  return { "--", "sh", root .. "/agents/" .. name, ... }
end

--- Uses a script that speaks ACP as the agent, without Turnwire.
function M.speak(name, ...)
  require("turnwire").setup({ command = { "sh", root .. "/agents/" .. name, ... }, confirm_delay = 0 })
end

function M.keys(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), "xt", false)
end

--- Types a prompt and sends it.
function M.send(chat, ...)
  chat.prompt:set({ ... })
  chat.prompt:focus(0)
  M.keys("<CR>")
end

--- Replaces the keyboard's clock by one that stands still until the test advances
--- it.
---@param delay integer value of `confirm_delay`
function M.clock(delay)
  local now = now()
  require("turnwire").setup({ command = { vim.env.TURNWIRE, "acp" }, confirm_delay = delay })
  require("turnwire.keyboard").now = function()
    return now
  end
  return {
    pass = function(milliseconds)
      now = now + milliseconds
    end,
  }
end

--- Waits until that many keys were ignored.
function M.too_soon(count)
  M.wait(count .. " keys were ignored", function()
    return count == #vim.tbl_filter(function(note)
      return note:find("pressed too soon", 1, true)
    end, M.notes)
  end)
end

function M.done(chat)
  M.wait("the turn is over", function()
    return not chat:is_busy() and not next(chat.transcript.dirty)
  end)
end

function M.asked(chat, count)
  M.wait("it asks", function()
    return #chat.confirmations.list == (count or 1)
  end)
end

---@return string[]
function M.lines(buf)
  return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
end

function M.text(buf)
  return table.concat(M.lines(buf), "\n")
end

function M.contains(text, part)
  if not text:find(part, 1, true) then
    error(("no %q in:\n%s"):format(part:sub(1, 200), text:sub(-4000)), 2)
  end
end

function M.lacks(text, part)
  if text:find(part, 1, true) then
    error(("%q in:\n%s"):format(part, text:sub(-4000)), 2)
  end
end

function M.equal(want, got)
  if not vim.deep_equal(want, got) then
    error(("want %s\ngot  %s"):format(vim.inspect(want), vim.inspect(got)), 2)
  end
end

--- Makes menus choose the item with the next label; false dismisses.
function M.choose(...)
  local answers, seen = { ... }, {}
  vim.ui.select = function(items, options, done)
    local labels = vim.tbl_map(options.format_item or tostring, items)
    table.insert(seen, { prompt = options.prompt, labels = labels })
    local answer = table.remove(answers, 1)
    for i, label in ipairs(labels) do
      if label == answer then
        done(items[i], i)
        return
      end
    end
    done(nil, nil)
  end
  return seen
end

--- Makes inputs enter the next text; false dismisses.
function M.type(...)
  local answers, seen = { ... }, {}
  vim.ui.input = function(options, done)
    table.insert(seen, options.prompt)
    done(table.remove(answers, 1) or nil)
  end
  return seen
end

--- Returns the chat as the screen shows it: "▸" marks a closed fold, and values
--- that vary between runs are replaced by names.
function M.picture(chat)
  local win = require("turnwire.window").of(chat.buf)[1]
  local out, lines = {}, M.lines(chat.buf)
  vim.api.nvim_win_call(win, function()
    local i = 1
    while i <= #lines do
      if i == chat.prompt:row() + 1 then
        table.insert(out, "")
        table.insert(out, "  ── " .. table.concat(vim.tbl_map(function(chunk)
          return chunk[1]
        end, chat.prompt.rule)) .. " ──")
      end
      local last = vim.fn.foldclosedend(i)
      table.insert(out, (last > 0 and "▸ " or "  ") .. lines[i])
      i = (last > 0 and last or i) + 1
    end
  end)
  for i, line in ipairs(out) do
    line = line:gsub(vim.pesc(chat.cwd), "FOLDER"):gsub(" · <1 ms$", " · TIME"):gsub(" · [%d.]+ m?s$", " · TIME")
    out[i] = line:gsub("working %d+ s", "working"):gsub("%s+$", "")
  end
  return table.concat(out, "\n") .. "\n"
end

--- Compares the chat with a golden file, or updates the file.
function M.golden(name, chat)
  local path, got = root .. "/golden/" .. name .. ".txt", M.picture(chat)
  if vim.env.TURNWIRE_UPDATE == "yes" then
    M.write(path, got)
    return
  end
  local want = M.read(path) or ""
  if want ~= got then
    error(("%s is not as it was (test/run --update refreshes it):\n%s"):format(name, vim.diff(want, got)), 2)
  end
end

return M
