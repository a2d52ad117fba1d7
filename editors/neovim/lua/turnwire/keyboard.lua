--- Tracks when a key was last pressed.
---
--- The agent may ask while the person is typing. So a key only answers if the person
--- had time to read the question and has stopped typing.

local config = require("turnwire.config")

local M = {}

--- Returns the time in milliseconds; tests replace it.
---@return number
function M.now()
  return vim.uv.hrtime() / 1e6
end

local last = 0

function M.pressed()
  last = M.now()
end

--- Returns how long to wait until a key can answer. 0: it can now.
---@param appeared number? when the question appeared, in `now` time
---@return number milliseconds
function M.wait(appeared)
  return math.max(0, config.confirm_delay - (M.now() - math.max(last, appeared or 0)))
end

--- Records a key press, and reports whether it answers what appeared. Called from
--- the mapping's expression, before Neovim reports the key.
---@param appeared number
---@return boolean
function M.answers(appeared)
  local answers = M.wait(appeared) == 0
  M.pressed()
  return answers
end

--- Notifies the person that a key was ignored.
function M.too_soon()
  vim.notify("Turnwire: key ignored: pressed too soon; press it again", vim.log.levels.WARN)
end

vim.on_key(function(_, typed)
  if typed ~= "" then -- otherwise the key comes from a mapping
    M.pressed()
  end
end, vim.api.nvim_create_namespace("turnwire.keyboard"))

return M
