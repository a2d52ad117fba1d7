--- Highlights Markdown line by line as it streams.
---
--- Markup is hidden where Neovim hides text ('conceallevel'), and stays in the buffer. A
--- parser over the whole buffer would let one message's unclosed fence highlight everything
--- after it, and would read tool output as Markdown. So each message is highlighted
--- separately, and its text is unchanged.

local M = {}

--- A highlight: `from` and `to` are byte columns, 0-based, end-exclusive. `conceal` hides
--- the text or shows a character instead, `pad` is inserted before `from`, and `over`
--- covers the text from there on.
---@alias turnwire.Mark { from: integer?, to: integer?, group: string?, line: string?, conceal: string?, pad: string?, over: string? }

---@class turnwire.Fence the open code block that contains a line; nil outside of one
---@field mark string the characters that opened it
---@field language string

--- Inline markup: its pattern, its highlight group, and how many bytes at both ends are
--- markup.
local inline = {
  { "()%*%*[^%s*][^*]-%*%*()", "TurnwireStrong", 2 },
  { "()__[^%s_][^_]-__()", "TurnwireStrong", 2 },
  { "%f[%w*]()%*[^%s*][^*]*%*()", "TurnwireEmphasis", 1 },
  { "()%[[^%]]+%]%([^)]+%)()", "TurnwireLink" },
  { "()https?://[%w%-._~:/?#%[%]@!$&'()*+,;=%%]+()", "TurnwireLink" },
}

--- A line with more marks than this isn't prose, and matching them takes quadratic time.
local most_marks = 200

--- Hides bytes, or shows one character instead.
---@param out turnwire.Mark[]
---@param from integer
---@param to integer end-exclusive
---@param char string?
---@param group string?
local function hide(out, from, to, char, group)
  table.insert(out, { from = from, to = to, conceal = char or "", group = char and group })
end

---@param line string
---@param out turnwire.Mark[]
local function spans(line, out)
  if select(2, line:gsub("[*_`%[]", "")) > most_marks then
    return
  end
  local taken = {}
  local function free(from, to)
    for _, span in ipairs(taken) do
      -- Code inside a span is allowed: bold text may contain code.
      local within = from < span[1] and span[2] < to
      if not within and from < span[2] and span[1] < to then
        return false
      end
    end
    table.insert(taken, { from, to })
    return true
  end
  -- Code comes first, because nothing inside it is markup.
  for from, ticks, to in line:gmatch("()(`+)[^`]+%2()") do
    table.insert(out, { from = from - 1, to = to - 1, group = "TurnwireCode" })
    hide(out, from - 1, from - 1 + #ticks)
    hide(out, to - 1 - #ticks, to - 1)
    free(from, to)
  end
  for _, rule in ipairs(inline) do
    for from, to in line:gmatch(rule[1]) do
      if free(from, to) then
        table.insert(out, { from = from - 1, to = to - 1, group = rule[2] })
        if rule[3] then
          hide(out, from - 1, from - 1 + rule[3])
          hide(out, to - 1 - rule[3], to - 1)
        elseif line:sub(from, from) == "[" then
          hide(out, from - 1, from)
          hide(out, line:find("](", from, true) - 1, to - 1)
        end
      end
    end
  end
end

--- Returns a line's highlights, and the fence state after it.
---@param line string
---@param fence turnwire.Fence?
---@return turnwire.Mark[]
---@return turnwire.Fence?
function M.line(line, fence)
  local mark, rest = line:match("^ ? ? ?([`~][`~][`~]+)(.*)$")
  if fence then
    local closes = mark and mark:sub(1, 1) == fence.mark:sub(1, 1) and #mark >= #fence.mark and not rest:find("%S")
    if closes then
      local out = { { from = 0, to = #line, group = "TurnwireLabel" } }
      hide(out, 0, #line)
      return out, nil
    end
    return { { line = "TurnwireCodeLine" } }, fence
  end
  if mark and not (mark:sub(1, 1) == "`" and rest:find("`")) then
    local out = { { from = 0, to = #line, group = "TurnwireLabel" } }
    hide(out, 0, #line - #rest)
    return out, { mark = mark, language = rest:match("[%w+#_-]+") or "" }
  end
  local out = {}
  local title = line:match("^ ? ? ?#+%s+()")
  if title then
    table.insert(out, { from = 0, to = #line, group = "TurnwireHeading" })
    hide(out, 0, title - 1)
    return out, nil
  elseif line:find("^ ? ? ?%-%-%-+%s*$") or line:find("^ ? ? ?%*%*%*+%s*$") then
    return { { from = 0, to = 0, overlay = ("─"):rep(math.max(30, #line)), group = "TurnwireRule" } }, nil
  end
  local quote = line:match("^%s*()>")
  if quote then
    table.insert(out, { from = 0, to = #line, group = "TurnwireQuote" })
    hide(out, quote - 1, quote, "▏", "TurnwireQuote")
  else
    local from, to = line:match("^%s*()[-*+]()%s")
    if from then
      local box = line:match("^ %[([ xX])%] ", to)
      if box then
        hide(out, from - 1, to + 3, box == " " and "☐" or "☑", "TurnwireList")
      else
        hide(out, from - 1, to - 1, "•", "TurnwireList")
      end
    else
      from, to = line:match("^%s*()%d+[.)]()%s")
    end
    if from then
      table.insert(out, { from = from - 1, to = to - 1, group = "TurnwireList" })
    end
  end
  spans(line, out)
  return out, nil
end

--- A line of code with more highlights than this was not written to be read.
local most_colours = 1000

--- Highlights the code in a closed block, by line.
---@param lines string[]
---@param language string
---@return table<integer, turnwire.Mark[]>
function M.code(lines, language)
  local out = {}
  language = language:lower()
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
      if #out[row + 1] >= most_colours then
        break
      end
      table.insert(out[row + 1], { from = from, to = to, group = "@" .. name .. "." .. parser })
    end
  end
  return out
end

return M
