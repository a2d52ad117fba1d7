--- Makes the agent's text safe to display.
---
--- Neovim shows control characters harmlessly. But characters that reorder or
--- hide text could make the shown command differ from the one that runs. So
--- both kinds are made visible. Text written to files is not affected.

local M = {}

local function name(char)
  return ("<U+%04X>"):format(vim.fn.char2nr(char, true))
end

--- U+2400 and the following characters are pictures of the control characters.
local function picture(char)
  local n = char:byte()
  return n == 127 and "\226\144\161" or "\226\144" .. string.char(128 + n)
end

--- In UTF-8: C1 controls and the soft hyphen; the Arabic letter mark; zero
--- width space and direction marks; line and paragraph separator and bidi
--- embeddings; word joiner to bidi isolates; byte order mark; interlinear
--- annotations; tags and the neighbouring variation selectors; the grapheme
--- joiner; the Mongolian vowel separator; and the Hangul fillers. Joiners stay,
--- because emoji and scripts need them.
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

--- Makes everything visible except line breaks and tabs.
---@param s any "" unless it is a string
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

--- Longer lines (in bytes) slow down an editor that wraps them.
local longest = 4000

--- Returns the last byte of the character at a byte, or a byte a little before
--- it if no character ends nearby.
---@param s string
---@param at integer
---@param least integer lower limit
---@return integer
function M.boundary(s, at, least)
  while at > least and at < #s and s:byte(at + 1) >= 128 and s:byte(at + 1) < 192 do
    at = at - 1
  end
  return at
end

--- Splits a line into pieces that can be displayed quickly. Nothing is left
--- out, and continuations are marked.
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

--- Makes a text visible on one line, cut if it is too long.
---@param s any
---@param max integer? most characters
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

--- Cuts a line that is too wide.
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

--- Splits a text into lines, without empty ones at the end. A long line becomes
--- several.
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

--- Splits a program's output into lines, without colours: tools print colour
--- codes even to pipes.
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
