--- Menus and inputs that open unasked: one at a time, and only while the person
--- does nothing else.
---
--- A menu that opened during typing would take keys meant for the text, and a
--- single digit answers it. So it waits until Neovim is in normal mode, or in an empty
--- prompt, and the keyboard is idle. Keys typed earlier never reach it.

local config = require("turnwire.config")
local keyboard = require("turnwire.keyboard")

local M = {}

---@class turnwire.Dialogue
---@field run fun(done: fun()) shows it; calls done once, when it is closed
---@field alive fun(): boolean whether it is still needed

---@type turnwire.Dialogue[]
local queue = {}
local active, waiting = false, false
local group = vim.api.nvim_create_augroup("turnwire.dialogue", {})

local function idle()
  local mode = vim.api.nvim_get_mode()
  -- Terminal buffers report normal mode as "nt".
  return (mode.mode == "n" or mode.mode == "nt") and not mode.blocking and vim.fn.getcmdwintype() == ""
end

--- Reports whether Neovim is in Insert mode in a chat's empty prompt.
local function prompt_is_empty()
  local chat = require("turnwire.chats").of(vim.api.nvim_get_current_buf())
  return chat ~= nil and vim.api.nvim_get_mode().mode == "i" and chat.prompt:is_empty()
end

local advance

--- Calls advance once no key was pressed for a moment.
---@return boolean whether it must wait for that
local function wait_for_keys()
  local rest = keyboard.wait()
  if rest > 0 then
    waiting = true
    vim.defer_fn(function()
      waiting = false
      advance()
    end, math.ceil(rest))
  end
  return rest > 0
end

function advance()
  if active or waiting then
    return
  end
  while queue[1] and not queue[1].alive() do
    table.remove(queue, 1)
  end
  if not queue[1] then
    return
  end
  if not idle() then
    vim.api.nvim_clear_autocmds({ group = group })
    vim.api.nvim_create_autocmd("ModeChanged", {
      group = group,
      once = true,
      callback = vim.schedule_wrap(advance),
    })
    if prompt_is_empty() and not wait_for_keys() then
      vim.cmd.stopinsert() -- ModeChanged follows
    end
    return
  end
  if wait_for_keys() then
    return
  end
  local dialogue = table.remove(queue, 1)
  active = true
  vim.fn.inputsave()
  local ok, err = pcall(dialogue.run, function()
    active = false
    vim.schedule(advance)
  end)
  vim.fn.inputrestore()
  if not ok then
    active = false
    vim.notify("Turnwire: " .. tostring(err), vim.log.levels.ERROR)
    vim.schedule(advance)
  end
end

--- Shows a menu or an input. If the answer comes before anybody could have read
--- the question, shows it again. Closing it without an answer counts as none.
---@param show fun(answered: fun(value: any), typed: any)
---@param done fun(value: any)
---@param typed any an answer that came too soon
function M.answer(show, done, typed)
  local appeared = keyboard.now()
  show(function(value)
    if value == nil or keyboard.now() - appeared >= config.confirm_delay then
      done(value)
      return
    end
    keyboard.too_soon()
    vim.schedule(function()
      M.answer(show, done, value)
    end)
  end, typed)
end

---@param dialogue turnwire.Dialogue
function M.add(dialogue)
  table.insert(queue, dialogue)
  vim.schedule(advance)
end

return M
