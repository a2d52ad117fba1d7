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
--- annotations, tags and the variation selectors beside them, the grapheme
--- joiner, the Mongolian vowel separator and the fillers of Hangul. The joiners
--- stay, for emoji and scripts need them.
local hidden = {
  "\194[\128-\159]",
  "\194\173",
  "\216\156",
  "\226\128[\139\142\143]",
  "\226\128[\168-\174]",
  "\226\129[\160-\175]",
  "\239\187\191",
  "\239\191[\185-\187]",
  "\243\160[\128\129\132-\135][\128-\191]",
  "\205\143",
  "\225\160\142",
  "\225\133[\159\160]",
  "\227\133\164",
  "\239\190\160",
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
  if s:find("[\194\205\216\225-\227\239\243]") then
    for _, pattern in ipairs(hidden) do
      s = s:gsub(pattern, name)
    end
  end
  return s
end

--- A line that is longer (in bytes) makes an editor slow that wraps it.
local longest = 4000

--- The byte with which the character at a byte ends, or one a little before it
--- where no character does.
---@param s string
---@param at integer
---@param least integer not before this
---@return integer
function M.boundary(s, at, least)
  while at > least and at < #s and s:byte(at + 1) >= 128 and s:byte(at + 1) < 192 do
    at = at - 1
  end
  return at
end

--- A line in pieces that can be shown quickly: nothing is left out, and what
--- continues a line says so.
---@param line string
---@return string[]
function M.pieces(line)
  local out, from = {}, 1
  repeat
    local to = M.boundary(line, math.min(from + longest - 1, #line), from + longest - 5)
    table.insert(out, (from > 1 and "↪ " or "") .. line:sub(from, to))
    from = to + 1
  until from > #line
  return out
end

--- The same on one line, which is cut where it is too long.
---@param s any
---@param max integer? characters
---@return string
function M.line(s, max)
  max = max or longest / 4
  if type(s) == "string" and #s > 4 * max then
    s = s:sub(1, M.boundary(s, 4 * max, 1))
  end
  s = M.visible(s):gsub("\n+$", ""):gsub("\n", " ⏎ "):gsub("\t", " ")
  if vim.fn.strchars(s) > max then
    s = vim.fn.strcharpart(s, 0, max - 1) .. "…"
  end
  return s
end

--- The beginning of a line that is too wide.
---@param line string without line breaks
---@param width integer cells
---@return string
function M.fit(line, width)
  if vim.api.nvim_strwidth(line) <= width then
    return line
  end
  local low, high = 0, vim.fn.strchars(line)
  while low < high do
    local middle = math.ceil((low + high) / 2)
    if vim.api.nvim_strwidth(vim.fn.strcharpart(line, 0, middle)) <= width - 1 then
      low = middle
    else
      high = middle - 1
    end
  end
  return vim.fn.strcharpart(line, 0, low) .. "…"
end

--- The lines of a text, without empty ones at its end; a long one is several.
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
  local out = {}
  for line in vim.gsplit(s:sub(1, last), "\n", { plain = true }) do
    if #line > longest then
      vim.list_extend(out, M.pieces(line))
    else
      table.insert(out, line)
    end
  end
  return out
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
