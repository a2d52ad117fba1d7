--- Text of the agent, made fit to be shown.
---
--- Neovim shows control characters harmlessly, but characters that reorder or
--- hide text would let an agent show another command than the one it asks to
--- run. So both are made visible. Nothing here changes what goes to a file.

local M = {}

local function name(char)
  return ("<U+%04X>"):format(vim.fn.char2nr(char, true))
end

--- U+2400 and what follows are pictures of the control characters.
local function picture(char)
  local n = char:byte()
  return n == 127 and "\226\144\161" or "\226\144" .. string.char(128 + n)
end

--- In UTF-8: C1 controls and the soft hyphen, the Arabic letter mark, zero
--- width space and the marks of direction, line and paragraph separator and
--- bidi embeddings, word joiner to bidi isolates, byte order mark, interlinear
--- annotations, and tags. The joiners stay, for emoji and scripts need them.
local hidden = {
  "\194[\128-\159]",
  "\194\173",
  "\216\156",
  "\226\128[\139\142\143]",
  "\226\128[\168-\174]",
  "\226\129[\160-\175]",
  "\239\187\191",
  "\239\191[\185-\187]",
  "\243\160[\128\129][\128-\191]",
}

--- The text with everything visible, but for line breaks and tabs.
---@param s any what is no string is ""
---@return string
function M.visible(s)
  if type(s) ~= "string" then
    return ""
  end
  if s:find("[%z\1-\8\11-\31\127]") then
    s = s:gsub("\r\n", "\n"):gsub("[%z\1-\8\11-\31\127]", picture)
  end
  if s:find("[\194\216\226\239\243]") then
    for _, pattern in ipairs(hidden) do
      s = s:gsub(pattern, name)
    end
  end
  return s
end

--- The same on one line.
---@param s any
---@param max integer? characters, if not all
---@return string
function M.line(s, max)
  s = M.visible(s):gsub("\n+$", ""):gsub("\n", " ⏎ "):gsub("\t", " ")
  if max and vim.fn.strchars(s) > max then
    s = vim.fn.strcharpart(s, 0, max - 1) .. "…"
  end
  return s
end

--- The lines of a text, without empty ones at its end.
---@param s any
---@return string[]
function M.lines(s)
  s = M.visible(s)
  local last = #s
  while last > 0 and s:byte(last) == 10 do
    last = last - 1
  end
  if last == 0 then
    return {}
  end
  return vim.split(s:sub(1, last), "\n", { plain = true })
end

--- The lines of what a program printed: colours are left out, because tools
--- print them in spite of everything, and they say nothing here.
---@param s any
---@return string[]
function M.output(s)
  if type(s) == "string" and s:find("\27", 1, true) then
    s = s:gsub("\27%[[%d;:]*m", "")
  end
  return M.lines(s)
end

--- Where the last lines of a text begin.
---@param s string
---@param count integer
---@return integer
local function tail_of(s, count)
  local at = #s
  if s:byte(at) == 10 then
    at = at - 1
  end
  while at > 0 do
    if s:byte(at) == 10 then
      count = count - 1
      if count == 0 then
        return at + 1
      end
    end
    at = at - 1
  end
  return 1
end

--- The first and the last lines of what a program printed, and how many are left
--- out between them. What is left out is not looked at: it may be megabytes.
---@param s any
---@param max number how many lines in all
---@return string[] first
---@return string[] last
---@return integer omitted
function M.ends(s, max)
  if type(s) ~= "string" or #s <= max then
    return M.output(s), {}, 0
  end
  local half, from = math.floor(max / 2), 0
  for _ = 1, half do
    from = s:find("\n", from + 1, true)
    if not from then
      return M.output(s), {}, 0
    end
  end
  local to = tail_of(s, half)
  if to <= from + 1 then
    return M.output(s), {}, 0
  end
  local _, omitted = s:sub(from + 1, to - 1):gsub("\n", "")
  return M.output(s:sub(1, from)), M.output(s:sub(to)), omitted
end

---@param ms number
---@return string
function M.duration(ms)
  if ms < 1 then
    return "<1 ms"
  elseif ms < 1000 then
    return ("%d ms"):format(ms)
  elseif ms < 60000 then
    return ("%.1f s"):format(ms / 1000)
  end
  local seconds = math.floor(ms / 1000)
  return ("%d min %d s"):format(math.floor(seconds / 60), seconds % 60)
end

---@param n number
---@return string
function M.count(n)
  if n < 1000 then
    return ("%d"):format(n)
  elseif n < 1000000 then
    return (("%.1f"):format(n / 1000):gsub("%.0$", "")) .. "k"
  end
  return (("%.1f"):format(n / 1000000):gsub("%.0$", "")) .. "M"
end

return M
