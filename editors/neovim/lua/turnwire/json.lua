--- JSON as a person reads it: the members of an object in an order that does not
--- change, and numbers as they are. vim.json.encode() would round them to 14
--- digits and refuse what JSON can hold, and a confirmation shows arguments.

local M = {}

--- Integers that a number of Lua holds exactly are below this.
local exact = 2 ^ 53

---@param n number
local function number(n)
  if n % 1 == 0 and math.abs(n) < exact then
    return ("%d"):format(n)
  end
  return ("%.17g"):format(n)
end

---@param value any
---@return string
function M.text(value)
  if type(value) == "string" then
    return (vim.json.encode(value):gsub("\\/", "/"))
  elseif type(value) == "number" then
    return number(value)
  elseif value == vim.NIL then
    return "null"
  elseif type(value) ~= "table" then
    return tostring(value)
  end
  local out = {}
  if vim.islist(value) then
    for i, item in ipairs(value) do
      out[i] = M.text(item)
    end
    return "[" .. table.concat(out, ", ") .. "]"
  end
  for i, name in ipairs(M.names(value)) do
    out[i] = M.text(tostring(name)) .. ": " .. M.text(value[name])
  end
  return "{" .. table.concat(out, ", ") .. "}"
end

--- The names of an object's members, sorted.
---@param object table
---@return any[]
function M.names(object)
  local names = vim.tbl_keys(object)
  table.sort(names, function(a, b)
    return tostring(a) < tostring(b)
  end)
  return names
end

return M
