--- Colours for Markdown, line by line as it streams.
---
--- A parser over the whole buffer would let an unclosed fence of one message
--- colour everything behind it, and would read the output of tools as Markdown.
--- So each message is coloured on its own; its text stays as it came.

local M = {}

--- A highlight: from and to are byte columns, 0-based, end-exclusive.
---@alias turnwire.Mark { from: integer?, to: integer?, group: string?, line: string? }

---@class turnwire.Fence what a line stands in: nil, or an open code block
---@field mark string the characters that opened it
---@field language string

local inline = {
  { "()%*%*[^%s*][^*]-%*%*()", "TurnwireStrong" },
  { "()__[^%s_][^_]-__()", "TurnwireStrong" },
  { "%f[%w*]()%*[^%s*][^*]*%*()", "TurnwireEmphasis" },
  { "()%[[^%]]+%]%([^)]+%)()", "TurnwireLink" },
  { "()https?://[%w%-._~:/?#%[%]@!$&'()*+,;=%%]+()", "TurnwireLink" },
}

--- A line with more marks than this is no prose, and looking for their pairs
--- takes the square of their number.
local most_marks = 200

---@param line string
---@param out turnwire.Mark[]
local function spans(line, out)
  if select(2, line:gsub("[*_`%[]", "")) > most_marks then
    return
  end
  for _, rule in ipairs(inline) do
    for from, to in line:gmatch(rule[1]) do
      table.insert(out, { from = from - 1, to = to - 1, group = rule[2] })
    end
  end
  -- Behind the others, so that it wins over what stands in the code.
  for from, ticks, to in line:gmatch("()(`+)[^`]+%2()") do
    table.insert(out, { from = from - 1, to = to - 1, group = "TurnwireCode" })
    _ = ticks
  end
end

--- The colours of a line, and what the line behind it stands in.
---@param line string
---@param fence turnwire.Fence?
---@return turnwire.Mark[]
---@return turnwire.Fence?
function M.line(line, fence)
  local mark, rest = line:match("^ ? ? ?([`~][`~][`~]+)(.*)$")
  if fence then
    local closes = mark and mark:sub(1, 1) == fence.mark:sub(1, 1) and #mark >= #fence.mark and not rest:find("%S")
    if closes then
      return { { from = 0, to = #line, group = "TurnwireLabel" } }, nil
    end
    return { { line = "TurnwireCodeLine" } }, fence
  end
  if mark and not (mark:sub(1, 1) == "`" and rest:find("`")) then
    return { { from = 0, to = #line, group = "TurnwireLabel" } }, { mark = mark, language = rest:match("[%w+#_-]+") or "" }
  end
  if line:find("^ ? ? ?#+%s") then
    return { { from = 0, to = #line, group = "TurnwireHeading" } }, nil
  elseif line:find("^ ? ? ?%-%-%-+%s*$") or line:find("^ ? ? ?%*%*%*+%s*$") then
    return { { from = 0, to = #line, group = "TurnwireRule" } }, nil
  end
  local out = {}
  if line:find("^%s*>") then
    table.insert(out, { from = 0, to = #line, group = "TurnwireQuote" })
  else
    local from, to = line:match("^%s*()[-*+]()%s")
    if not from then
      from, to = line:match("^%s*()%d+[.)]()%s")
    end
    if from then
      table.insert(out, { from = from - 1, to = to - 1, group = "TurnwireList" })
    end
  end
  spans(line, out)
  return out, nil
end

--- The colours of code in a block that has been closed, by line.
---@param lines string[]
---@param language string
---@return table<integer, turnwire.Mark[]>
function M.code(lines, language)
  local out = {}
  local filetype = language ~= "" and vim.filetype.match({ filename = "x." .. language }) or nil
  local parser = filetype and vim.treesitter.language.get_lang(filetype) or language
  if parser == "" or not parser:find("^[%w_]+$") then
    return out
  end
  local source = table.concat(lines, "\n")
  local ok, tree = pcall(function()
    return vim.treesitter.get_string_parser(source, parser):parse()[1]
  end)
  local query = ok and tree and vim.treesitter.query.get(parser, "highlights")
  if not query then
    return out
  end
  for id, node in query:iter_captures(tree:root(), source) do
    local row, from, last, to = node:range()
    local name = query.captures[id]
    if row == last and name:sub(1, 1) ~= "_" and name ~= "spell" and name ~= "nospell" then
      out[row + 1] = out[row + 1] or {}
      table.insert(out[row + 1], { from = from, to = to, group = "@" .. name .. "." .. parser })
    end
  end
  return out
end

return M
