--- JSON for a person to read: object members in a stable order, and exact
--- numbers. vim.json.encode() would round numbers to 14 digits and fail for
--- values that JSON allows, and a confirmation shows arguments.

local M = {}

--- Lua numbers represent integers below this exactly.
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

--- Returns the names of an object's members, sorted.
---@param object table
---@return any[]
function M.names(object)
  local names = vim.tbl_keys(object)
  table.sort(names, function(a, b)
    return tostring(a) < tostring(b)
  end)
  return names
end

--- Returns the position after a string.
---@param text string
---@param at integer the string's first quotation mark
---@return integer
local function behind_string(text, at)
  repeat
    at = text:find('["\\]', at + 1) or #text
    local escape = text:sub(at, at) == "\\"
    at = at + (escape and 1 or 0)
  until not escape or at >= #text
  return at + 1
end

--- Returns the position after a value: a comma, or the end of the enclosing
--- value.
---@param text string
---@param at integer
---@return integer
local function behind_value(text, at)
  local depth = 0
  while true do
    at = text:find('["{}%[%],]', at)
    if not at then
      return #text + 1
    end
    local c = text:sub(at, at)
    if c == '"' then
      at = behind_string(text, at)
    elseif depth == 0 and (c == "," or c == "}" or c == "]") then
      return at
    else
      depth = depth + ((c == "{" or c == "[") and 1 or (c == "}" or c == "]") and -1 or 0)
      at = at + 1
    end
  end
end

--- Returns the names of an object's members in their original order, which
--- decoding loses.
---@param text string valid JSON
---@param path string[] the members that lead to the object
---@return string[]
function M.order(text, path)
  local names, level = {}, 1
  local at = text:find("{", 1, true)
  while at do
    at = text:find('["}]', at + 1)
    if not at or text:sub(at, at) == "}" then
      break
    end
    local behind = behind_string(text, at)
    local ok, name = pcall(vim.json.decode, text:sub(at, behind - 1))
    local value = text:find("[^%s:]", behind)
    if not ok or not value then
      break
    elseif level > #path then
      table.insert(names, name)
      at = behind_value(text, value)
    elseif name == path[level] and text:sub(value, value) == "{" then
      level, at = level + 1, value
    else
      at = behind_value(text, value)
    end
    if text:sub(at, at) == "}" then
      break
    end
  end
  return names
end

return M
