--- The agents' stderr output and other problems, for :TurnwireLog.

local M = {}

--- The limits of the log: lines, and characters per line.
local most, longest = 2000, 2000

local lines = {}

---@param line string
function M.add(line)
  local text = require("turnwire.text")
  for _, l in ipairs(text.output(line:sub(1, longest))) do
    table.insert(lines, l)
  end
  while #lines > most do
    table.remove(lines, 1)
  end
end

function M.show()
  local scratch = require("turnwire.scratch")
  local shown = #lines > 0 and lines or { "No stderr output and no errors." }
  scratch.split("log", shown)
  vim.cmd("normal! G")
end

return M
