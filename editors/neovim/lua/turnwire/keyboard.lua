--- When a key was last pressed.
---
--- The agent may ask while the person types something else, so a key answers only if
--- the person had time to read the question, and has stopped typing.

local config = require("turnwire.config")

local M = {}

--- Milliseconds; tests replace it.
---@return number
function M.now()
  return vim.uv.hrtime() / 1e6
end

local last = 0

function M.pressed()
  last = M.now()
end

--- How long to wait until a key answers what has appeared. 0: it does now.
---@param appeared number? as `now` was then
---@return number milliseconds
function M.wait(appeared)
  return math.max(0, config.confirm_delay - (M.now() - math.max(last, appeared or 0)))
end

--- Records a key in the expression that it is mapped to, before Neovim reports it,
--- and says whether it answers what has appeared.
---@param appeared number
---@return boolean
function M.answers(appeared)
  local answers = M.wait(appeared) == 0
  M.pressed()
  return answers
end

--- Says that a key was ignored.
function M.too_soon()
  vim.notify("Turnwire: that key came before you can have read what is asked", vim.log.levels.WARN)
end

vim.on_key(function(_, typed)
  if typed ~= "" then -- else it comes from a mapping
    M.pressed()
  end
end, vim.api.nvim_create_namespace("turnwire.keyboard"))

return M
