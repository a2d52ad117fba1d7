--- Queued prompts.
---
--- They are sent in order, each when the turn before it ended normally. After a
--- cancel or an error they are held, because what they were meant to follow did not
--- happen; the person decides when to continue.

local M = {}

---@class turnwire.Waiting
---@field text string
---@field sending boolean? the agent has it, and has not read it yet

---@class turnwire.Prompts
---@field list turnwire.Waiting[]
---@field held string? why they are held
---@field edited { item: turnwire.Waiting, draft: string }? the prompt being edited, and the draft it replaced
local Prompts = {}
Prompts.__index = Prompts

---@param changed fun()
---@return turnwire.Prompts
function M.new(changed)
  return setmetatable({ list = {}, changed = changed }, Prompts)
end

---@param text string
function Prompts:add(text)
  table.insert(self.list, { text = text })
  self.changed()
end

--- Removes and returns the next prompt that may be sent. If it is being edited, or the
--- agent may still return one, the queue waits.
---@return string?
function Prompts:take()
  local first = self.list[1]
  if not first or self.paused or (self.edited and self.edited.item == first) or self:_is_sending() then
    return nil
  end
  table.remove(self.list, 1)
  self.changed()
  return first.text
end

function Prompts:_is_sending()
  return vim.iter(self.list):any(function(item)
    return item.sending
  end)
end

---@param item turnwire.Waiting
---@param sending boolean
function Prompts:set_sending(item, sending)
  item.sending = sending or nil
  self.changed()
end

--- Moves a prompt to the front.
---@param item turnwire.Waiting
function Prompts:hurry(item)
  for i, other in ipairs(self.list) do
    if other == item then
      table.insert(self.list, 1, table.remove(self.list, i))
    end
  end
  self.changed()
end

--- Removes a prompt from the queue.
---@param item turnwire.Waiting
---@return string? text nil if it is no longer queued
function Prompts:remove(item)
  for i, other in ipairs(self.list) do
    if other == item then
      table.remove(self.list, i)
      if #self.list == 0 then
        self.paused = nil
      end
      self.changed()
      return item.text
    end
  end
end

---@param item turnwire.Waiting
---@param draft string
function Prompts:edit(item, draft)
  self.edited = { item = item, draft = draft }
  self.changed()
end

--- Ends the editing. An empty text removes the prompt.
---@param text string
---@return string draft the prompt's earlier text
function Prompts:edit_done(text)
  local edited = self.edited
  self.edited = nil
  edited.item.text = text
  if not text:find("%S") then
    self:remove(edited.item)
  end
  self.changed()
  return edited.draft
end

---@param why string
function Prompts:hold(why)
  if #self.list > 0 then
    self.paused = why
    self.changed()
  end
end

function Prompts:release()
  self.paused = nil
  self.changed()
end

return M
