--- Aligns the columns of Markdown tables.
---
--- The text stays unchanged: virtual spaces align the columns, and separators are
--- drawn as lines.

local M = {}

--- A longer table isn't aligned, because each streamed row redraws it.
local most_rows = 200

--- A line with more separators is not a table.
local most_columns = 60

---@param line string
---@return boolean
function M.is_row(line)
  local count = select(2, line:gsub("|", ""))
  return #line < 2000 and count > 0 and count <= most_columns
end

---@param line string
---@return boolean
local function is_delimiter(line)
  return line:find("%-") ~= nil and not line:find("[^%s|:%-]") and not line:find("%-%s+%-")
end

---@class turnwire.Cell
---@field from integer 0-based, after the separator
---@field to integer end-exclusive
---@field width integer width on the screen, in cells

--- Returns the 0-based columns of the unescaped separators.
---@param line string
---@return integer[]
local function separators(line)
  local out, at = {}, 1
  while true do
    at = line:find("|", at, true)
    if not at then
      return out
    end
    if line:sub(at - 1, at - 1) ~= "\\" then
      table.insert(out, at - 1)
    end
    at = at + 1
  end
end

--- Returns how many screen cells a part of a line takes.
---@param line string
---@param marks turnwire.Mark[]
---@param from integer
---@param to integer
---@return integer
local function seen(line, marks, from, to)
  local width = vim.api.nvim_strwidth(line:sub(from + 1, to))
  for _, mark in ipairs(marks) do
    if mark.conceal and mark.from >= from and mark.to <= to then
      width = width - vim.api.nvim_strwidth(line:sub(mark.from + 1, mark.to)) + vim.api.nvim_strwidth(mark.conceal)
    end
  end
  return width
end

---@param line string
---@param marks turnwire.Mark[]
---@return turnwire.Cell[] cells
---@return integer[] at the separators
---@return boolean framed the line begins with a separator
local function cells_of(line, marks)
  local at, out = separators(line), {}
  local framed = line:match("^%s*()|") ~= nil
  local from = framed and at[1] + 1 or 0
  for i = framed and 2 or 1, #at do
    table.insert(out, { from = from, to = at[i] })
    from = at[i] + 1
  end
  if line:sub(from + 1):find("%S") then
    table.insert(out, { from = from, to = #line })
  end
  for _, cell in ipairs(out) do
    cell.width = seen(line, marks, cell.from, cell.to)
  end
  return out, at, framed
end

---@param line string the delimiter row
---@return ("left"|"right"|"center")[]
local function sides_of(line)
  local out = {}
  for part in line:gmatch("[^|%s]+") do
    local left, right = part:sub(1, 1) == ":", part:sub(-1) == ":"
    table.insert(out, right and (left and "center" or "right") or "left")
  end
  return out
end

--- Returns the line below the header.
---@param widths integer[]
---@param framed boolean
---@return string
local function rule(widths, framed)
  local parts = vim.tbl_map(function(width)
    return ("─"):rep(width)
  end, widths)
  local line = table.concat(parts, "┼")
  return framed and "├" .. line .. "┤" or line
end

--- Adds a table's marks if the lines form one. All lines must have separators.
---@param lines string[]
---@param marks table<integer, turnwire.Mark[]>
---@param first integer
---@param last integer
---@param room integer width of a line in cells
---@return boolean found
function M.align(lines, marks, first, last, room)
  local delimiter
  for i = first + 1, math.min(last, first + most_rows) do
    if is_delimiter(lines[i]) then
      delimiter = i
      break
    end
  end
  if not delimiter or last - delimiter > most_rows then
    return false
  end
  local sides, widths, rows = sides_of(lines[delimiter]), {}, {}
  local framed
  for i = delimiter - 1, last do
    local cells, at, starts = cells_of(lines[i], marks[i])
    rows[i] = { cells = cells, at = at }
    if i == delimiter - 1 then
      framed = starts
    end
    if i ~= delimiter then
      for column, cell in ipairs(cells) do
        widths[column] = math.max(widths[column] or 1, cell.width)
      end
    end
  end
  local fits = true
  for i, row in pairs(rows) do
    local width = vim.api.nvim_strwidth(lines[i])
    for column, cell in ipairs(row.cells) do
      width = width + (i == delimiter and 0 or (widths[column] or 0) - cell.width)
    end
    fits = fits and width <= room
  end
  for i, row in pairs(rows) do
    if i == delimiter then
      local line = rule(widths, framed)
      local short = vim.api.nvim_strwidth(lines[i]) - vim.api.nvim_strwidth(line)
      if not fits then
        line = lines[i]:gsub("%s+$", ""):gsub("[^|]", "─"):gsub("|", "┼")
      end
      marks[i] = { { from = 0, to = 0, overlay = line .. (" "):rep(fits and short or 0), group = "TurnwireRule" } }
    else
      for _, at in ipairs(row.at) do
        table.insert(marks[i], { from = at, to = at + 1, conceal = "│", group = "TurnwireRule" })
      end
      for column, cell in ipairs(fits and row.cells or {}) do
        local missing = (widths[column] or 0) - cell.width
        local left = sides[column] == "right" and missing or sides[column] == "center" and math.floor(missing / 2) or 0
        if left > 0 then
          table.insert(marks[i], { from = cell.from, to = cell.from, pad = (" "):rep(left) })
        end
        if missing - left > 0 then
          table.insert(marks[i], { from = cell.to, to = cell.to, pad = (" "):rep(missing - left) })
        end
      end
      if i == delimiter - 1 then
        table.insert(marks[i], { from = 0, to = #lines[i], group = "TurnwireStrong" })
      end
    end
  end
  return true
end

return M
