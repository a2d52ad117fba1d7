--- The plugin's options. The defaults should suit everybody.

local M = {}

local defaults = {
  --- The program and its arguments. The arguments of :Turnwire follow them.
  command = { "turnwire", "acp" },
  --- Environment variables in addition to Neovim's own.
  env = {},
  --- Where a chat opens: "right", "left", "below", "tab" or "current".
  position = "right",
  --- Width (or height) of its window: a fraction of the screen if below 1, else
  --- cells.
  size = 0.42,
  --- The limit for lines of a tool's output in the chat; `o` opens all of it.
  output_lines = 400,
  --- Milliseconds. A key that is pressed sooner after a question appeared, or
  --- after another key, is ignored: it was probably meant for something else.
  confirm_delay = 700,
  --- Milliseconds that the agent has to answer `initialize` and `session/new`.
  start_timeout = 60000,
  signs = {
    pending = "○",
    in_progress = "◐",
    completed = "✓",
    failed = "✗",
    thought = "✻",
    ask = "?",
    user = "❯",
    info = "ℹ",
    warning = "⚠",
    error = "✗",
  },
}

local current = vim.deepcopy(defaults)

local checks = {
  command = function(v)
    return vim.islist(v) and #v > 0 and vim.iter(v):all(function(s)
      return type(s) == "string"
    end), "a list of strings"
  end,
  position = function(v)
    return vim.list_contains({ "right", "left", "below", "tab", "current" }, v), "right, left, below, tab or current"
  end,
  size = function(v)
    return type(v) == "number" and v > 0, "a number above 0"
  end,
}

--- Describes what is wrong with options, as sentences.
---@param options table
---@return string[]
function M.problems(options)
  local out = {}
  for name, value in pairs(options) do
    local default = defaults[name]
    if default == nil then
      table.insert(out, ("unknown option %q"):format(tostring(name)))
    elseif checks[name] then
      local ok, want = checks[name](value)
      if not ok then
        table.insert(out, ("%s must be %s"):format(name, want))
      end
    elseif type(value) ~= type(default) then
      table.insert(out, ("%s must be a %s"):format(name, type(default)))
    end
  end
  table.sort(out)
  return out
end

--- Sets options. Options that are not given return to their defaults.
---@param options table
function M.set(options)
  local problems = M.problems(options)
  if #problems > 0 then
    error("turnwire.setup: " .. table.concat(problems, "; "), 0)
  end
  current = vim.tbl_deep_extend("force", vim.deepcopy(defaults), options)
end

return setmetatable(M, {
  __index = function(_, name)
    return current[name]
  end,
})
