--- A permission request's options, and the keys for them.

local text = require("turnwire.text")

local M = {}

local letters = { allow_once = "a", allow_always = "A", reject_once = "r", reject_always = "R" }

--- Words for a decided call, by option kind.
local words = { allow_once = "allowed", allow_always = "always allowed", reject_once = "rejected", reject_always = "rejected" }

---@class turnwire.Choice
---@field key string?
---@field label string
---@field group string
---@field id string the option's id
---@field allows boolean
---@field word string

--- Returns the offered options without malformed ones. The first option of each
--- kind gets the letter of its kind, the others get digits. Options without a
--- key are only in the menu.
---@param options any
---@return turnwire.Choice[]
function M.of(options)
  local out, taken, digit = {}, {}, 1
  for _, option in ipairs(type(options) == "table" and options or {}) do
    if type(option) == "table" and type(option.optionId) == "string" and type(option.kind) == "string" then
      local key = letters[option.kind]
      if not key or taken[key] then
        key = digit <= 9 and tostring(digit) or nil
        digit = digit + 1
      end
      local allows = vim.startswith(option.kind, "allow_")
      local label = text.line(option.name, 60)
      taken[key or ""] = true
      table.insert(out, {
        key = key,
        label = label ~= "" and label or text.line(option.kind, 60),
        group = allows and "TurnwireCompleted" or "TurnwireFailed",
        id = option.optionId,
        allows = allows,
        word = words[option.kind] or label ~= "" and label or text.line(option.kind, 60),
      })
    end
  end
  return out
end

return M
